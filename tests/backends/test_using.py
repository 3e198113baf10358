"""Any function that does tasks in order can be where all work is done."""

import numpy as np
import pytest
from estimator_cases import CASES

from allrelevant import backends


class Recording:
    """A backend that does tasks one by one, in batches if asked to, and remembers how many."""

    def __init__(self):
        self.sizes = []

    def __call__(self, make_worker, tasks, n_jobs, advance, n_batches=None):
        self.sizes.append(len(tasks))
        workers = [make_worker() for _ in range(n_batches or 1)]
        results = [workers[i % len(workers)](task) for i, task in enumerate(tasks)]
        advance(len(tasks))
        return results


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")
def test_a_whole_fit_goes_through_the_backend_and_gives_the_same():
    case = CASES["classification"]
    X, y = case.data()
    usual = case.make(C="cv").fit(X, y)
    recording = Recording()
    with backends.using(recording):
        model = case.make(C="cv").fit(X, y)
        model.prediction_range(X[:3])
    assert len(recording.sizes) >= 3, "cross-validation, ranges and predictions"
    np.testing.assert_array_equal(model.intervals_, usual.intervals_)


def test_the_usual_one_is_back_afterwards_whatever_happens():
    recording = Recording()

    class Doubling:
        def __call__(self, task):
            return 2 * task

    with pytest.raises(LookupError), backends.using(recording):
        raise LookupError
    assert backends.run(Doubling, [1, 2]) == [2, 4]
    assert not recording.sizes
