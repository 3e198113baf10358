"""The integer program against all subsets."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from allrelevant.linear.questions.sets.choice import OutOfTime, cheapest_choice

D = 6
masks = st.lists(st.booleans(), min_size=D, max_size=D).map(np.array)
rules = st.lists(masks.filter(np.any), max_size=5)
costs = st.lists(st.sampled_from([0.0, 1e-4, 1.0, 2.5, 1e4]), min_size=D, max_size=D).map(np.array)


def every_choice(costs, possible, required, one_of, not_all_of):
    """What each choice that keeps the rules costs."""
    for bits in itertools.product([False, True], repeat=D):
        chosen = np.array(bits)
        inside = not (chosen & ~possible).any() and not (required & ~chosen).any()
        hits = all((chosen & members).any() for members in one_of)
        if inside and hits and all((members & ~chosen).any() for members in not_all_of):
            yield float(costs[chosen].sum())


@pytest.mark.slow
@given(costs, masks, masks, rules, rules)
@settings(derandomize=True, deadline=None, max_examples=60)
def test_no_subset_is_cheaper(costs, possible, required, one_of, not_all_of):
    required = required & possible
    expected = min(every_choice(costs, possible, required, one_of, not_all_of), default=None)
    chosen = cheapest_choice(costs, possible, required, one_of, not_all_of)
    if expected is None:
        assert chosen is None
        return
    kept = list(every_choice(costs, chosen, chosen, one_of, not_all_of))
    assert len(kept) == 1, "the choice keeps the rules"
    assert costs[chosen].sum() == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_out_of_time_says_what_is_known():
    random = np.random.default_rng(0)
    rules = [random.random(200) < 0.05 for _ in range(400)]
    every, none = np.ones(200, dtype=bool), np.zeros(200, dtype=bool)
    with pytest.raises(OutOfTime) as signal:
        cheapest_choice(random.random(200), every, none, rules, [], time_limit=0.0)
    assert 0.0 <= signal.value.bound < 200.0


def test_nothing_is_printed(capfd):
    random = np.random.default_rng(1)
    rules = [random.random(30) < 0.2 for _ in range(40)]
    every, none = np.ones(30, dtype=bool), np.zeros(30, dtype=bool)
    for _ in range(5):
        chosen = cheapest_choice(random.random(30), every, none, rules, [])
        assert all((chosen & members).any() for members in rules)
    assert capfd.readouterr() == ("", "")
