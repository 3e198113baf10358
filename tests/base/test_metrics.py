import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error

from allrelevant.base.metrics import macro_mean_absolute_rank_error, mean_absolute_rank_error

METRICS = [mean_absolute_rank_error, macro_mean_absolute_rank_error]
every_metric = pytest.mark.parametrize("metric", METRICS)
ranks = st.integers(0, 4)
labelled = st.lists(st.tuples(ranks, ranks, st.integers(0, 3)), min_size=1, max_size=30).filter(
    lambda rows: any(weight for _, _, weight in rows)
)


def split(rows):
    return (np.array(column) for column in zip(*rows, strict=True))


def test_mean_by_hand():
    assert mean_absolute_rank_error([0, 1, 2, 2], [0, 2, 0, 2]) == 0.75
    weighted = mean_absolute_rank_error([0, 1, 2, 2], [0, 2, 0, 2], sample_weight=[1, 1, 4, 2])
    assert weighted == pytest.approx(9 / 8)


def test_macro_by_hand():
    # Within the classes 0, 1 and 2 the errors are 0, 1 and 1; weighted 0, 1 and 4/3.
    y_true, y_pred = [0, 0, 0, 1, 2, 2], [0, 0, 0, 2, 0, 2]
    assert macro_mean_absolute_rank_error(y_true, y_pred) == pytest.approx(2 / 3)
    weighted = macro_mean_absolute_rank_error(y_true, y_pred, sample_weight=[1, 1, 9, 1, 4, 2])
    assert weighted == pytest.approx((0 + 1 + 4 / 3) / 3)


@pytest.mark.slow
@given(labelled)
def test_mean_agrees_with_the_mean_absolute_error_of_ranks(rows):
    y_true, y_pred, weight = split(rows)
    expected = mean_absolute_error(y_true, y_pred, sample_weight=weight)
    got = mean_absolute_rank_error(y_true, y_pred, sample_weight=weight, classes=range(5))
    assert got == pytest.approx(expected)


@pytest.mark.slow
@given(labelled)
def test_macro_is_the_average_over_the_true_classes(rows):
    y_true, y_pred, weight = split(rows)
    within = [
        mean_absolute_error(y_true[own], y_pred[own], sample_weight=weight[own])
        for own in (y_true == label for label in range(5))
        if weight[own].any()
    ]
    got = macro_mean_absolute_rank_error(y_true, y_pred, sample_weight=weight, classes=range(5))
    assert got == pytest.approx(np.mean(within))


@pytest.mark.slow
@every_metric
@given(rows=labelled)
def test_whole_weights_are_repetitions(metric, rows):
    y_true, y_pred, weight = split(rows)
    repeated = metric(np.repeat(y_true, weight), np.repeat(y_pred, weight), classes=range(5))
    assert metric(y_true, y_pred, sample_weight=weight, classes=range(5)) == pytest.approx(repeated)


@pytest.mark.slow
@every_metric
@given(rows=labelled)
def test_only_the_order_of_the_labels_matters(metric, rows):
    y_true, y_pred, _ = split(rows)
    expected = metric(y_true, y_pred)
    gapped = np.array([-7.5, 0, 1, 10, 1000])
    words = np.array(["a", "b", "c", "d", "e"])
    for labels in (gapped, words, words.astype(object)):
        assert metric(labels[y_true], labels[y_pred]) == expected


@pytest.mark.slow
@every_metric
@given(rows=labelled)
def test_reversing_the_classes_changes_nothing(metric, rows):
    y_true, y_pred, _ = split(rows)
    forward = metric(y_true, y_pred, classes=[0, 1, 2, 3, 4])
    assert metric(y_true, y_pred, classes=[4, 3, 2, 1, 0]) == pytest.approx(forward)


@every_metric
def test_labels_with_gaps_are_ranked(metric):
    assert metric([1, 2, 10], [10, 2, 10]) == pytest.approx(2 / 3)


@every_metric
def test_classes_seen_only_in_the_predictions_have_a_rank(metric):
    assert metric([1, 3], [2, 3]) == 0.5
    assert metric([1, 3], [3, 3]) == 0.5
    assert metric([1, 3], [3, 2]) == 1.5


@every_metric
def test_given_classes_set_order_and_distance(metric):
    sizes = ["small", "medium", "large", "huge"]
    assert metric(["small", "huge"], ["large", "huge"], classes=sizes) == 1.0
    assert metric(["small", "huge"], ["large", "huge"]) == 0.5  # alphabetical: huge, large, small
    assert metric([1, 3], [3, 3], classes=[1, 2, 3]) == 1.0


@every_metric
def test_classes_may_be_a_pandas_index(metric):
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    y_true, y_pred = pd.Series(["low", "high"], dtype=kind), pd.Series(["high", "high"], dtype=kind)
    assert metric(y_true, y_pred, classes=kind.categories) == 1.0


@every_metric
def test_the_result_is_a_plain_float(metric):
    assert type(metric(pd.Series([0, 1]), np.array([0, 0]))) is float


@every_metric
@pytest.mark.parametrize(
    ("y_true", "y_pred", "options", "message"),
    [
        ([0, 1], [0], {}, "inconsistent numbers of samples"),
        ([], [], {}, "y_true is empty"),
        ([[0, 1]], [[0, 1]], {}, "1d array"),
        ([0, 1], [0, np.nan], {}, "missing labels"),
        (["a", None], ["a", "a"], {"classes": ["a", "b"]}, "missing labels"),
        ([0, 7, 8, 7], [0] * 4, {"classes": [0, 1]}, r"y_true has labels \[7, 8\].*\[0, 1\]"),
        (["a"], ["x"], {"classes": ["a", "b"]}, r"y_pred has labels \['x'\]"),
        ([0], [0], {"classes": ["0", "1"]}, r"y_true has labels \[0\]"),
        ([0, 1], [0, 1], {"classes": [0, 1, 0]}, r"classes lists \[0\] more than once"),
        ([0, 1], [0, 1], {"sample_weight": [1]}, r"sample_weight has shape \(1,\)"),
        ([0, 1], [0, 1], {"sample_weight": [1, -1]}, "sample_weight must be finite"),
        ([0, 1], [0, 1], {"sample_weight": [1, np.nan]}, "sample_weight must be finite"),
        ([0, 1], [0, 1], {"sample_weight": [0, 0]}, "not 0 for all"),
    ],
)
def test_unusable_input_is_named(metric, y_true, y_pred, options, message):
    with pytest.raises(ValueError, match=message):
        metric(y_true, y_pred, **options)
