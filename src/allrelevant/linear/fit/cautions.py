"""What people should know before they believe an answer, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.errors import told
from allrelevant.base.features import Features
from allrelevant.base.three_classes import STRONG
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.engine.program.limits import Boxes
from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.program.reference import Penalised
from allrelevant.linear.engine.ranges.nearest import nearest_member, with_limits
from allrelevant.linear.fit.analysis import Analysis
from allrelevant.linear.fit.baseline.candidate import Choice
from allrelevant.linear.fit.baseline.plan import Plan
from allrelevant.linear.fit.problem.problem import Problem
from allrelevant.linear.fit.ranges.relevance import Relevances
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.fit.statistics.verdict import HIGHEST_LEVEL, level_of_each

_DENSE = 3  # samples for each feature that the baseline uses: fewer are too few
_FEWEST, _ENOUGH = 5, 10  # probes: fewer tell next to nothing, or not always enough
_MANY = 50  # probes: as many as a fit takes by itself
_LISTED = 5  # names that are told
_ASKED = 5  # features that are asked how small a tolerance would make them strong
_EXACT_COPY = 2e-3  # a tolerance so small separates nothing
_HEAVY = 100  # observations for each row: more is hardly ever what was counted
_NO_LOSS = 1e-6  # of all weights

NO_SIGNAL = (
    "no learnable signal: in cross-validation no model does better than the one without any "
    "feature, so every feature is irrelevant. Tried: {tried}"
)

NOT_USED = (
    "no learnable signal: {}, the baseline that was given, uses no feature, so there is nothing "
    "that others could use instead, and every feature is irrelevant"
)


def with_cautions(analysis: Analysis, names: Sequence[str]) -> Analysis:
    """The analysis with warnings where something was left out, is a bound, or tells little."""
    plan, found, threshold = analysis.plan, analysis.found, float(analysis.classes.thresholds[1])
    return analysis.warning_that(
        few_probes(plan.n_probes, threshold, analysis.largest_possible),
        left_out(analysis.choice),
        moved(analysis.choice, analysis.baseline, plan),
        only_bounds(found, names),
        lost_probes(found),
        dense(analysis.problem, analysis.reference),
        too_few_ways(analysis),
    )


def too_few_ways(analysis: Analysis) -> str | None:
    """Where the target has so few permutations that noise goes with it as well as anything can."""
    sample, level = analysis.problem.sample, analysis.plan.rates[1] or HIGHEST_LEVEL
    least = sample.least_p_value
    if analysis.plan.probes == "replace" or least <= level_of_each(
        level, two_tests=analysis.unexplained is not None
    ):
        return None
    what = "rows" if sample.group is None else "groups"
    return (
        f"the target of {sample.n_groups} {what} has only {1.0 / least:.0f} different "
        "permutations, so noise does as well as the best feature with a probability of "
        f"{least:.2g}, and no feature is relevant by the interval test. More {what} are needed"
    )


def no_signal(Cs: Floats, n_folds: int | None, weights: Sequence[str]) -> str:
    """What was tried in vain."""
    values = f"C = {Cs[0]:.3g}" if len(Cs) == 1 else f"C from {Cs.min():.2g} to {Cs.max():.2g}"
    folds = "the given splits" if n_folds is None else f"{n_folds} folds"
    return NO_SIGNAL.format(tried="; ".join([f"{values} in {folds}", *weights]))


def heavy(sample: Sample, n_rows: int) -> list[str]:
    """Warn where weights make many observations of few rows, and noise pass for more than that."""
    n = round(float(sample.numbers.sum()))
    if n <= _HEAVY * n_rows:
        return []
    warning = (
        f"sample_weight holds whole numbers, so {n_rows} rows count as {n} observations, "
        f"{n / n_rows:.3g} for each, and noise may be called relevant. If the weights are "
        "not numbers of observations, divide them by their mean"
    )
    return told(warning)


def merged_classes(
    target: Floats, coarse: Floats, numbers: Floats, labels: Sequence[object]
) -> str | None:
    """Rare classes that C was sought without: `coarse` are the codes where they had joined."""
    joined = [np.unique(target[coarse == code]).astype(np.intp) for code in np.unique(coarse)]
    parts = [" with ".join(repr(labels[k]) for k in one) for one in joined if len(one) > 1]
    if not parts:
        return None
    least = min(float(numbers[target == code].sum()) for code in np.unique(target))
    return (
        f"classes were merged while C was chosen ({', '.join(parts)}), because some are too rare "
        f"for cross-validation (down to {least:.3g} sample{'' if least == 1 else 's'}); everything "
        "else keeps them apart"
    )


def left_out(choice: Choice) -> str | None:
    """Folds that could not be fitted at some C."""
    if not choice.left_out:
        return None
    values = ", ".join(f"{C:.3g}" for C in choice.left_out)
    if choice.n_missing:
        n = choice.n_missing
        return (
            f"at C = {values} the models of {n} of {n + len(choice.tested)} folds could not be "
            "computed to the required accuracy; the score is that of the others"
        )
    return (
        f"at C = {values} the model of some fold could not be computed to the required accuracy; "
        "these values of C were left out when C was chosen"
    )


def moved(choice: Choice, baseline: Penalised, plan: Plan) -> str | None:
    """A baseline at another C than the one that was chosen."""
    # Others say what their C means, which is not what they were chosen by.
    if baseline.C == choice.C or not plan.baseline.is_best:
        return None
    return (
        f"at C = {choice.C:.6g}, which was chosen, no model could be proven to be the best; the "
        f"baseline is that of C = {baseline.C:.6g}"
    )


def only_bounds(found: Relevances, names: Sequence[str]) -> str | None:
    """Ranges of which an end could not be proven."""
    parts = [(one,) for one in found.ranges] + list(found.privileged)
    told = zip(names, parts, strict=False)  # names of what is privileged may be left over
    shown = [name for name, ranges in told if not all(one.is_exact for one in ranges)]
    if not shown:
        return None
    return (
        f"the relevance of {', '.join(map(repr, shown))} is a bound: it lies within the interval "
        "that is given, but no model is known that attains an end of it"
    )


def lost_probes(found: Relevances) -> str | None:
    """Probes that nothing could be proven of."""
    if not found.n_lost:
        return None
    return f"{found.n_lost} probes were left out: the ends of their intervals could not be proven"


def dense(problem: Problem, baseline: Penalised) -> str | None:
    """A baseline with so many features that noise among them cannot be told from the rest."""
    n_used = int(np.count_nonzero(problem.by_feature(baseline.weights)))
    n_rows = problem.sample.n_groups
    if n_used * _DENSE <= n_rows:
        return None
    what = "samples" if problem.sample.group is None else "groups of samples"
    return (
        f"the baseline uses {n_used} features for {n_rows} {what}: with so many, noise in "
        "the baseline may be called relevant, and the fit is slow. Trust a selected feature only "
        "if it is far above the noise threshold, or ask for a sparser baseline with a smaller C."
    )


def few_probes(n_probes: int | None, threshold: float, largest: float) -> str | None:
    """So few probes, by somebody's choice, that the noise threshold is a guess."""
    if n_probes is None or n_probes >= _ENOUGH or (n_probes >= _FEWEST and threshold <= 1.0):
        return None
    beyond = f", beyond the most that any feature can have ({largest:.3g})"
    return (
        f"{n_probes} probes are too few: the noise threshold ({threshold:.3g}) is a "
        f"guess{beyond if threshold > largest else ''}, and so are the classes. Leave n_probes at "
        "'auto', or give at least 20."
    )


