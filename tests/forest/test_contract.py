"""The forest estimators keep scikit-learn's contract."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from allrelevant import ForestRelevanceClassifier, ForestRelevanceRegressor

QUICK = {"random_state": 0, "max_blocks": 2}


@parametrize_with_checks(
    [
        ForestRelevanceClassifier(**QUICK),
        ForestRelevanceClassifier(ordinal=True, **QUICK),
        ForestRelevanceRegressor(**QUICK),
    ]
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)
