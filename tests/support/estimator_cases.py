"""One small, quick problem for every estimator; what the estimators' tests have in common."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from allrelevant import (
    OrdinalRelevanceClassifier,
    RejectOptionRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    SurvivalRelevanceRegressor,
)
from allrelevant.datasets import make_classification, make_ordinal, make_regression

N_SAMPLES = 70
SHAPE = {"n_strong": 1, "n_weak": 2, "n_irrelevant": 2, "noise": 0.2, "random_state": 0}


_FITTED = {}


@dataclass(frozen=True, eq=False)
class Case:
    """An estimator class, the parameters that make it what it is, and data for it."""

    estimator_class: Any
    parameters: dict
    simulate: Any
    label_noise: float = 0.1

    def make(self, **parameters):
        """A quick estimator; give C="cv" to search for C and to find the tolerance, too."""
        quick = {"C": 1.0, "cv": 3, "n_probes": 5, "confidence": 0.9, "random_state": 0}
        if parameters.get("C") != "cv":
            quick["tolerance"] = 0.05
        if self.is_regression:
            quick["epsilon"] = 0.1
        return self.estimator_class(**(self.parameters | quick | parameters))

    def plain(self, **parameters):
        """The same as in the papers, where every sample counts the same."""
        unweighted = {} if self.is_regression else {"class_weight": None}
        return self.make(**(unweighted | parameters))

    def fitted(self, **parameters):
        """A quick estimator, fitted to the case's data once in a run; not to be changed."""
        key = self, repr(sorted(parameters.items()))
        if key not in _FITTED:
            with warnings.catch_warnings():  # only the first to ask would hear it
                warnings.filterwarnings("ignore", "no feature is strong", UserWarning)
                _FITTED[key] = self.make(**parameters).fit(*self.data())
        return _FITTED[key]

    def data(self, n_samples=N_SAMPLES, **changes):
        X, y, _ = self.simulate(n_samples, **(SHAPE | {"label_noise": self.label_noise} | changes))
        return X, y

    @property
    def is_regression(self):
        return self.estimator_class is RelevanceRegressor

    @property
    def is_binary(self):
        return self.estimator_class in (RelevanceClassifier, RejectOptionRelevanceClassifier)

    @property
    def is_ordinal(self):
        return self.estimator_class is OrdinalRelevanceClassifier


def _ordinal_data(*args, **kwargs):
    return make_ordinal(*args, n_classes=3, **kwargs)


CASES = {
    "classification": Case(RelevanceClassifier, {}, make_classification),
    "regression": Case(RelevanceRegressor, {}, make_regression, label_noise=0.3),
    "ordinal-explicit": Case(OrdinalRelevanceClassifier, {"order": "explicit"}, _ordinal_data),
    # That the other loss is tried does not hang on the order: one of the two does without.
    "ordinal-implicit": Case(
        OrdinalRelevanceClassifier, {"order": "implicit", "loss": "hinge"}, _ordinal_data
    ),
    # With more wrong labels it would be best to reject everything.
    "reject": Case(RejectOptionRelevanceClassifier, {}, make_classification, label_noise=0.03),
}

#: Targets that are not one column have tests of their own.
TRIED_ALONE = {SurvivalRelevanceRegressor: "linear/estimators/test_survival.py"}


def parametrize(keep=lambda case: True):
    """Run a test with the argument `case` for all kinds of estimators, or for some."""
    chosen = [pytest.param(case, id=name) for name, case in CASES.items() if keep(case)]
    return pytest.mark.parametrize("case", chosen)


every_case = parametrize()
binary_cases = parametrize(lambda case: case.is_binary)
ordinal_cases = parametrize(lambda case: case.is_ordinal)
label_cases = parametrize(lambda case: not case.is_regression)


def relevance(signed):
    """Relevance intervals that go with signed ones."""
    low, high = np.asarray(signed).T
    return np.column_stack(
        [np.maximum(0.0, np.maximum(low, -high)), np.maximum(np.abs(low), np.abs(high))]
    )
