"""Weights of samples and classes, and the order of rows."""

import numpy as np
import pytest
from estimator_cases import binary_cases, every_case, label_cases


def repeated_rows(X, y, counts):
    return np.repeat(X, counts, axis=0), np.repeat(y, counts)


@pytest.mark.slow
@every_case
@pytest.mark.parametrize(("C", "standardize"), [("cv", True), (1.0, False)])
@pytest.mark.filterwarnings("ignore:each row is like the next one:UserWarning")
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_weight_two_is_the_row_twice(case, C, standardize):
    X, y = case.data()
    counts = np.random.default_rng(0).integers(0, 4, len(X))  # 0: as if the row were not there
    parameters = {"C": C, "standardize": standardize, "n_probes": 10}
    weighted = case.make(**parameters).fit(X, y, sample_weight=counts)
    repeated = case.make(**parameters).fit(*repeated_rows(X, y, counts))
    np.testing.assert_allclose(weighted.C_, repeated.C_, rtol=1e-9)
    np.testing.assert_allclose(weighted.tolerance_, repeated.tolerance_, rtol=1e-6)
    np.testing.assert_allclose(weighted.intervals_, repeated.intervals_, atol=1e-7)
    np.testing.assert_allclose(weighted.result_.thresholds, repeated.result_.thresholds, atol=1e-7)
    np.testing.assert_array_equal(weighted.relevance_classes_, repeated.relevance_classes_)
    np.testing.assert_allclose(np.ravel(weighted.coef_), np.ravel(repeated.coef_), atol=1e-6)
    plain = case.make(**parameters).fit(X, y)
    assert np.abs(plain.intervals_ - weighted.intervals_).max() > 1e-4, "weights matter"


@pytest.mark.slow
@every_case
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_weights_of_one_are_no_weights(case):
    X, y = case.data()
    plain = case.fitted(C="cv")
    ones = case.make(C="cv").fit(X, y, sample_weight=np.ones(len(X)))
    np.testing.assert_array_equal(plain.intervals_, ones.intervals_)


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("C", [1.0, "cv"])
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_order_of_the_rows_does_not_matter(case, C):
    X, y = case.data()
    order = np.random.default_rng(0).permutation(len(X))
    one, two = case.fitted(C=C), case.make(C=C).fit(X[order], y[order])
    np.testing.assert_allclose(one.C_, two.C_, rtol=1e-9)
    np.testing.assert_allclose(one.intervals_, two.intervals_, atol=1e-7)
    np.testing.assert_allclose(one.result_.thresholds, two.result_.thresholds, atol=1e-7)
    np.testing.assert_array_equal(one.relevance_classes_, two.relevance_classes_)


@pytest.mark.slow
@label_cases
def test_class_weight_mapping_weighs_the_loss(case):
    X, y = case.data()
    parameters = {"standardize": False, "tolerance": 0.01}
    mapped = case.make(class_weight={0: 3.0}, **parameters).fit(X, y)
    weighted = case.plain(**parameters).fit(X, y, sample_weight=np.where(y == 0, 3.0, 1.0))
    np.testing.assert_allclose(mapped.intervals_, weighted.intervals_, atol=1e-7)
    assert mapped.result_.baseline["loss"] == pytest.approx(weighted.result_.baseline["loss"])
    plain = case.plain(**parameters).fit(X, y)
    assert np.abs(mapped.intervals_ - plain.intervals_).max() > 1e-4


def unequal(case, **changes):
    """Two thirds of the lowest class are missing."""
    X, y = case.data(**changes)
    keep = (y != 0) | (np.arange(len(y)) % 3 == 0)
    return X[keep], y[keep]


@pytest.mark.slow
@label_cases
def test_balanced_class_weight_is_inverse_to_frequency(case):
    X, y = unequal(case)
    labels, counts = np.unique(y, return_counts=True)
    by_hand = {label: len(y) / (len(labels) * n) for label, n in zip(labels, counts, strict=True)}
    balanced = case.make(class_weight="balanced", tolerance=0.01).fit(X, y)
    mapped = case.make(class_weight=by_hand, tolerance=0.01).fit(X, y)
    np.testing.assert_allclose(balanced.intervals_, mapped.intervals_, atol=1e-7)
    plain = case.plain(tolerance=0.01).fit(X, y)
    assert np.abs(balanced.intervals_ - plain.intervals_).max() > 1e-4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:predictions are:UserWarning")
@label_cases
def test_automatic_class_weight_is_inverse_to_frequency_or_to_its_root(case):
    X, y = unequal(case)
    labels, counts = np.unique(y, return_counts=True)
    factors = counts ** (-0.5 if case.is_ordinal else -1.0)
    factors *= len(y) / (factors @ counts)  # all together weigh as much as before
    by_hand = dict(zip(labels.tolist(), factors.tolist(), strict=True))
    automatic = case.make(tolerance=0.01).fit(X, y)
    mapped = case.make(class_weight=by_hand, tolerance=0.01).fit(X, y)
    np.testing.assert_allclose(automatic.intervals_, mapped.intervals_, atol=1e-7)
    assert automatic.result_.baseline["loss"] == pytest.approx(mapped.result_.baseline["loss"])


@pytest.mark.slow
@binary_cases
@pytest.mark.parametrize("C", [1.0, "cv"])
def test_automatic_and_balanced_weights_find_the_same_but_for_the_offset(case, C):
    X, y = unequal(case, n_samples=150, noise=0.6)
    automatic = case.make(C=C).fit(X, y)
    balanced = case.make(C=C, class_weight="balanced").fit(X, y)
    assert automatic.C_ == balanced.C_
    np.testing.assert_array_equal(automatic.intervals_, balanced.intervals_)
    np.testing.assert_array_equal(automatic.relevance_classes_, balanced.relevance_classes_)
    np.testing.assert_array_equal(automatic.p_values_, balanced.p_values_)
    np.testing.assert_array_equal(automatic.coef_, balanced.coef_)
    assert balanced.offset_shift_ == 0.0
    assert automatic.offset_shift_ != 0.0
    np.testing.assert_allclose(automatic.intercept_ - balanced.intercept_, automatic.offset_shift_)
    # The frequent class is the second one.
    assert automatic.offset_shift_ > 0
    assert (automatic.predict(X) == 1).mean() > (balanced.predict(X) == 1).mean()
    assert automatic.result_.baseline["scores"]["AUC"] == pytest.approx(
        balanced.result_.baseline["scores"]["AUC"]
    )


@pytest.mark.slow
@label_cases
def test_classes_of_one_size_need_no_weights_and_no_shift(case):
    X, y = case.data()
    few = min(np.bincount(y))
    rows = np.concatenate([np.flatnonzero(y == k)[:few] for k in np.unique(y)])
    automatic, plain = case.make().fit(X[rows], y[rows]), case.plain().fit(X[rows], y[rows])
    np.testing.assert_allclose(automatic.intervals_, plain.intervals_, atol=1e-9)
    assert automatic.offset_shift_ == plain.offset_shift_ == 0.0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the classes of y are words:UserWarning")
@label_cases
def test_class_weight_names_classes_by_their_labels(case):
    X, y = case.data()
    words = np.array(["a", "b", "c"])[y]
    by_word = case.make(class_weight={"a": 3.0}).fit(X, words)
    by_code = case.make(class_weight={0: 3.0}).fit(X, y)
    np.testing.assert_allclose(by_word.intervals_, by_code.intervals_, atol=1e-9)
