"""Further probes, beside those that are known: only as far as the tail of the noise needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from allrelevant.linear.fit.ranges.probes import Probe
from allrelevant.linear.fit.ranges.relevance import ProbeReaches, Relevances, RelevanceTask
from allrelevant.linear.fit.statistics.noise import Shapes

_ENOUGH_EXACT = 100  # probes: further ones only tell about the tail
_BELOW_THE_TAIL = 0.6  # the quantile of probes from which on reaches have to be exact
_TELLING = 0.5  # the correlation of pull and reach from which on the pull is gone by
_HARDLY = 0.02  # the share of the tail that may have less pull


def with_more_probes(
    task: RelevanceTask, found: Relevances, drawn: Sequence[Probe], *, afresh: bool = False
) -> Relevances:
    """What was found, with further probes of one kind, beside the earlier ones or in their place.

    Once there are some that are known exactly, only those that can be in the tail are looked at,
    and only as far as that needs.
    """
    is_privileged = drawn[0].is_privileged
    known = found.privileged_probes if is_privileged else found.probes
    if afresh:
        known = ProbeReaches()
    asked: Sequence[Probe | None] = drawn
    if len(known) >= _ENOUGH_EXACT:
        asked = tail_probes(task, known, drawn)
    promising = {k: probe for k, probe in enumerate(asked) if probe is not None}
    answers = task.run(list(promising.values()), append=True)
    values: dict[int, tuple[float, float] | None] = dict.fromkeys(range(len(drawn)), (0.0, 0.0))
    values.update({k: answer.outcome for k, answer in zip(promising, answers, strict=True)})
    proven = {k: value for k, value in values.items() if value is not None}
    table = np.array(list(proven.values())).reshape(-1, 2)
    more = known.and_more([drawn[k] for k in proven], table, exact=asked is drawn)
    found = replace(
        found,
        solved=found.solved + sum(answer.solved for answer in answers),
        skipped=found.skipped + sum(answer.skipped for answer in answers),
        n_lost=found.n_lost + len(drawn) - len(proven),
    )
    if is_privileged:
        return replace(found, privileged_probes=more)
    return replace(found, probes=more)


def tail_probes(
    task: RelevanceTask, known: ProbeReaches, drawn: Sequence[Probe]
) -> list[Probe | None]:
    """Probes as far as the tail needs them; None for those that will hardly be in it.

    A probe reaches far where the baseline's multipliers pull it, and then to that side. How much
    pull it takes is seen from the probes that are known exactly.
    """
    problem = task.problem
    is_privileged = drawn[0].is_privileged
    shapes = problem.shapes
    if is_privileged:
        shapes = Shapes.of(problem.table(True), problem.sample.count)
    tail = known.tail(shapes)
    below = float(np.quantile(tail.ordered, _BELOW_THE_TAIL)) * tail.usual(shapes)
    probes = [replace(probe, least=float(below[probe.feature])) for probe in drawn]
    duals = problem.present(task.models).reference.row_duals
    if is_privileged or problem.n_privileged or problem.model.n_scores > 1 or duals is None:
        return list(probes)
    exact = known.probes[: known.n_exact]
    pulls = np.abs([duals @ probe.column(problem) for probe in exact])
    usual = tail.usual(shapes)[[probe.feature for probe in exact]]
    in_tail = known.values[: known.n_exact, 1] / usual > tail.start
    if np.corrcoef(pulls, known.values[: known.n_exact, 1])[0, 1] < _TELLING:
        return list(probes)
    enough = float(np.quantile(pulls[in_tail], _HARDLY))
    new = np.abs([duals @ probe.column(problem) for probe in probes])
    return [
        replace(probe, one_sided=True) if pull >= enough else None
        for probe, pull in zip(probes, new, strict=True)
    ]
