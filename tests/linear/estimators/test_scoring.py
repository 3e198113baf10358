"""Scores for the choice of C: scorers are given labels and units as people have them."""

from __future__ import annotations

import numpy as np
import pytest
from estimator_cases import CASES, every_case, label_cases
from sklearn.metrics import accuracy_score, make_scorer, mean_absolute_error

from allrelevant.linear.estimators.scoring import FoldScorer
from allrelevant.linear.fit.baseline.candidate import Choice
from allrelevant.linear.fit.baseline.candidate import Tested as Part
from allrelevant.linear.fit.rows.sample import Sample
from allrelevant.linear.models import Classification, Ordinal, Regression

# Folds by hand


def choice(model, parts):
    """Test rows of each fold as (scores, offsets)."""
    tested, start = [], 0
    for scores, offsets in parts:
        rows = np.arange(start, start + len(scores))
        start += len(scores)
        tested.append(
            Part(rows, TARGETS[model][rows], np.array(scores), np.array(offsets), COUNT[rows])
        )
    return Choice(model, 1.0, np.zeros(6), SAMPLES[model].observations, 1.0, tuple(tested))


COUNT = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
TWO, NUMBER, THREE = Classification(), Regression(0.1), Ordinal(3)
TARGETS = {
    TWO: np.array([-1.0, 1.0, 1.0, -1.0, 1.0, -1.0]),
    NUMBER: np.array([0.0, 1.0, 2.0, -1.0, 0.5, 0.0]),
    THREE: np.array([0.0, 1.0, 2.0, 0.0, 1.0, 2.0]),
}
SAMPLES = {
    model: Sample(np.arange(12.0).reshape(6, 2), target, COUNT, COUNT)
    for model, target in TARGETS.items()
}
WORDS = np.array(["no", "yes"])
RANKS = np.array(["low", "mid", "top"])


def of_two(scoring):
    return FoldScorer(scoring, SAMPLES[TWO], lambda codes: WORDS[(codes > 0).astype(int)], WORDS)


def of_three(scoring):
    return FoldScorer(scoring, SAMPLES[THREE], lambda codes: RANKS[codes.astype(int)], RANKS)


PARTS = [([-2.0, 0.3, 1.0], [-0.5]), ([0.2, 0.9, -1.0], [0.0])]


def test_labels_are_those_of_the_caller():
    seen = []

    def scorer(estimator, X, y):
        seen.append((X, y, estimator.predict(X), estimator.decision_function(X)))
        assert estimator.classes_.tolist() == ["no", "yes"]
        return accuracy_score(y, estimator.predict(X))

    scores = of_two(scorer)(choice(TWO, PARTS))
    np.testing.assert_allclose(scores, [2 / 3, 2 / 3])
    (X, y, predicted, decision), second = seen
    np.testing.assert_array_equal(X, [[0, 1], [2, 3], [4, 5]])
    assert y.tolist() == ["no", "yes", "yes"]
    assert predicted.tolist() == ["no", "no", "yes"]
    np.testing.assert_allclose(decision, [-2.5, -0.2, 0.5])
    assert second[1].tolist() == ["no", "yes", "no"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("accuracy", [2 / 3, 2 / 3]), ("roc_auc", [1.0, 1.0]), ("balanced_accuracy", [0.75, 0.75])],
)
def test_names_are_scikit_learns(name, expected):
    np.testing.assert_allclose(of_two(name)(choice(TWO, PARTS)), expected)


def test_numbers_are_in_the_units_of_the_caller():
    scorer = FoldScorer("neg_mean_absolute_error", SAMPLES[NUMBER], lambda codes: 10 * codes + 3)
    parts = [([0.1, 1.1, 2.1], [0.1]), ([-1.0, 0.5, 0.5], [0.0])]
    np.testing.assert_allclose(scorer(choice(NUMBER, parts)), [-2.0, -10 * 0.5 / 3])


def test_ordered_classes_are_predicted_by_their_thresholds():
    parts = [([-1.0, 0.5, 0.9], [0.0, 0.8]), ([0.1, 0.7, 2.0], [0.0, 0.8])]
    np.testing.assert_allclose(of_three("accuracy")(choice(THREE, parts)), [1.0, 2 / 3])
    seen = []

    def scorer(estimator, X, y):
        seen.append((y.tolist(), estimator.predict(X).tolist(), estimator.decision_function(X)))
        return 0.0

    of_three(scorer)(choice(THREE, parts))
    assert seen[1][:2] == (["low", "mid", "top"], ["mid", "mid", "top"])
    assert seen[0][2].shape == (3, 3)
    assert seen[0][2].argmax(axis=1).tolist() == [0, 1, 2]


