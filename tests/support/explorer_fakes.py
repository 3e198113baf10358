"""An estimator whose answers are made up by rule, so that the explorer can be watched."""

import time
from types import SimpleNamespace

import numpy as np
from plots_fakes import make_ranges, make_result
from sklearn.base import BaseEstimator

from allrelevant import InfeasibleError
from allrelevant.base.three_classes import classify
from allrelevant.linear.questions.what_if.what_if import FeatureAnswer


class FakeEstimator(BaseEstimator):
    """Constraints make the first weak feature strong; a strong one cannot be forbidden."""

    def __init__(self, n_strong=1, n_weak=4, n_irrelevant=3, delay=0.0, seed=0, known=None):
        d = n_strong + n_weak + n_irrelevant
        names = [f"feature {j}" for j in range(d)]
        content = {"names": names, "seed": seed} | (known or {})
        self.result_ = make_result(n_strong, n_weak, n_irrelevant, **content)
        self.known = known
        self.n_strong, self.n_weak, self.n_irrelevant = n_strong, n_weak, n_irrelevant
        self.delay, self.seed = delay, seed
        self.fitted_set_ = None
        self.tolerance_ = (0.1, 0.1)
        self.needed_up_to_ = np.where(self.result_.classes == 2, 0.3, 0.0)
        self.work = SimpleNamespace(steps=0, closed=0)  # shared with copies

    def what_if_stream(self, forbid=(), keep=(), bounds=None, order=()):
        result, bounds = self.result_, dict(bounds or {})
        impossible = set(forbid) & set(result.strong)
        if impossible:
            name = impossible.pop()
            raise InfeasibleError(f"every model needs {name}", [f"forbid {name}"], 0.5)
        try:
            for j in order:
                time.sleep(self.delay)
                self.work.steps += 1
                low, high = result.intervals[j]
                name = result.names[j]
                at_least, at_most = bounds.get(name, (0.0, np.inf))
                if name in forbid:
                    low = high = 0.0
                elif name in keep or name == self.heir(forbid):
                    low = high / 2
                low, high = max(low, at_least), min(high, at_most)
                limits = np.array([result.thresholds[0], result.upper_thresholds[j]])
                label = int(classify(np.array([[low, high]]), limits)[0])
                signed = (-high, high)
                yield FeatureAnswer(j, (low, high), signed, label, [signed])
        finally:
            self.work.closed += 1

    def fit(self, X, y):
        raise NotImplementedError

    def heir(self, forbid):
        """Who has to take over when something is forbidden: the largest weak one left."""
        names = [self.result_.names[j] for j in self.result_.order]
        left = [name for name in names if name in self.result_.weak and name not in forbid]
        return left[0] if left and forbid else None

    def what_if(self, **constraints):
        found = list(self.what_if_stream(**constraints, order=range(self.result_.n_features)))
        return make_result(
            0, len(found), 0, names=self.result_.names, intervals=[one.relevance for one in found]
        )

    def groups(self):
        labels = np.where(self.result_.classes > 0, 1, 0)
        return SimpleNamespace(names=self.result_.names, labels=labels)

    def substitutes(self, feature, forbid=(), **constraints):
        others = [name for name in self.result_.weak if name not in (feature, *forbid)]
        replaceable = feature not in self.result_.strong
        return SimpleNamespace(
            is_replaceable=replaceable,
            stand_ins=tuple(others[:2]) if replaceable else (),
            is_shortest=True,
        )

    def cheapest_set(self, costs, forbid=(), keep=(), time_limit=60.0, **constraints):
        useful = [*self.result_.strong, *self.result_.weak]
        names = list(keep) or [name for name in useful if name not in forbid]
        name = min(names, key=lambda one: costs.get(one, 1.0))
        return SimpleNamespace(features=(name,), cost=costs.get(name, 1.0), gap=0.0)

    def prediction_range(self, X, ends=True, **constraints):
        """Constraints settle everything."""
        ranges = make_ranges(len(X))
        if constraints:
            ranges.settled = np.ones(len(X), dtype=bool)
        ranges.labels = [
            tuple(label for label, can in zip(ranges.outcomes, row, strict=True) if can)
            for row in ranges.allowed
        ]
        return ranges
