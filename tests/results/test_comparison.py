"""Two fits compared: what has changed, how often by mistake, and how it is said."""

from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from plots_fakes import make_result
from scipy.stats import norm

from allrelevant import (
    Comparison,
    ComparisonDisplay,
    RelevanceClassifier,
    StabilityResult,
    compare,
)
from allrelevant.datasets import make_classification

mpl.use("Agg")


def result_of(z, strong=(), **more):
    """A result whose features reach so many standard deviations beyond noise."""
    z = np.asarray(z, dtype=float)
    p = norm.sf(z)
    classes = np.where(p <= 0.025, 1, 0)
    classes[list(strong)] = 2
    ends = np.column_stack([np.where(classes == 2, 0.1, 0.0), 0.2 + 0.05 * np.maximum(z, 0)])
    made = make_result(0, 0, len(z), names=[f"x{j}" for j in range(len(z))], intervals=ends)
    known = {"p_values": p, "q_values": p, "borderline": np.zeros(len(z), dtype=bool)}
    return replace(made, classes=classes, **(known | more))


@pytest.mark.slow
def test_where_nothing_has_changed_few_changes_count():
    # The z-values of features at the threshold, where changes of class are most frequent.
    random, n = np.random.default_rng(0), 4000
    one, other = (result_of(random.normal(1.96, 1.0, n)) for _ in range(2))
    found = compare(one, other)
    assert sum(map(bool, found.changes)) > 0.45 * n  # about half of them are on another side
    assert 0.03 < found.is_beyond_noise.mean() < 0.06
    # Noise, and what is clearly relevant, is hardly ever mistaken.
    for mean in (0.0, 4.0):
        one, other = (result_of(random.normal(mean, 1.0, n)) for _ in range(2))
        assert compare(one, other).is_beyond_noise.mean() < 0.03


def test_what_has_changed_is_found_and_said():
    found = compare(result_of([6, 5, 0.5, 2.2, 1.0]), result_of([6, 0.1, 5, 1.8, 1.1]))
    assert found.changed == ("x1", "x2")
    words = ("", "has become irrelevant", "has become relevant", "has become irrelevant", "")
    assert found.changes == words
    assert found.verdict() == [
        "x1 has become irrelevant; x2 has become relevant.",
        "Another class, but no more than noise could do: x3.",
    ]
    frame = found.to_frame(sort=True)
    assert list(frame["feature"][:3]) == ["x1", "x2", "x3"]
    z = (5 - 0.1) / np.sqrt(2)
    assert frame["p_change"].iloc[0] == pytest.approx(2 * norm.sf(z))
    assert "beyond noise" in repr(found)
    assert "could be noise" in repr(found)


def test_two_classes_and_three_have_no_relevance_in_common():
    two = result_of([6, 1, 1])
    three = replace(two, signed_intervals=np.full((3, 2), np.nan))
    for pair, said in (((two, three), "two classes, b of several"), ((three, two), "several")):
        with pytest.raises(ValueError, match=f"a is a fit of {said}"):
            compare(*pair)
    assert compare(three, three).changed == ()


def halves(shares, n=40):
    table = np.array([[2 if k < share * n else 1 for share in shares] for k in range(n)])
    names = [f"x{j}" for j in range(len(shares))]
    return StabilityResult(
        task="classification", names=names, classes=table[0], halves=table, groups={}
    )


def test_strong_and_weak_need_halves():
    one, other = result_of([5, 5, 5], strong=[0, 1]), result_of([5, 5, 5], strong=[2])
    bare = compare(one, other)
    assert bare.changed == ()
    assert np.isnan(bare.p_values).all()
    assert "no longer strong" in bare.changes[0]
    found = compare(one, other, stability=(halves([1, 0.6, 0]), halves([0, 0.4, 1])))
    assert found.changed == ("x0", "x2")


