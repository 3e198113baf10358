"""Worker processes that end with the process they work for, however that ends."""

from __future__ import annotations

import multiprocessing
import os
import time
from functools import cache
from threading import Thread
from typing import Any

_BETWEEN_LOOKS = 0.5  # seconds


@cache
def watch(caller: int) -> None:
    """End this process as soon as the one of this number is gone, if it is a worker of that.

    A process that was killed cannot end its workers, and those that wait for work, or for the rest
    of it, would wait for ever. Where the caller is this process, or works through others (a
    cluster, say), nothing is done.
    """
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid == caller:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    if parent.sentinel is not None:
        parent.join()
    else:  # loky's on POSIX; an orphan gets another parent
        while os.getppid() == parent.pid:
            time.sleep(_BETWEEN_LOOKS)
    os._exit(1)
