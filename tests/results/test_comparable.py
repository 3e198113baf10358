"""Fits that are not of the same kind: what is refused, and what is said of the others."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from plots_fakes import make_result

from allrelevant import Comparison, RelevanceRegressor, SurvivalRelevanceRegressor, compare
from allrelevant.datasets import make_survival

PRIVILEGED = {
    "privileged_intervals": [[0.0, 0.1]],
    "privileged_classes": [0],
    "privileged_thresholds": [0.0, 0.2],
}


def result_of(*names, **more):
    return replace(make_result(1, 0, len(names) - 1, names=list(names)), **more)


def fit_of(result, *classes):
    """What `compare` asks of an estimator."""
    return SimpleNamespace(result_=result, classes_=np.array(classes))


def columns_of(**features):
    return {
        name: {"names": own, "signed_intervals": [[0.0, 1.0]] * len(own)}
        for name, own in features.items()
    }


def test_fits_without_a_common_feature_are_refused():
    with pytest.raises(ValueError, match=r"age, dose in one, years, amount in the other; give"):
        compare(result_of("age", "dose"), result_of("years", "amount"))
    with pytest.raises(ValueError, match="'age' and 'AGE' are two names"):
        compare(result_of("age", "dose"), result_of("AGE", "Dose"))
    many = [f"a column with quite a long name, {k}" for k in range(500)]
    with pytest.raises(ValueError, match=r" … in one, years") as caught:
        compare(result_of(*many), result_of("years", "amount"))
    assert len(str(caught.value)) < 400


def test_names_that_differ_in_spelling_alone_are_told():
    found = compare(result_of("age", "body_mass", "+"), result_of("age", "Body mass", "-"))
    said = [one for one in found.remarks if "two names" in one]
    assert said == ["'body_mass' and 'Body mass' are two names: spell them alike to compare them."]
    assert set(found.remarks) <= set(found.verdict())
    assert Comparison.from_json(found.to_json()).remarks == found.remarks


def test_other_classes_are_told():
    one = result_of("age", "dose", settings={"classes": None})
    other = replace(one, settings={"classes": ("low", "high")})
    found = compare(fit_of(one, 1, 2), fit_of(other, "low", "high"))
    assert found.remarks == ("The classes are not the same: 1, 2 before, and low, high after.",)
    assert not found.settings
    assert compare(fit_of(one, 1, 2), fit_of(one, 1, 2)).remarks == ()
    three, four = (replace(one, baseline={"n_classes": n}) for n in (3, 4))
    assert compare(three, four).remarks == ("There are 3 classes before and 4 after.",)
    assert compare(three, three).remarks == ()


def test_features_of_other_columns_are_told():
    was = result_of("town", "age", columns=columns_of(town=["town=a", "town=b", "town=c"]))
    now = result_of("town", "age", columns=columns_of(town=["town=a", "town=b", "town=d"]))
    assert compare(was, was).remarks == ()
    assert compare(was, now).remarks == (
        "town has other columns: town=c only before, town=d only after.",
    )
    parts = result_of("town", "age", columns=columns_of(town=["town=a", "town=b"]))
    assert compare(was, parts).remarks == ("town has other columns: town=c only before.",)
    assert compare(result_of("town", "age"), parts).remarks == (
        "town is one column before and 2 columns (town=a, town=b) after.",
    )


def test_features_that_are_known_in_training_only_are_told():
    first = result_of("age", "dose")
    noted = result_of("age", "size", privileged_names=["dose"], **PRIVILEGED)
    assert compare(first, noted).remarks == (
        "Known in training only after, and not compared: dose.",
    )
    assert compare(noted, first).remarks[0].startswith("Known in training only before")
    assert compare(noted, noted).remarks == ("Known in training only, and not compared: dose.",)


def test_the_loss_is_the_one_that_was_chosen():
    def fit(how, chosen):
        return result_of("age", "dose", settings={"loss": how}, baseline={"loss_name": chosen})

    assert not compare(fit("auto", "hinge"), fit("hinge", "hinge")).settings
    found = compare(fit("auto", "hinge"), fit("auto", "logistic"))
    assert found.settings["loss"] == ("hinge", "logistic")


@pytest.mark.slow
def test_rows_are_the_same_in_any_order_and_beside_other_columns():
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 3))
    y = X @ [1.0, 0.5, 0.0] + 0.1 * random.normal(size=80)
    X -= X.mean(axis=0)  # all that is left of the means is rounding

    def fit(rows, *columns, **how):
        names = [f"x{j}" for j in columns]
        model = RelevanceRegressor(random_state=0, n_probes=10, **how)
        return model.fit(pd.DataFrame(X[rows][:, columns], columns=names), y[rows])

    order = random.permutation(80)
    first = fit(np.arange(80), 0, 1, 2)
    assert first.has_same_rows(fit(order, 2, 1, 0))
    assert first.has_same_rows(fit(order, 0, 1, tolerance=0.5))
    assert not first.has_same_rows(fit(random.integers(80, size=80), 0, 1, 2))
    assert not first.has_same_rows(fit(order[:79], 0, 1, 2))


@pytest.mark.slow
def test_rows_with_times_and_events_are_the_same_in_any_order():
    X, y, _ = make_survival(120, n_strong=1, n_weak=0, n_irrelevant=1, random_state=0)
    order = np.random.default_rng(0).permutation(120)
    first, second, third = (
        SurvivalRelevanceRegressor(random_state=0, n_probes=10, C=1.0).fit(X[rows], y[rows])
        for rows in (np.arange(120), order, order % 60)
    )
    assert first.has_same_rows(second)
    assert not first.has_same_rows(third)
