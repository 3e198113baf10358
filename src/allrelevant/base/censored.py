"""Times until an event that may be censored: what people bring, and how well times are ordered."""

from __future__ import annotations

from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats
from allrelevant.base.disguised import refuse_dates, refuse_masked

_SHAPES = (
    "y must say for each sample a time and whether the event happened then: two columns, the time "
    "first, or a structured array with a field of True and False and one of times"
)
_WHETHER = (
    "where it has to say whether the event happened: 1 (or True, yes) if it did at that time, 0 "
    "(or False, no) if it had not happened yet. Times are the first column, events the second."
)
HAPPENED, NOT_YET = {"1", "1.0", "true", "yes"}, {"0", "0.0", "false", "no"}
_UNKNOWN = {"nan", "none", "<na>", "nat", ""}
_CHUNK = 1000  # rows that are compared with all others at once


def as_times(y: Any) -> tuple[Floats, Floats]:
    """Times, and 1 where the event happened or 0 where it had not happened yet.

    Parameters
    ----------
    y : structured array, or array-like of shape (n_samples, 2)
        A field of True and False and one of times, in any order; or times in the first column and
        events, as 0 and 1, True and False, or yes and no, in the second.
    """
    refuse_masked(y, "y", "drop those samples first")
    names = getattr(getattr(y, "dtype", None), "names", None)
    time, event = _of_fields(y, names) if names else _of_columns(y)
    if not (np.isfinite(time).all() and np.isfinite(event).all()):
        raise ValueError("Input y contains NaN or infinity: drop those samples first.")
    if not np.isin(event, (0.0, 1.0)).all():
        odd = float(event[~np.isin(event, (0.0, 1.0))][0])
        raise ValueError(f"y has {odd:g} {_WHETHER}")
    if (time <= 0).any():
        raise ValueError(
            f"y has {int((time <= 0).sum())} times that are not above 0: models are of the "
            "logarithm of the time. Drop those samples, or count half a unit for times of 0."
        )
    return time, event


def _of_fields(y: np.ndarray, names: tuple[str, ...]) -> tuple[Floats, Floats]:
    events = [name for name in names if y.dtype[name].kind == "b"]
    times = [name for name in names if y.dtype[name].kind in "iuf"]
    if len(names) != 2 or len(events) != 1 or len(times) != 1:
        raise ValueError(f"{_SHAPES}; its fields are {y.dtype.descr}.")
    return y[times[0]].astype(float), y[events[0]].astype(float)


def _of_columns(y: Any) -> tuple[Floats, Floats]:
    try:
        table = np.asarray(y)
    except ValueError as error:
        raise ValueError(f"{_SHAPES}; got {error}.") from None
    if table.ndim != 2 or table.shape[1] != 2:
        raise ValueError(f"{_SHAPES}; got an array of shape {table.shape}.")
    for column in table.T:
        refuse_dates(column, "y")
    try:
        time = table[:, 0].astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{_SHAPES}; got {error}.") from None
    return time, _events(table[:, 1])


def _events(column: np.ndarray) -> Floats:
    """Whether events happened, also where words say so."""
    if column.dtype.kind not in "OUS":
        return column.astype(float)
    words = [str(value).strip() for value in column.tolist()]
    known = dict.fromkeys(HAPPENED, 1.0) | dict.fromkeys(NOT_YET, 0.0)
    known |= dict.fromkeys(_UNKNOWN, np.nan)
    for word in words:
        if word.lower() not in known:
            raise ValueError(
                f"y has {word!r} {_WHETHER} A comparison turns words of your own into "
                'True and False, for example data["status"] == "dead".'
            )
    return np.array([known[word.lower()] for word in words])


def share_seen(time: Floats, event: Floats, weight: Floats) -> float:
    """The share of all samples whose event comes within the times seen, by Kaplan and Meier."""
    return 1.0 - float(_later(time, event, weight)[1].min(initial=1.0))


def lateness(time: Floats, event: Floats, weight: Floats) -> Floats:
    """How late each event is among all: the scores of Peto and Peto (1972), which add up to 0.

    An event has the share of earlier ones less that of later ones, from −1 to 1. A sample whose
    event is only known to be later than a time has the mean over later ones.
    """
    before, after = _later(time, event, weight)
    return 1.0 - after - event * before


def _later(time: Floats, event: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Shares of all events that come at each sample's time or later, and later, as estimated."""
    times, place = np.unique(time, return_inverse=True)
    at_risk = np.cumsum(np.bincount(place, weight, len(times))[::-1])[::-1]
    events = np.bincount(place, weight * event, len(times))
    lost = np.divide(events, at_risk, out=np.zeros(len(times)), where=at_risk > 0)
    after = np.ones(len(times) + 1)
    after[1:] = np.cumprod(1.0 - lost)
    return after[:-1][place], after[1:][place]


def concordance(time: Floats, event: Floats, predicted: Floats, weight: Floats) -> float:
    """Harrell's C: the share of pairs in the right order, of those whose order is known.

    The order of two samples is known where the earlier time is that of an event; of equal times
    that of an event is the earlier one. Equal predictions count one half. Without any such pair
    it is one half, too.
    """
    right = total = 0.0
    events = np.flatnonzero(event)
    for start in range(0, len(events), _CHUNK):
        early = events[start : start + _CHUNK, None]
        later = (time > time[early]) | ((time == time[early]) & (event == 0))
        pair = later * (weight * weight[early])
        total += float(pair.sum())
        right += float((pair * (predicted > predicted[early])).sum())
        right += 0.5 * float((pair * (predicted == predicted[early])).sum())
    return right / total if total > 0 else 0.5
