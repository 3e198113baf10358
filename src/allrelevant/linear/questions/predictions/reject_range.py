"""How much the equivalent models reject, and what that truly costs: least and most of all.

What a model does to a sample is one of three things: it gives one label, the other, or none. Where
all models do the same nothing is open. Of the other samples each has three whole numbers, of
which one is 1, and the decision value f has to be where they say::

    lo·m − t·r + t·p  ≤  f  ≤  −t·m + t·r + hi·p,      m + r + p = 1

with the threshold t and the ends lo and hi of the sample's decision values over all models. Beside
the rows of the equivalent models this is a mixed-integer program. A time limit leaves bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

from allrelevant.base.arrays import Floats, Mask
from allrelevant.data import matrix_of
from allrelevant.linear.engine.program.equivalent import EquivalentModels
from allrelevant.linear.questions.fitted_set import FittedSet
from allrelevant.linear.questions.predictions.prediction_range import PredictionRange

_SAME = 1e-6  # shares that differ by less are equal
_EASE = 1e-7  # relative: how far ends of decision values are moved out, for the solver's rounding


@dataclass(frozen=True)
class RejectRange:
    """How much the equivalent models reject, and what they cost, from the least to the most.

    Attributes
    ----------
    rejected : (float, float)
        The smallest and the largest share of rejected samples; no model is beyond.
    cost : (float, float) or None
        The same of the mean cost of a sample: 1 for a wrong label, the reject cost for none. None
        where no labels were given.
    rejected_seen, cost_seen : (float, float)
        The ends that models were found for. They are `rejected` and `cost` where these are exact.
    n_open : int
        For how many samples it depends on the model whether, and how, they are labelled.
    """

    rejected: tuple[float, float]
    rejected_seen: tuple[float, float]
    cost: tuple[float, float] | None
    cost_seen: tuple[float, float] | None
    n_open: int

    @property
    def is_exact(self) -> bool:
        """Whether models are known that attain all ends; else some are bounds."""
        pairs = [(self.rejected, self.rejected_seen)]
        if self.cost is not None and self.cost_seen is not None:
            pairs.append((self.cost, self.cost_seen))
        return all(
            abs(a - b) <= _SAME for end, seen in pairs for a, b in zip(end, seen, strict=True)
        )

    def __str__(self) -> str:
        words = [_words("rejected", self.rejected, self.rejected_seen)]
        if self.cost is not None and self.cost_seen is not None:
            words.append(_words("cost per sample", self.cost, self.cost_seen))
        return "\n".join([*words, f"{self.n_open} samples depend on the model"])


def _words(what: str, ends: tuple[float, float], seen: tuple[float, float]) -> str:
    text = f"{what}: {ends[0]:.3f} to {ends[1]:.3f}"
    if max(abs(ends[0] - seen[0]), abs(ends[1] - seen[1])) > _SAME:
        text += f", bounds; models have {seen[0]:.3f} to {seen[1]:.3f}"
    return text


def find_reject_range(
    fitted: FittedSet,
    table: Any,
    ranges: PredictionRange,
    costs: Floats | None,
    threshold: float,
    time_limit: float,
) -> RejectRange:
    """Ask for the ends of the rejected share, and of the cost where there are costs by outcome."""
    counts = np.array([[0.0, 1.0, 0.0]] * len(ranges))
    if fitted.models is None:  # there is one model, which does the same to all samples
        share, paid = (_mean(one, ranges.allowed) for one in (counts, costs))
        assert share is not None
        return RejectRange(share, share, paid, paid, 0)
    program = RejectProgram(
        fitted.models,
        fitted.scaling.of_matrix(matrix_of(table)).dense(),
        ranges,
        threshold=threshold,
        factor=fitted.model.offset_sign * fitted.placing.scale,
        shift=fitted.placing.shift,
    )
    rejected, seen = program.ends(counts, time_limit)
    cost, cost_seen = (None, None) if costs is None else program.ends(costs, time_limit)
    return RejectRange(rejected, seen, cost, cost_seen, len(program.open))


def _mean(costs: Floats | None, outcomes: Mask) -> tuple[float, float] | None:
    if costs is None:
        return None
    mean = float((costs * outcomes).sum(axis=1).mean())
    return mean, mean


class RejectProgram:
    """What equivalent models do to some samples, as a mixed-integer program.

    Parameters
    ----------
    samples : array of shape (n_samples, n_features)
        In the engine's units.
    ranges : PredictionRange
        The ends of their decision values, which are ``x·w + factor·b + shift``, and which of the
        outcomes some model has: the first label, none, the second one.
    """

    def __init__(
        self,
        models: EquivalentModels,
        samples: Floats,
        ranges: PredictionRange,
        *,
        threshold: float,
        factor: float,
        shift: float,
    ) -> None:
        self._allowed = ranges.allowed
        self.open = np.flatnonzero(self._allowed.sum(axis=1) > 1)
        d, P, k = models.n_features, len(models.pieces), len(self.open)
        self._n, self._first, self._offset = 2 * d + 1 + P + 3 * k, 2 * d + 1 + P, 2 * d
        self._rows = self._of_models(models)
        if k:
            self._rows += self._of_outcomes(samples, ranges, threshold, factor, shift)

    def _of_models(self, models: EquivalentModels) -> list[LinearConstraint]:
        """The hinges of all pieces, and the budgets."""
        pieces, d, P = models.pieces, models.n_features, len(models.pieces)
        data = pieces.sign[:, None] * models.X.dense()[pieces.row]
        offsets, none = pieces.offset_sign[:, None], sparse.csr_array((P, 3 * len(self.open)))
        hinges = _stacked(data, -data, offsets, sparse.identity(P), none)
        norm = (np.arange(self._n) < 2 * d).astype(float)
        loss = np.concatenate([np.zeros(2 * d + 1), pieces.weight, np.zeros(none.shape[1])])
        budgets = np.array([b.norm * norm + b.loss * loss for b in models.budgets])
        limits = np.array([b.limit for b in models.budgets])
        return [
            LinearConstraint(hinges, pieces.target, np.inf),
            LinearConstraint(budgets, -np.inf, limits),
        ]

    def _of_outcomes(
        self,
        samples: Floats,
        ranges: PredictionRange,
        threshold: float,
        factor: float,
        shift: float,
    ) -> list[LinearConstraint]:
        """Decision values are where the outcomes say; each open sample has one."""
        Z, k = samples[self.open], len(self.open)
        low, high = ranges.low[self.open], ranges.high[self.open]
        ease = _EASE * (1.0 + max(np.abs(low).max(), np.abs(high).max()))
        rest = sparse.csr_array((k, self._first - self._offset - 1))
        score = _stacked(Z, -Z, np.full((k, 1), factor), rest)
        level, one = sparse.diags(np.full(k, threshold)), sparse.identity(k)
        upper = _stacked(score, level, -level, sparse.diags(-(high + ease)))
        lower = _stacked(score, sparse.diags(-(low - ease)), level, -level)
        whole = _stacked(sparse.csr_array((k, self._first)), one, one, one)
        return [
            LinearConstraint(upper, -np.inf, -shift),
            LinearConstraint(lower, -shift, np.inf),
            LinearConstraint(whole, 1.0, 1.0),
        ]

    def ends(self, costs: Floats, time_limit: float) -> tuple[tuple[float, float], ...]:
        """Least and largest mean of the samples' costs by outcome; those found, and no more.

        Parameters
        ----------
        costs : array of shape (n_samples, 3)

        Returns
        -------
        (low, high), (low, high)
            Proven bounds, and what models attain.
        """
        n = len(costs)
        settled = np.setdiff1d(np.arange(n), self.open)
        known = float((costs * self._allowed)[settled].sum())
        found = [self._least(sign * costs[self.open], time_limit) for sign in (1.0, -1.0)]
        (low, low_seen), (high, high_seen) = found
        bounds = ((known + low) / n, (known - high) / n)
        return bounds, ((known + low_seen) / n, (known - high_seen) / n)

    def _least(self, costs: Floats, time_limit: float) -> tuple[float, float]:
        """A bound on the least sum of costs, and the least that was found."""
        k = len(self.open)
        if not k:
            return 0.0, 0.0
        allowed = self._allowed[self.open]
        # What no model does costs nothing to leave out, and bounds are at least these.
        least = float(np.where(allowed, costs, np.inf).min(axis=1).sum())
        low, high = np.zeros(self._n), np.full(self._n, np.inf)
        low[self._offset] = -np.inf
        high[self._first :] = allowed.T.ravel()
        objective = np.concatenate([np.zeros(self._first), costs.T.ravel()])
        whole = (np.arange(self._n) >= self._first).astype(int)
        options: Any = {"time_limit": time_limit, "mip_rel_gap": 0.0}
        found: Any = milp(
            objective,
            integrality=whole,
            bounds=Bounds(low, high),
            constraints=self._rows,
            options=options,
        )
        bound = found.mip_dual_bound if found.mip_dual_bound is not None else least
        seen = float(found.fun) if found.fun is not None else np.inf
        return max(float(bound), least), seen


def _stacked(*blocks: Any) -> Any:
    """Blocks of columns side by side."""
    return sparse.hstack(blocks, format="csr")
