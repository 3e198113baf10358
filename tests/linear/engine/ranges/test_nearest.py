"""The least by which budgets have to be widened, against full elastic programs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import MODELS as PLAIN_MODELS
from helpers import encode, equivalent_models, with_columns
from oracle import elastic, units_of
from privileged_cases import DATA, MODELS, hard_and_easy, oracle_of, worked

from allrelevant.linear.engine.program.optimum import SolverError
from allrelevant.linear.engine.ranges.nearest import Nearest, nearest_member
from allrelevant.linear.engine.simplex.excess import ExcessProgram

every_budget = pytest.mark.parametrize("budget", ["split", "joint"])


def keeps(models, near, slack=1e-6):
    """Whether a nearest model keeps the widened budgets and all hard pieces."""
    pieces = models.pieces
    residuals = pieces.residuals(models.X.scores(near.weights), near.offsets)
    norm, side, _ = models.norms(near.weights)
    loss = pieces.loss_of(residuals)
    spent = [b.norm * norm + b.side * side + b.loss * loss for b in models.budgets]
    limits = models.limits + near.excess * units_of(models)
    return pieces.violation(residuals) <= slack and (spent <= limits + slack * (1 + limits)).all()


def narrowed(models, factors):
    budgets = [replace(b, limit=b.limit * f) for b, f in zip(models.budgets, factors, strict=False)]
    return replace(models, budgets=tuple(budgets))


@pytest.mark.slow
@every_budget
@pytest.mark.parametrize("data", DATA, ids=lambda data: data.__name__)
@pytest.mark.parametrize("name", MODELS)
def test_narrower_budgets_with_privileged_features(name, data, budget):
    this = worked(name, data, C=0.5, budget=budget)
    models = narrowed(this.models, (0.6, 0.9, 0.7))
    near = nearest_member(models)
    assert near.excess == pytest.approx(
        this.oracle.least_excess(models.budgets, units_of(models)), abs=1e-7
    )
    assert near.is_member == (near.excess < 1e-8)
    assert keeps(models, near)


@pytest.mark.slow
def test_many_of_them_have_no_member():
    excess = [
        nearest_member(narrowed(worked(name, data, C=0.5).models, (0.6, 0.9, 0.7))).excess
        for name in MODELS
        for data in DATA
    ]
    assert sum(value > 0.01 for value in excess) > len(excess) / 2


@pytest.mark.parametrize("privileged", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_columns_that_have_become_useless(name, privileged):
    """As for probes that take the place of a feature."""
    this = worked(name, hard_and_easy, C=0.5, gamma=0.3, tolerance=0.05)
    sample, random = this.problem.sample, np.random.default_rng(5)
    table = (sample.privileged if privileged else sample.X.dense()).copy()
    table[:, 0] = random.permutation(table[:, 0])
    changed = replace(sample, **{"privileged" if privileged else "X": table})
    problem = replace(this.problem, sample=changed)
    models = replace(
        this.models,
        X=problem.matrix,
        reference=replace(this.models.reference, row_duals=None),
    )
    near = nearest_member(models)
    expected = oracle_of(problem.model, changed).least_excess(models.budgets, units_of(models))
    assert near.excess == pytest.approx(expected, abs=1e-7)
    assert keeps(models, near)


def test_a_reference_within_the_budgets_is_its_own_nearest_member():
    for name in MODELS:
        near = nearest_member(worked(name, hard_and_easy, C=0.5).models)
        assert near.is_member
        assert near.excess == pytest.approx(0.0, abs=1e-8)


@every_budget
@pytest.mark.parametrize("name", PLAIN_MODELS)
def test_plain_models_without_their_best_feature(name, budget):
    random = np.random.default_rng(list(PLAIN_MODELS).index(name))
    X = random.normal(size=(50, 5))
    target = encode(PLAIN_MODELS[name], X[:, :3] @ [2.0, -1.0, 0.3] + 0.5 * random.normal(size=50))
    models = equivalent_models(PLAIN_MODELS[name], X, target, 0.3, 0.01, budget)
    changed = X.copy()
    changed[:, 0] = 0.0
    models = with_columns(models, changed)
    models = replace(models, reference=replace(models.reference, row_duals=None))
    near = nearest_member(models)
    assert near.excess > 0.01
    assert not near.is_member
    assert near.excess == pytest.approx(elastic(models), abs=1e-7)
    assert keeps(models, near)


def test_one_program_is_enough_where_nothing_was_in_its_way(monkeypatch):
    """Its own multipliers prove the answer within the wider budgets, too."""
    models, solved = narrowed(equivalent_for_nearest(), (0.9, 0.9)), []
    solve = ExcessProgram.solve

    def counted(self, *arguments, **settings):
        solved.append(self)
        return solve(self, *arguments, **settings)

    monkeypatch.setattr(ExcessProgram, "solve", counted)
    near = nearest_member(models)
    assert near.excess == pytest.approx(elastic(models), abs=1e-7)
    assert near.excess > 0.01
    assert len(solved) == 1


def equivalent_for_nearest():
    random = np.random.default_rng(0)
    X = random.normal(size=(50, 5))
    target = encode(PLAIN_MODELS["classification"], X[:, 0] + random.normal(size=50))
    return equivalent_models(PLAIN_MODELS["classification"], X, target, 0.3, 0.01)


def test_a_member_that_cannot_be_proven_ends_the_search(monkeypatch):
    """A search that gets no nearer must not be tried again and again."""
    models = worked("classification", hard_and_easy, C=0.5).models
    calls = []

    class Undecided:
        def __init__(self, models, units, given=0.0):
            self.latest = Nearest(0.0, models.reference.weights, models.reference.offsets)

        def settled(self, *, proven=True, enough=0.0):
            calls.append(proven)
            if proven:
                assert len(calls) < 9, "again and again"
                raise SolverError("in doubt")
            return replace(self.latest, excess=1.0)

        def is_proven_within(self, wider, found):
            return False

    monkeypatch.setattr("allrelevant.linear.engine.ranges.nearest._Search", Undecided)
    with pytest.raises(SolverError, match="in doubt"):
        nearest_member(models)