def test_the_same_rows_leave_only_shuffled_columns_to_chance():
    either = np.array([False, True, False])
    one, other = result_of([2.5, 2.1, 5]), result_of([1.5, 1.8, 5], borderline=either)
    assert compare(one, other).changed == ()
    found = compare(one, other, same_rows=True)
    assert found.changed == ("x0",)
    assert "same rows" in found.verdict()[-1]


def test_features_of_one_fit_only_are_listed_and_never_count():
    one, other = result_of([5, 5]), result_of([5, 5, 5])
    found = compare(other, one)
    assert found.before[2], found.after[2] == ("weak", "absent")
    assert found.changes[2] == "is not there any more"
    assert compare(one, other).changes[2] == "was not there before"
    assert compare(one, other).changed == ()
    assert np.isnan(found.intervals_after[2]).all()
    assert found.is_in_both == (True, True, False)
    assert found.judgements == ("", "", "")
    assert "noise could do" not in " ".join(found.verdict())
    assert "Not compared, because they are only in the fit before: x2." in found.verdict()
    assert "could be noise" not in repr(found)
    assert "only in the fit after: x2." in " ".join(compare(one, other).verdict())


def test_it_survives_json_and_is_drawn_and_written(tmp_path):
    found = compare(result_of([6, 5, 0.5]), result_of([6, 0.1]))
    assert Comparison.from_json(found.to_json()) == found
    display = ComparisonDisplay.from_result(found)
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert labels == ["x1", "x2", "x0"]
    widths = sorted(round(bar.get_width(), 6) for bar in display.ax_.patches)
    ends = np.concatenate([found.intervals_before, found.intervals_after[:2]])
    np.testing.assert_allclose(widths, np.sort(ends[:, 1] - ends[:, 0]), atol=1e-6)
    text = found.report(tmp_path / "page.html", before="<spring>", after="autumn").read_text(
        "utf-8"
    )
    assert "x1 has become irrelevant." in text
    assert "&lt;spring&gt;" in text
    assert "nan to nan" not in text
    assert text.count("<tr class=") == 3
    with pytest.raises(TypeError, match="result must be a Comparison"):
        ComparisonDisplay(result_of([1.0]))


def test_the_legend_names_classes_that_none_has_any_more_and_none_of_its_bars_is_pale():
    found = compare(result_of([6, 5], strong=[0]), result_of([6, 5]))
    legend = ComparisonDisplay.from_result(found).ax_.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["strong", "weak"]
    assert [bar.get_alpha() for bar in legend.get_patches()] == [None, None]


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(TypeError, match="a must be a fitted linear relevance estimator"):
        compare(3, result_of([1.0]))
    with pytest.raises(ValueError, match="a is a fit for regression and b one for classification"):
        compare(replace(result_of([1.0]), task="regression"), result_of([1.0]))


@pytest.mark.slow
def test_fits_of_real_estimators():
    X, y, _ = make_classification(
        300, n_strong=2, n_weak=2, n_irrelevant=4, label_noise=0.05, random_state=0
    )
    first = RelevanceClassifier(random_state=0).fit(X[:150], y[:150])
    other = X[150:].copy()
    other[:, 0] = np.random.default_rng(0).permutation(other[:, 0])  # it has lost its meaning
    second = RelevanceClassifier(random_state=0).fit(other, y[150:])
    assert not first.has_same_rows(second)
    assert compare(first, second).changed == ("x0",)
    enough = 2.0 * first.needed_up_to_[1]
    with pytest.warns(UserWarning, match="no feature is strong"):
        wide = RelevanceClassifier(random_state=0, tolerance=enough).fit(X[:150, :7], y[:150])
    assert first.has_same_rows(wide)
    found = first.compare(wide)
    assert found.same_rows
    assert "x1" in found.changed
    assert found.changes[-1] == "is not there any more"
    assert found.settings["tolerance"][1] == pytest.approx(enough, rel=0.01)
