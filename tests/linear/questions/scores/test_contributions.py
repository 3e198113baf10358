"""What features add to one sample's score, against full linear programs."""

import json
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from constrained_models import NAMES, OTHER_LOSSES, Constrained, fitted, grouped
from estimator_cases import CASES

from allrelevant import Explanation, ExplanationDisplay, RelevanceClassifier


def data(kind):
    usual, _ = OTHER_LOSSES.get(kind, (kind, None))
    return pd.DataFrame(CASES[usual].data()[0], columns=NAMES)


def by_programs(model, X, row, groups, constrained=None):
    """Ends of what groups of columns add, of the score, and what counts more, by full programs."""
    constrained = constrained or Constrained(model, {})
    every, branches = constrained.every, constrained.branches()
    inner = model.fitted_set_
    scale = inner.decoder.units[0]
    raw = np.asarray(X, dtype=float)
    scaled, mean = inner.scaling.apply(raw[[row]])[0], inner.scaling.apply(raw).mean(axis=0)

    def ends(cost):
        low = min(every.least(cost, more=more) for more in branches)
        return low, -min(every.least(-cost, more=more) for more in branches)

    adds = np.zeros((len(groups), every.size[0]))
    for line, own in zip(adds, groups, strict=True):
        line[own] = scale * (scaled - mean)[own]
    low, high = np.array([ends(every.cost(line)) for line in adds]).T
    larger = set()
    for j, k in permutations(range(len(groups)), 2):
        sign = np.sign(low[j]) if low[j] * high[j] > 1e-10 else 0.0
        if not sign or max(abs(low[k]), abs(high[k])) < 1e-6:
            continue
        if all(ends(every.cost(sign * adds[j] - s * adds[k]))[0] > 1e-5 for s in (1, -1)):
            larger.add((j, k))
    return low, high, larger


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        *("classification", "logistic", "l2", "reject"),
        *("ordinal-explicit", "ordinal-logistic", "regression", "quantile"),
    ],
)
def test_ends_and_order_are_those_of_the_full_programs(kind):
    model, X = fitted(kind, tolerance=0.05), data(kind)
    found = model.explain(X, 3)
    low, high, larger = by_programs(model, X, 3, [[k] for k in range(5)])
    np.testing.assert_allclose(found.low, low, atol=1e-6)
    np.testing.assert_allclose(found.high, high, atol=1e-6)
    assert set(found.larger) == larger
    assert found.score[2] == pytest.approx(found.mean[2] + found.baseline.sum())
    assert found.values == tuple(X.iloc[3])
    one = X.iloc[[3]]
    if not kind.startswith("ordinal"):
        ranges, decide = model.prediction_range(one), getattr(model, "decision_function", None)
        assert found.score[:2] == pytest.approx((ranges.low[0], ranges.high[0]), abs=1e-6)
        assert found.score[2] == pytest.approx(float((decide or model.predict)(one)[0]))
    for k in range(5):
        weights = model.witness(k, "max").weights_ * model.result_.baseline["norm"]
        own = weights * model.fitted_set_.decoder.units[0]
        own *= model.fitted_set_.scaling.apply(one.to_numpy())[0]
        assert (own >= found.low - 1e-6).all()
        assert (own <= found.high + 1e-6).all()


@pytest.mark.slow
def test_groups_and_constraints():
    model, X = grouped("classification"), data("classification")
    groups = {"both": ["age", "copies"]}
    found = model.what_if(forbid=["girth"]).explain(X, 5, groups=groups)
    assert found.names == ("both", "noise")
    constrained = Constrained(model, {2: [(0.0, 0.0)]})
    low, high, larger = by_programs(model, X, 5, [[0, 1, 2], [3, 4]], constrained)
    np.testing.assert_allclose(found.low, low, atol=1e-6)
    np.testing.assert_allclose(found.high, high, atol=1e-6)
    assert set(found.larger) == larger
    two = {"bounds": {"dose": (0.05, np.inf)}}
    parted = Constrained(model, {1: [(0.05, np.inf), (-np.inf, -0.05)]})
    found = model.explain(X, 5, **two)
    low, high, _ = by_programs(model, X, 5, [[0], [1, 2], [3, 4]], parted)
    np.testing.assert_allclose(np.c_[found.low, found.high], np.c_[low, high], atol=1e-6)
    with pytest.raises(ValueError, match="groups has 'age' twice"):
        model.explain(X, 0, groups=[["age", "copies"], ["age", "noise"]])
    with pytest.raises(ValueError, match="row must be"):
        model.explain(X, len(X))


@pytest.mark.slow
def test_what_is_said_of_a_sample():
    model, X = fitted("classification", tolerance=0.05), data("classification")
    found = model.explain(X, int(np.argmax(X["age"])))
    assert found.signs[0] != 0
    said = " ".join(found.statements)
    assert f"age = {X['age'].max():.4g} speaks {'for' if found.signs[0] > 0 else 'against'}" in said
    assert ("The prediction is" in said) == (len(found.labels) == 1)
    document = json.loads(found.to_json())
    assert document["statements"] == found.statements
    assert [row["feature"] for row in document["features"]] == [found.names[j] for j in found.order]
    display = ExplanationDisplay.from_estimator(model, X, 2, max_features=3)
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert labels[0].startswith("score: ")
    assert labels[-1] == "2 others, baseline only"
    assert "counts more than" not in repr(found)


def test_where_nothing_is_learned_nothing_adds_anything():
    X = np.random.default_rng(0).normal(size=(40, 2))
    with pytest.warns(UserWarning, match="no learnable signal"):
        model = RelevanceClassifier(C=1e-6, n_probes=3).fit(X, np.arange(40) % 2)
    found = model.explain(X, 1)
    assert not found.low.any()
    assert not found.high.any()
    assert found.score[0] == found.score[1] == found.mean[2]


@pytest.mark.parametrize("speaks_for", [None, "ill"])
def test_several_features_without_a_name_are_many(speaks_for):
    found = Explanation(
        names=("age + 3 others", "size", "dose"),
        values=(None, None, 2.0),
        low=np.array([1.0, 0.5, -0.4]),
        high=np.array([2.0, 0.9, -0.2]),
        baseline=np.zeros(3),
        mean=(0.0, 0.0, 0.0),
        score=(1.0, 2.0, 1.5),
        labels=(),
        speaks_for=speaks_for,
        larger=((0, 1), (1, 2)),
    )
    many, one, last, *more = found.statements
    up = "raise{} the score" if speaks_for is None else "speak{} for ill"
    assert many == f"age + 3 others {up.format('')}, by 1 to 2."
    assert one == f"size {up.format('s')}, by 0.5 to 0.9."
    assert last.startswith("dose = 2 lowers" if speaks_for is None else "dose = 2 speaks against")
    assert more == ["age + 3 others count more than size.", "size counts more than dose."]
