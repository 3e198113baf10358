"""Two passes that make a sample of rows that are elsewhere: what is known of all, and some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from allrelevant.base.arrays import Floats, Ints
from allrelevant.base.names import named_columns
from allrelevant.data import matrix_of
from allrelevant.data.rows import BlockedRows
from allrelevant.data.scaling import Scaling, reference_levels
from allrelevant.linear.fit.outside.looks import Reading, TargetCodes
from allrelevant.linear.fit.outside.outside import Outside
from allrelevant.linear.fit.outside.summaries import (
    Summary,
    draw,
    levels_in,
    of_all_blocks,
    summarise,
)
from allrelevant.linear.fit.rows.sample import Sample, arranged
from allrelevant.linear.fit.statistics.noise import Shapes

FEW = 50_000  # rows that are drawn: C is chosen by them, and the search for the baseline begins
_MOST_VALUES = 20_000_000  # of drawn rows together
_POOL = 4096  # values of a column that noise is drawn from
_SEED = 16
_LARGEST = 1e150  # squares of larger numbers overflow


@dataclass(frozen=True, eq=False)
class Opened:
    """A summary of all rows."""

    rows: BlockedRows
    summary: Summary

    def scaling(self, standardize: bool, groups: Sequence[Ints]) -> Scaling:
        """Centres and scales of the columns, some of which belong together."""
        found, n = self.summary, self.summary.n
        spread = np.sqrt(found.squares / n)
        sizes = np.maximum(np.abs(found.low), np.abs(found.high))
        every = Scaling.of_moments(found.mean, spread, sizes, n)
        scaling = every if standardize else every.for_far_columns()
        if not groups:
            return scaling
        complete = np.all(self.rows.visit(levels_in, groups), axis=0)
        categories = [own for own, is_one in zip(groups, complete, strict=True) if is_one]
        return scaling.with_references(reference_levels(found.mean, categories))

    def targets(self, has_classes: bool) -> tuple[np.ndarray, Floats]:
        """Labels and how often each is there; or two numbers with the moments of all."""
        found = self.summary
        if has_classes:
            if found.labels is None:
                raise ValueError("y has more than 1,000 different values: these are no classes.")
            labels = np.array(sorted(found.labels))
            counts = np.array([found.labels[one] for one in labels.tolist()], dtype=float)
            return labels, counts
        if found.y_moments is None:
            raise ValueError("y must hold numbers for a regression.")
        mean, squares, _, _ = found.y_moments
        spread = float(np.sqrt(squares / found.n))
        if spread <= 1e-12 * max(abs(found.y_moments[2]), abs(found.y_moments[3])):
            raise ValueError("y is the same in every row, so there is nothing to predict.")
        return np.array([mean - spread, mean + spread]), np.ones(2)


def open_rows(rows: BlockedRows, names: list[str]) -> Opened:
    """One pass; refuses values that cannot be computed with, naming their columns and parts."""
    found = rows.visit(summarise)
    for one in found:
        where = rows.called(one.part)
        if one.gaps.any():
            shown = named_columns([names[k] for k in np.flatnonzero(one.gaps)])
            n = int(one.gaps.sum())
            raise ValueError(
                f"Input X contains NaN or infinity in {shown} of {where} "
                f"({n} value{'s' * (n > 1)}). Impute or drop them first."
            )
        if one.y_gaps:
            raise ValueError(
                f"Input y contains NaN or infinity in {where} ({one.y_gaps} values): drop those "
                "rows first."
            )
        largest = np.maximum(np.abs(one.low), np.abs(one.high))
        if one.n and (largest > _LARGEST).any():
            k = int(np.argmax(largest))
            raise ValueError(
                f"Input X has values up to {largest[k]:.3g} in column {names[k]!r} of {where}, "
                "which is too large to compute with: give it in other units."
            )
    whole = of_all_blocks(found)
    if whole.n < 2:
        raise ValueError(f"Found data with {whole.n} rows: at least 2 are required.")
    return Opened(rows, whole)


def sample_of(
    opened: Opened, scaling: Scaling, coding: TargetCodes, factors: dict[float, float] | None
) -> Sample:
    """Rows that are drawn, in an order of their own, and all the others behind them."""
    rows, found = opened.rows, opened.summary
    few = min(FEW, max(_MOST_VALUES // rows.n_columns, 1000))
    drawn = rows.visit(draw, (scaling, few / found.n, _SEED))
    reading = Reading(scaling, coding, factors)
    X = scaling.apply(np.concatenate([one.X for one in drawn]))
    target, weight = reading.targets(np.concatenate([one.y for one in drawn]))
    missing = np.setdiff1d(coding.codes, target)
    if len(missing) and not coding.are_numbers:
        label = coding.labels[np.flatnonzero(coding.codes == missing[0])[0]].item()
        raise ValueError(
            f"class {label!r} is so rare that none of its rows is among {len(X)} drawn ones: "
            "merge it with another class, or fit a table in memory."
        )
    ends = scaling.apply(np.array([found.low, found.high]))
    spread = np.sqrt(found.squares / found.n) / scaling.scale
    deviations = np.sum([one.deviations for one in drawn], axis=0) / found.n
    varied = (found.high > found.low) & np.isfinite(scaling.scale)
    scale = np.where(varied, spread, 0.0)
    shape = np.divide(deviations, scale, out=np.zeros_like(scale), where=scale > 0)
    outside = Outside(
        rows=rows,
        reading=reading,
        low=ends[0],
        high=ends[1],
        shapes=Shapes(shape, scale),
        weight=_whole_weight(found, coding, factors),
        farthest=_farthest(found, coding),
        pools=_pools(X, scale),
    )
    numbers = np.concatenate([one.numbers for one in drawn])
    ones = np.ones(len(X))
    sample = arranged(Sample(matrix_of(X), target, ones, ones, source=numbers))
    weight = reading.targets(_labels(coding, sample.target))[1] if factors else sample.weight
    return replace(sample, weight=weight, outside=outside)


def _labels(coding: TargetCodes, target: Floats) -> Any:
    order = np.argsort(coding.codes)
    return coding.labels[order][np.searchsorted(coding.codes[order], target)]


def _whole_weight(found: Summary, coding: TargetCodes, factors: dict[float, float] | None) -> float:
    if factors is None or found.labels is None:
        return float(found.n)
    counts = [found.labels[label] for label in coding.labels.tolist()]
    pairs = zip(coding.codes.tolist(), counts, strict=True)
    return float(sum(factors[code] * count for code, count in pairs))


def _farthest(found: Summary, coding: TargetCodes) -> float:
    """No target's code, nor the target of a piece, is farther from zero."""
    codes = coding.codes
    if coding.are_numbers and found.y_moments is not None:
        codes = coding.of(np.array(found.y_moments[2:]))
    return float(np.abs(codes).max()) + 1.0


def _pools(X: Floats, scale: Floats) -> Floats:
    """Values of every column, evenly by rank, with the moments that all of its values have."""
    ranks = np.linspace(0, len(X) - 1, min(_POOL, len(X))).round().astype(np.intp)
    pools = np.sort(X, axis=0)[ranks].T
    away = pools - pools.mean(axis=1, keepdims=True)
    spread = np.sqrt((away**2).mean(axis=1))
    factor = np.divide(scale, spread, out=np.zeros_like(scale), where=spread > 0)
    return away * factor[:, None]
