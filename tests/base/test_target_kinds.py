"""The registry of kinds of targets: everything that speaks of them reads it."""

import inspect
from pathlib import Path

import pytest
from click.testing import CliRunner
from estimator_cases import CASES, TRIED_ALONE
from plots_fakes import make_result

import allrelevant
from allrelevant.base import target_kinds as registry
from allrelevant.base.target_kinds import (
    TargetKind,
    answers_for,
    estimator_class_for,
    target_kinds,
)
from allrelevant.cli.main import cli
from allrelevant.linear.estimators.base import RelevanceEstimator
from allrelevant.views.report import words


def test_every_linear_estimator_answers_for_a_kind_of_target():
    public = {
        value
        for value in (getattr(allrelevant, name) for name in allrelevant.__all__)
        if inspect.isclass(value) and issubclass(value, RelevanceEstimator)
    }
    assert public == {estimator_class_for(task) for task in target_kinds()}


def test_the_conformance_tests_try_every_registered_estimator():
    together = {case.estimator_class for case in CASES.values()}
    assert together.isdisjoint(TRIED_ALONE)
    assert together | set(TRIED_ALONE) == {estimator_class_for(task) for task in target_kinds()}
    for estimator_class, file in TRIED_ALONE.items():
        tests = (Path(__file__).parent.parent / file).read_text()
        assert estimator_class.__name__ in tests
        assert "EveryModel" in tests, "numbers are compared with those of full programs"


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_fit_is_of_the_kind_it_is_registered_for(case):
    result = case.make().fit(*case.data()).result_
    assert estimator_class_for(result.task) is case.estimator_class
    assert target_kinds()[result.task].has_classes != case.is_regression


@pytest.fixture
def another_kind(monkeypatch):
    """A kind of target that is registered for one test."""
    monkeypatch.setattr(registry, "_KINDS", dict(registry._KINDS))
    monkeypatch.setattr(registry, "_ESTIMATORS", dict(registry._ESTIMATORS))

    @answers_for(
        TargetKind("halves", "numbers", taken_for="halves", aim="halve", aim_at="halve {}")
    )
    class Halver:
        pass

    return Halver


def test_a_new_kind_has_its_words_in_reports(another_kind):
    assert estimator_class_for("halves") is another_kind
    result = make_result(1, 1, 1, task="halves")
    assert "Of all the models that halve equally well" in words.question(result)
    assert "Of all the models that halve dose equally well" in words.question(result, "dose")


def test_the_command_line_knows_every_task():
    shown = CliRunner().invoke(cli, ["fit", "--help"]).output
    for task in target_kinds():
        assert task in shown
