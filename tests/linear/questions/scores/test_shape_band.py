"""Curves in fits, and the bands of their functions, against full linear programs."""

import numpy as np
import pandas as pd
import pytest
from every_model import EveryModel
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.preprocessing import SplineTransformer

from allrelevant import InfeasibleError, RelevanceClassifier, RelevanceRegressor, load

NAMES = ["wave", "bowl", "line", "noise"]
QUICK = {"C": 0.3, "n_probes": 6, "random_state": 0}


def data(n=70):
    random = np.random.default_rng(3)
    X = pd.DataFrame(random.normal(size=(n, 4)), columns=NAMES)
    y = np.sin(2 * X.wave) + X.bowl**2 / 2 + X.line + 0.2 * random.normal(size=n)
    return X, 10 * y + 3


@pytest.fixture(scope="module")
def fitted():
    return RelevanceRegressor(basis="spline", **QUICK).fit(*data())


@pytest.mark.slow
def test_bands_are_those_of_the_full_program(fitted):
    X, _ = data()
    every, inner = EveryModel(fitted.equivalent_models_), fitted.fitted_set_
    for feature in ("bowl", "line"):
        band = fitted.shape_range(feature)
        coded = fitted.curves_.code(np.tile(X.mean().to_numpy(), (len(band.values), 1)))
        own = np.array(inner.features.columns_of(feature))
        coded[:, own] = fitted.curves_.of_feature(feature).columns(band.values)
        factors = np.zeros_like(coded)
        mean = inner.scaling.apply(fitted.curves_.code(X.to_numpy())).mean(axis=0)
        factors[:, own] = (inner.scaling.apply(coded) - mean)[:, own] * inner.decoder.scale
        for k in (0, 5, 12, 20):
            cost = every.cost(factors[k])
            np.testing.assert_allclose(band.low[k], every.least(cost), atol=1e-6)
            np.testing.assert_allclose(band.high[k], every.greatest(cost), atol=1e-6)
        assert (band.low <= band.baseline + 1e-6).all()
        assert (band.baseline <= band.high + 1e-6).all()


@pytest.mark.slow
def test_functions_have_a_mean_of_zero_over_the_data(fitted):
    X, _ = data()
    values, where = np.unique(X["bowl"], return_inverse=True)
    assert abs(fitted.shape_range("bowl", values).baseline[where].mean()) < 1e-9


@pytest.mark.slow
def test_functions_of_all_features_make_up_the_predictions(fitted):
    X, _ = data()
    total = np.zeros(len(X))
    for name in NAMES:
        values, where = np.unique(X[name], return_inverse=True)
        total += fitted.shape_range(name, values).baseline[where]
    predicted = fitted.predict(X)
    np.testing.assert_allclose(predicted - predicted.mean(), total, atol=1e-8)


@pytest.mark.slow
def test_curves_are_features_of_the_table(fitted):
    X, y = data()
    assert list(fitted.result_.names) == NAMES == fitted.feature_names_in_.tolist()
    assert (fitted.result_.classes[:3] == 2).all()
    assert fitted.transform(X).shape == (len(X), fitted.support_.sum())
    assert fitted.get_feature_names_out().tolist() == [
        n for n, s in zip(NAMES, fitted.support_, strict=False) if s
    ]
    straight = clone(fitted).set_params(basis=None).fit(X, y)
    assert fitted.score(X, y) > straight.score(X, y) + 0.1


@pytest.mark.slow
def test_one_sign_of_all_weights_is_a_monotone_function(fitted):
    band, rising = (fitted.shape_range("line", **asked) for asked in ({}, {"signs": {"line": 1}}))
    assert (band.low <= rising.low + 1e-6).all()
    assert (rising.high <= band.high + 1e-6).all()
    for model in (fitted.what_if(signs={"line": 1}).witness("wave", "max"), fitted.witness("line")):
        own = [k for k, name in enumerate(fitted.curves_.columns) if name.startswith("line")]
        assert (model.weights_[own] >= -1e-9).all()


def test_a_straight_line_has_a_band_of_its_own_weight():
    X, y = data()
    model = RelevanceRegressor(**QUICK).fit(X, y)
    band = model.shape_range("line", [X["line"].mean(), X["line"].mean() + X["line"].std(ddof=0)])
    assert band.low[0] == pytest.approx(0.0, abs=1e-9)
    norm, scale = model.result_.baseline["norm"], model.fitted_set_.decoder.scale
    ends = model.result_.signed_intervals[2] * norm * scale
    np.testing.assert_allclose([band.low[1], band.high[1]], ends, rtol=1e-6)


@pytest.mark.slow
def test_curves_are_saved_with_the_fit(fitted, tmp_path):
    X, _ = data()
    fitted.save(tmp_path / "fit.zip")
    again = load(tmp_path / "fit.zip")
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(again.shape_range("bowl").high, fitted.shape_range("bowl").high)


@pytest.mark.slow
def test_what_cannot_be_asked(fitted):
    X, y = data()
    with pytest.raises(InfeasibleError, match="'bowl' never falls"):
        fitted.what_if(signs={"bowl": 1})
    with pytest.raises(ValueError, match="list of finite numbers"):
        fitted.shape_range("bowl", [np.nan])
    with pytest.raises(ValueError, match="basis must be None, 'spline', 'bins' or a transformer"):
        RelevanceRegressor(basis="cubic").fit(X, y)
    with pytest.raises(ValueError, match="basis is for dense data"):
        RelevanceRegressor(basis="spline").fit(csr_array(X.to_numpy()), y)
    own = RelevanceRegressor(basis=SplineTransformer(n_knots=3), **QUICK).fit(X, y)
    with pytest.raises(ValueError, match="give values"):
        own.shape_range("bowl")
    assert len(own.shape_range("bowl", [0.0, 1.0]).low) == 2
    with pytest.raises(TypeError, match="a transformer, which no file can hold"):
        own.save("never.zip")


@pytest.mark.slow
def test_two_classes_and_steps():
    X, y = data()
    model = RelevanceClassifier(basis="bins", **QUICK).fit(X, y > y.median())
    band = model.shape_range("line")
    assert band.to_frame().columns.tolist() == ["value", "low", "high", "baseline"]
    assert band.baseline[-1] > band.baseline[0]
    assert "ShapeBand of 'line'" in repr(band)


@pytest.mark.slow
def test_halves_find_curves_by_their_norms(fitted):
    found = fitted.stability(n_splits=4, random_state=0).to_frame().set_index("feature")
    assert found.loc["wave", "selected"] > 0.5
    assert found.loc["noise", "selected"] < 0.5
