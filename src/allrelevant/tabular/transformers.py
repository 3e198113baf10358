"""Which columns of scikit-learn's transformers come from one column each: levels, splines, bins."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, SplineTransformer
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from allrelevant.base.arrays import Floats

Origins = list[int | None]  # of each output the input it comes from; None where it is from several


def column_groups_from(transformer: Any) -> dict[str, list[Any]]:
    """Find the features of several columns that a fitted transformer makes.

    It knows `TablePreparer`, `OneHotEncoder`, `SplineTransformer` and `KBinsDiscretizer`, also
    within `ColumnTransformer`, `Pipeline` and `FeatureUnion`. An output of any other transformer
    belongs to the input that has the same name; otherwise it is a feature of its own.

    Parameters
    ----------
    transformer : object
        A fitted transformer. For a pipeline give the steps before the estimator, ``pipeline[:-1]``.

    Returns
    -------
    dict
        What the parameter `column_groups` of the estimators takes: for every column that becomes
        several, a list of these, by name if the transformer gives data frames, otherwise by
        position.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.preprocessing import OneHotEncoder
    >>> from allrelevant import column_groups_from
    >>> towns = pd.DataFrame({"town": ["Rome", "Oslo", "Bonn"]})
    >>> encoder = OneHotEncoder(sparse_output=False).set_output(transform="pandas").fit(towns)
    >>> column_groups_from(encoder)
    {'town': ['town_Bonn', 'town_Oslo', 'town_Rome']}
    """
    check_is_fitted(transformer)
    given = getattr(transformer, "feature_names_in_", None)
    n = transformer.n_features_in_
    inputs = [f"x{k}" for k in range(n)] if given is None else [str(name) for name in given]
    names, origins = _trace(transformer, inputs)
    is_frame = _gives_frames(transformer)
    groups: dict[str, list[Any]] = {}
    for k, origin in enumerate(origins):
        if origin is not None:
            groups.setdefault(inputs[origin], []).append(names[k] if is_frame else k)
    return {name: columns for name, columns in groups.items() if len(columns) > 1}


def encoded_categories(names: Sequence[str], table: Floats) -> dict[str, list[str]]:
    """The categories that a `ColumnTransformer` has encoded, where names and cells leave no doubt.

    Columns side by side whose names have the same beginning, as in ``cat__town_Rome`` and
    ``cat__town_Oslo``, and of which every row has a 1 in one and zeros in the others.
    """
    starts: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        step, mark, rest = name.partition("__")
        if step and mark and np.isin(table[:, k], (0.0, 1.0)).all():
            ends = [i for i, letter in enumerate(rest) if letter == "_" and i > 0]
            for end in ends:
                starts.setdefault(f"{step}__{rest[:end]}", []).append(k)
    groups: dict[str, list[str]] = {}
    taken: set[int] = set()
    # The most columns first, since a level may have the mark in its name, too.
    for start, places in sorted(starts.items(), key=lambda one: (-len(one[1]), -len(one[0]))):
        side_by_side = len(places) > 1 and places[-1] - places[0] == len(places) - 1
        if side_by_side and taken.isdisjoint(places) and (table[:, places].sum(axis=1) == 1).all():
            own = start.partition("__")[2]
            is_free = own not in groups and own not in names
            groups[own if is_free else start] = [names[k] for k in places]
            taken.update(places)
    return groups


def _gives_frames(transformer: Any) -> bool:
    if hasattr(transformer, "column_groups_"):  # frames of frames, whatever is configured
        return hasattr(transformer, "feature_names_in_")
    steps = [transformer]
    if isinstance(transformer, Pipeline):
        steps = [step for _, step in transformer.steps if hasattr(step, "transform")]
    return bool(steps) and _get_output_config("transform", steps[-1])["dense"] != "default"


def _trace(transformer: Any, inputs: Sequence[str]) -> tuple[list[str], Origins]:
    """The outputs of a transformer, and the input each comes from."""
    if isinstance(transformer, str):  # "passthrough" or "drop"
        kept = list(inputs) if transformer == "passthrough" else []
        return kept, list(range(len(kept)))
    if isinstance(transformer, Pipeline):
        names, origins = list(inputs), list[int | None](range(len(inputs)))
        for _, step in transformer.steps:
            names, own = _trace("passthrough" if step is None else step, names)
            origins = [None if k is None else origins[k] for k in own]
        return names, origins
    if isinstance(transformer, ColumnTransformer):
        return _names_of(transformer, inputs), _of_parts(transformer, inputs)
    if isinstance(transformer, FeatureUnion):
        parts = [_trace(part, inputs)[1] for _, part in transformer.transformer_list]
        return _names_of(transformer, inputs), [k for part in parts for k in part]
    names = _names_of(transformer, inputs)
    known = getattr(transformer, "column_groups_", None)
    if known is not None:  # it says so itself
        places = {name: k for k, name in enumerate(inputs)}
        owner = {column: name for name, columns in known.items() for column in columns}
        return names, [places.get(owner.get(name, name)) for name in names]
    count = next((count for kind, count in _COUNTS.items() if isinstance(transformer, kind)), None)
    sizes = None if count is None else count(transformer)
    if sizes is not None and sum(sizes) == len(names):
        return names, [k for k, size in enumerate(sizes) for _ in range(size)]
    place = {name: k for k, name in enumerate(inputs)}
    return names, [place.get(name) for name in names]


def _names_of(transformer: Any, inputs: Sequence[str]) -> list[str]:
    return [str(name) for name in transformer.get_feature_names_out(np.array(inputs, dtype=object))]


def _of_parts(transformer: ColumnTransformer, inputs: Sequence[str]) -> Origins:
    """The origins of the outputs of several transformers of some columns each."""
    last = max((part.stop for part in transformer.output_indices_.values()), default=0)
    origins: Origins = [None] * last
    for name, part, columns in transformer.transformers_:
        with warnings.catch_warnings():  # scikit-learn 1.6 warns of what 1.7 has instead
            warnings.simplefilter("ignore", FutureWarning)
            picked = _picked(columns, inputs)
        _, own = _trace(part, [inputs[k] for k in picked])
        found = [None if k is None else picked[k] for k in own]
        origins[transformer.output_indices_[name]] = found
    return origins


def _picked(columns: Any, inputs: Sequence[str]) -> list[int]:
    """The places of some inputs, in any of the ways in which a `ColumnTransformer` names them."""
    given: Any = [columns] if isinstance(columns, str | int) else columns
    place: Any = pd.Series(range(len(inputs)), index=list(inputs))
    texts = (given.start, given.stop) if isinstance(given, slice) else given
    by_name = any(isinstance(text, str) for text in texts)
    return [int(k) for k in (place.loc[given] if by_name else place.iloc[given])]


def _levels(encoder: OneHotEncoder) -> list[int]:
    """How many columns each category has: rare levels may share one, one may be dropped."""
    rare = getattr(encoder, "infrequent_categories_", [None] * len(encoder.categories_))
    dropped = [None] * len(rare) if encoder.drop_idx_ is None else encoder.drop_idx_
    return [
        len(levels) - (0 if few is None else len(few) - 1) - (drop is not None)
        for levels, few, drop in zip(encoder.categories_, rare, dropped, strict=True)
    ]


def _bins(binner: KBinsDiscretizer) -> list[int]:
    return [1 if binner.encode == "ordinal" else int(n) for n in binner.n_bins_]


def _splines(splines: SplineTransformer) -> list[int]:
    return [splines.n_features_out_ // splines.n_features_in_] * splines.n_features_in_


_COUNTS: dict[type, Callable[[Any], list[int]]] = {
    OneHotEncoder: _levels,
    KBinsDiscretizer: _bins,
    SplineTransformer: _splines,
}
