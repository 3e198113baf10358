"""Rows that belong together are seen by their order, where nobody has said so."""

from __future__ import annotations

import numpy as np
import pytest

from allrelevant import RelevanceClassifier, RelevanceRegressor
from allrelevant.linear.fit.rows.alike import rows_alike

pytestmark = pytest.mark.filterwarnings("ignore:each row is like the next one:UserWarning")


def patients(random, each, n=40, d=6):
    """Rows of patients, who differ little from one day to the next; a class and a number each."""
    who = np.repeat(np.arange(n), each)
    X = random.standard_normal((n, d))[who] + 0.5 * random.standard_normal((n * each, d))
    return X, (np.arange(n) % 2.0)[random.permutation(n)][who], random.standard_normal(n)[who]


@pytest.mark.parametrize("each", [3, 6])
def test_rows_of_patients_are_alike_and_rows_in_another_order_are_not(each):
    X, label, number = patients(np.random.default_rng(0), each)
    order = np.random.default_rng(1).permutation(len(X))
    for target, has_classes in ((label, True), (number, False)):
        assert len(rows_alike(X, target, has_classes=has_classes)) == 1
        assert not rows_alike(X[order], target[order], has_classes=has_classes)


def test_neither_columns_nor_a_target_alone_are_enough():
    random = np.random.default_rng(2)
    X, label, number = patients(random, 4)
    for target, has_classes in ((label, True), (number, False)):
        mixed = random.permutation(target)
        assert not rows_alike(X, mixed, has_classes=has_classes)
        assert not rows_alike(random.standard_normal(X.shape), target, has_classes=has_classes)


def test_rows_that_were_sorted_by_the_target_say_nothing():
    random = np.random.default_rng(3)
    number = np.sort(random.standard_normal(200))
    X = number[:, None] + 0.3 * random.standard_normal((200, 4))
    assert not rows_alike(X, number, has_classes=False)
    assert not rows_alike(X, (number > 0).astype(float), has_classes=True)


def test_effects_do_not_make_rows_alike():
    random = np.random.default_rng(4)
    target = np.repeat(random.permutation(np.arange(50) % 2.0), 4)  # four of a class in turn
    X = 3.0 * target[:, None] + random.standard_normal((200, 5))
    assert not rows_alike(X, target, has_classes=True)


def test_constant_columns_and_few_rows_say_nothing():
    X, label, _ = patients(np.random.default_rng(5), 4)
    assert not rows_alike(np.ones_like(X), label, has_classes=True)
    assert not rows_alike(X[:40], label[:40], has_classes=True)


def test_a_fit_says_so_unless_somebody_gave_groups_or_splits():
    X, label, number = patients(np.random.default_rng(6), 3)
    who = np.repeat(np.arange(40), 3)
    settings = {"C": 0.1, "tolerance": 0.01, "n_probes": 10, "random_state": 0}
    for model, y in (
        (RelevanceClassifier(**settings), label),
        (RelevanceRegressor(**settings), number),
    ):
        told = [line for line in model.fit(X, y).result_.warnings if "like the next one" in line]
        assert len(told) == 1
        assert "say which do by groups" in told[0]
        given = model.fit(X, y, groups=who).result_.warnings
        assert not any("like the next one" in line for line in given)