def test_rows_count_as_often_as_they_were_observed():
    count = np.array([1.0, 2.0, 1.0, 1.0, 1.0, 1.0])
    weighted = FoldScorer(
        "accuracy",
        Sample(SAMPLES[TWO].X, TARGETS[TWO], count, count),
        lambda codes: WORDS[(codes > 0).astype(int)],
        WORDS,
    )
    candidate = choice(TWO, PARTS)
    parts = [Part(p.rows, p.target, p.scores, p.offsets, count[p.rows]) for p in candidate.tested]
    candidate = Choice(TWO, 1.0, np.zeros(6), SAMPLES[TWO].observations, 1.0, tuple(parts))
    np.testing.assert_allclose(weighted(candidate), [0.5, 2 / 3])


def test_a_scorer_that_needs_what_there_is_not_is_refused():
    with pytest.raises(ValueError, match="scoring='neg_log_loss' cannot be computed here"):
        of_two("neg_log_loss")(choice(TWO, PARTS))


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match=r"gives nan for a fold: use another one"):
        of_two(lambda estimator, X, y: np.nan)(choice(TWO, PARTS))


def test_a_scorer_has_to_ask_about_the_fold():
    def scorer(estimator, X, y):
        return accuracy_score(y[:1], estimator.predict(X[:1]))

    with pytest.raises(ValueError, match="samples of one fold, all of them at once"):
        of_two(scorer)(choice(TWO, PARTS))


def test_fold_models_are_fitted_estimators():
    def scorer(estimator, X, y):
        assert estimator.fit(X, y) is estimator
        return make_scorer(accuracy_score)(estimator, X, y)

    assert of_two(scorer)(choice(TWO, PARTS)).shape == (2,)


# In a fit


@pytest.mark.slow
@every_case
@pytest.mark.parametrize("scoring", ["loss", "score"])
def test_own_words_choose_by_loss_or_score(case, scoring):
    X, y = case.data()
    model = case.make(C="cv", tolerance=0.05, scoring=scoring, rule="best").fit(X, y)
    assert model.result_.settings["scoring"] == scoring
    assert model.C_ > 0


@pytest.mark.slow
@label_cases
@pytest.mark.parametrize("scoring", ["balanced_accuracy", make_scorer(accuracy_score)])
def test_names_and_functions_choose_c_for_classes(case, scoring):
    X, y = case.data()
    words = np.array(["a", "b", "c"])[y]
    extra = {"classes": ["a", "b", "c"]} if case.is_ordinal else {}
    model = case.make(C="cv", tolerance=0.05, scoring=scoring, **extra).fit(X, words)
    assert model.C_ > 0
    assert model.result_.baseline["n_used"] > 0


@pytest.mark.slow
def test_rare_classes_keep_their_labels():
    """They are merged while C is sought, but not where somebody's scorer is asked."""
    random = np.random.default_rng(0)
    y = np.repeat([0, 1, 2, 3], [30, 30, 2, 30])
    X = np.column_stack([y + 0.1 * random.normal(size=92), random.normal(size=92)])
    scores = []

    def scorer(estimator, X, y):
        scores.append(accuracy_score(y, estimator.predict(X)))
        return scores[-1]

    CASES["ordinal-explicit"].make(C="cv", scoring=scorer).fit(X, y)
    assert max(scores) > 0.95, "as good as the classes can be told"


@pytest.mark.slow
def test_a_score_chooses_what_has_the_best_of_it():
    case = CASES["regression"]
    X, y = case.data()
    seen = {}

    def scorer(estimator, X, y):
        error = mean_absolute_error(y, estimator.predict(X))
        seen.setdefault("spread", []).append(np.std(y))
        return -error

    by_function = case.make(C="cv", scoring=scorer).fit(X, 100.0 * y)
    by_name = case.make(C="cv", scoring="neg_mean_absolute_error").fit(X, 100.0 * y)
    assert by_function.C_ == by_name.C_
    assert np.mean(seen["spread"]) == pytest.approx(100.0 * y.std(), rel=0.2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no learnable signal:UserWarning")
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_a_score_can_change_the_choice():
    case = CASES["classification"]
    X, y = case.data(noise=0.6)

    def sparsest(estimator, X, y):
        return -float(np.std(estimator.decision_function(X)))

    assert case.make(C="cv", scoring=sparsest).fit(X, y).result_.baseline["n_used"] == 0
    assert case.make(C="cv").fit(X, y).result_.baseline["n_used"] > 0


@pytest.mark.parametrize("scoring", [3, ["accuracy"], True])
def test_what_is_no_score_is_refused(scoring):
    case = CASES["classification"]
    with pytest.raises(ValueError, match="scoring must be None, 'loss', 'deviance', 'score'"):
        case.make(scoring=scoring).fit(*case.data())


def test_unknown_names_are_refused_with_a_list():
    case = CASES["classification"]
    with pytest.raises(ValueError, match="'acuracy' is not a valid scoring"):
        case.make(scoring="acuracy").fit(*case.data())


def test_scorers_of_probabilities_are_refused_as_there_are_none():
    case = CASES["classification"]
    with pytest.raises(ValueError, match="cannot be computed here"):
        case.make(C="cv", scoring="neg_log_loss").fit(*case.data())


def test_rules_are_checked():
    case = CASES["classification"]
    with pytest.raises(ValueError, match="rule"):
        case.make(rule="two-se").fit(*case.data())
