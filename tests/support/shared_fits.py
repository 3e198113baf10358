"""Fits that many tests begin with, made once."""

import warnings
from contextlib import contextmanager

import joblib
import pytest

_MADE = {}


@contextmanager
def made_once(*estimators):
    """Have equal fits of these kinds made once: those of equal settings and data.

    What they warn of is said each time. Those that keep their work in files, or share it, are made.
    """

    def patched(genuine):
        def fit(self, X, y, **beside):
            if getattr(self, "checkpoint", None) is not None or self.n_jobs is not None:
                return genuine(self, X, y, **beside)
            key = joblib.hash((type(self), repr(self.get_params()), X, y, beside))
            if key not in _MADE:
                with warnings.catch_warnings(record=True) as told:
                    warnings.simplefilter("ignore")
                    warnings.simplefilter("always", UserWarning)
                    fitted = vars(genuine(self, X, y, **beside)).copy()
                _MADE[key] = fitted, [(one.message, one.category) for one in told]
            fitted, told = _MADE[key]
            for message, category in told:
                warnings.warn(message, category, stacklevel=2)
            vars(self).update(fitted)
            return self

        return fit

    with pytest.MonkeyPatch.context() as patch:
        for estimator in estimators:
            patch.setattr(estimator, "fit", patched(estimator.fit))
        yield
