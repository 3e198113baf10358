import numpy as np
import pandas as pd
import pytest

from allrelevant.base.censored import as_times, concordance


def by_pairs(time, event, predicted, weight):
    right = total = 0.0
    for i in range(len(time)):
        for j in range(len(time)):
            known = time[i] < time[j] or (time[i] == time[j] and not event[j] and i != j)
            if event[i] and known:
                pair = weight[i] * weight[j]
                total += pair
                right += pair * (
                    0.5 * (predicted[i] == predicted[j]) + (predicted[i] < predicted[j])
                )
    return right / total


@pytest.mark.parametrize("seed", range(5))
def test_concordance_counts_pairs_whose_order_is_known(seed):
    random = np.random.default_rng(seed)
    time, event = random.integers(1, 12, 40).astype(float), random.integers(0, 2, 40).astype(float)
    predicted, weight = random.integers(0, 9, 40).astype(float), random.uniform(0.5, 2.0, 40)
    expected = by_pairs(time, event, predicted, weight)
    assert concordance(time, event, predicted, weight) == pytest.approx(expected, abs=1e-12)


def test_without_an_event_nothing_is_in_order_or_not():
    assert concordance(np.arange(3.0) + 1, np.zeros(3), np.arange(3.0), np.ones(3)) == 0.5


def test_all_the_ways_in_which_people_have_times():
    time, event = np.array([3.0, 1.5, 2.0]), np.array([True, False, True])
    fields = np.empty(3, dtype=[("Status", bool), ("days", float)])
    fields["Status"], fields["days"] = event, time
    for y in (
        np.column_stack([time, event]),
        pd.DataFrame({"t": time, "e": event}),
        pd.DataFrame({"t": time, "e": np.where(event, "Yes", "no")}),
        pd.DataFrame({"t": time, "e": pd.Categorical(np.where(event, "True", "False"))}),
        np.column_stack([time, np.where(event, "1", "0")]),
        list(zip(time.tolist(), event.tolist(), strict=True)),
        fields,
        fields[["days", "Status"]],
    ):
        found = as_times(y)
        np.testing.assert_array_equal(found[0], time)
        np.testing.assert_array_equal(found[1], event)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1.0, 2.0], "a time and whether the event happened"),
        ([[1.0, 2.0]], "has 2 where it has to say whether"),
        ([[1.0, 1.0], [0.0, 1.0]], "1 times that are not above 0"),
        ([[1.0, np.nan]], "NaN or infinity"),
        ([["a", 1]], "a time and whether the event happened"),
        ([[1.0, "dead"], [2.0, "alive"]], "has 'dead' where it has to say .* comparison turns"),
        ([[1.0, None]], "NaN or infinity"),
        ([[1.0, 1.0], [2.0]], "a time and whether the event happened"),
        (np.zeros(2, dtype=[("a", float), ("b", float)]), "its fields are"),
    ],
)
def test_other_targets_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        as_times(y)
