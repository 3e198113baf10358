"""Work that is interrupted."""

import numpy as np

from allrelevant.backends import local


class Stopping:
    """A backend that is interrupted after some tasks; it counts those it has done."""

    def __init__(self, most=np.inf):
        self.most, self.done = most, 0

    def __call__(self, make_worker, tasks, n_jobs, advance, n_batches=None):
        def worker():
            work = make_worker()

            def one(task):
                if self.done >= self.most:
                    raise KeyboardInterrupt
                self.done += 1
                return work(task)

            return one

        return local.run(worker, tasks, 1, advance, n_batches)