def out_of_reach(
    names: Sequence[str], thresholds: Floats, largest: float, n_rows: int, n_probes: int | None
) -> str | None:
    """Noise thresholds that no relevance can exceed, so that the class was settled beforehand."""
    beyond = np.flatnonzero(thresholds > largest)
    if not len(beyond) or few_probes(n_probes, float(np.median(thresholds)), largest):
        return None
    if len(beyond) == len(names):
        which = "no feature can be distinguished from noise"
    else:
        listed = ", ".join(repr(names[j]) for j in beyond[:_LISTED])
        more = "" if len(beyond) <= _LISTED else f" and {len(beyond) - _LISTED} more"
        which = f"{listed}{more} cannot be distinguished from noise"
    advice = "Take more rows, or let more noise pass: a smaller confidence"
    if n_probes is not None and n_probes < _MANY:
        advice = "Leave n_probes at 'auto', or give more: a few probes leave a wide margin"
    return (
        f"{which}, whatever the data say: with {n_rows} rows that takes a relevance above "
        f"{float(thresholds[beyond].min()):.3g}, and the most that any feature can have is "
        f"{largest:.3g}. {advice}."
    )


def shared(choice: Choice, classes: Ints) -> str | None:
    """A warning where no feature is relevant, but all together predict."""
    if classes.any() or not choice.predicts:
        return None
    return (
        "no feature can be distinguished from noise, but all features together predict left-out "
        "rows better than chance. Several features share the information, or each has too little "
        "for so few rows, so 'irrelevant' does not mean useless here. More rows would help, or one "
        "feature in the place of several that measure the same."
    )


def wide_tolerance(
    models: EquivalentModels,
    baseline: Penalised,
    tolerance: float,
    classes: Ints,
    features: Features,
) -> str | None:
    """No feature is strong, but only because the tolerance lets models do without any of them."""
    found = np.flatnonzero(classes)
    if not len(found) or (classes == STRONG).any() or models.kinds.any():
        return None
    if baseline.loss <= _NO_LOSS * float(models.pieces.weight.sum()):
        return None
    weights = np.array([np.abs(baseline.weights[list(own)]).sum() for own in features.places])
    used = found[weights[found] != 0]
    largest = used[np.argsort(-weights[used], kind="stable")][:_ASKED].tolist()
    needed = {j: needed_tolerance(models, baseline, features.places[j]) for j in largest}
    best = max(needed, key=lambda k: needed[k], default=None)
    if best is None or not _EXACT_COPY < needed[best] < tolerance:
        return None
    return (
        f"no feature is strong: at the tolerance {tolerance:.3g} each of them can be left out. At "
        f"a tolerance below {needed[best]:.3g} {features.names[best]!r} is strong. How much worse "
        "a model may be and still count as equally good is your decision."
    )


def needed_tolerance(
    models: EquivalentModels, baseline: Penalised, columns: Sequence[int]
) -> float:
    """The smallest tolerance at which some model does without columns; 0 if that is unclear."""
    limits = np.array(
        [budget.norm * baseline.norm + budget.loss * baseline.loss for budget in models.budgets]
    )
    nothing = np.zeros(len(columns))
    barred = Boxes(np.array(columns, dtype=np.intp), nothing, nothing)
    narrowest = replace(models, budgets=with_limits(models.budgets, limits))
    try:
        return nearest_member(narrowest.within(barred), limits, enough=1e-4).excess
    except SolverError:
        return 0.0
