"""What can be asked of three classes, against full programs."""

from itertools import combinations

import numpy as np
import pytest
from class_programs import fitted_to, programs_of, three_classes

from allrelevant import compare, load
from allrelevant.linear.questions.sets.trade_offs import ClassTradeOffs, trade_offs_in

ANSWERED = {
    "what_if": lambda model, X, y: model.what_if(forbid=["x3"]).intervals,
    "what_if_stream": lambda model, X, y: list(model.what_if_stream(forbid=["x3"])),
    "groups": lambda model, X, y: model.groups().labels,
    "groups without": lambda model, X, y: model.groups(forbid=["x3"]).labels,
    "substitutes": lambda model, X, y: model.substitutes("x2").stand_ins,
    "smallest_sets": lambda model, X, y: model.smallest_sets(),
    "cheapest_set": lambda model, X, y: model.cheapest_set(dict.fromkeys(model.result_.names, 1.0)),
    "prediction_range": lambda model, X, y: model.prediction_range(X[:3]).labels,
    "labels alone": lambda model, X, y: model.prediction_range(X[:3], ends=False).labels,
    "ambiguity": lambda model, X, y: [model.ambiguity(X[:5])],
    "witness": lambda model, X, y: model.witness("x0", "min").predict(X),
    "between": lambda model, X, y: model.between(0, 2).intervals,
    "stability": lambda model, X, y: [model.stability(n_splits=2, random_state=0)],
    "compare": lambda model, X, y: [compare(model, model)],
    "path_over_c": lambda model, X, y: [model.path_over_c([0.4, 0.5])],
    "predict": lambda model, X, y: model.predict(X),
}


@pytest.fixture(scope="module")
def data():
    return three_classes()


@pytest.fixture(scope="module")
def model(data):
    return fitted_to(*data)


@pytest.fixture(scope="module")
def programs(model):
    return programs_of(model)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Only:UserWarning")
@pytest.mark.parametrize("question", ANSWERED)
def test_is_answered(model, data, question):
    assert len(ANSWERED[question](model, *data)) > 0


@pytest.mark.slow
def test_a_saved_fit_answers_as_well(model, tmp_path):
    model.save(tmp_path / "three.fit")
    again = load(tmp_path / "three.fit")
    np.testing.assert_array_equal(again.groups().labels, model.groups().labels)
    assert again.substitutes("x2").stand_ins == model.substitutes("x2").stand_ins


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Only:UserWarning")
def test_report_and_page_tell_of_groups(model, data, tmp_path):
    model.result_.report(tmp_path / "three.html", groups=model.groups())
    text = (tmp_path / "three.html").read_text()
    assert all(name in text for name in model.groups().members[2])


# Against full programs


def trade_off(full, one, other, pair):
    """``1 − min / max`` of the widths of sum and difference, each scaled by its own width."""
    own = [full.difference(feature, *pair) for feature in (one, other)]
    scaled = [cost / (-full.least(-cost) - full.least(cost)) for cost in own]
    both = [scaled[0] + sign * scaled[1] for sign in (1.0, -1.0)]
    widths = [-full.least(-cost) - full.least(cost) for cost in both]
    return 1.0 - min(widths) / max(widths)


@pytest.mark.slow
def test_trade_offs_are_those_of_full_programs(model, programs):
    fitted = model.fitted_set_
    ask = trade_offs_in(fitted, fitted.parts(), changed=False)()
    assert isinstance(ask, ClassTradeOffs)
    pairs = list(combinations(range(3), 2))
    farthest = {
        j: max(pairs, key=lambda pair: np.abs(programs.pair_interval(j, *pair)).max())
        for j in (1, 2, 3)
    }
    for one, other in ((1, 2), (2, 3)):
        expected = max(
            trade_off(programs, one, other, pair) for pair in (farthest[one], farthest[other])
        )
        assert ask.between(one, other) == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_copies_are_one_group_and_stand_in_for_one_another(model, programs):
    labels = model.groups().labels
    assert labels[2] == labels[3] != labels[0]
    found = model.substitutes("x2")
    places = [model.result_.names.index(name) for name in found.stand_ins]
    assert 3 in places
    # Without all of them there is no model, and with the feature there is one.
    with pytest.raises(AssertionError, match="infeasible"):
        programs.without([2, *places]).spread_interval(0)
    programs.without(places).spread_interval(0)
