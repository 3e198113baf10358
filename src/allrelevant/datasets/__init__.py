"""Simulated data whose relevant features are known, and a real data set from a local file.

Every generator follows one plan. A few hidden, standard normal features are summed with random
weights into a score, and the target is read off the score. Some of these features are shown as
they are: no other column carries their information, so they are *strongly* relevant. The others
are hidden, and each is shown only through a group of copies that can stand in for one another:
the copies are *weakly* relevant. The remaining columns have nothing to do with the score.

The sizes of the papers' sets are in three mappings:

>>> from allrelevant.datasets import NONLINEAR_SETS, PAPER_SETS, PRIVILEGED_SETS
>>> PAPER_SETS["Set 1"].n_samples, sorted(NONLINEAR_SETS)[0], sorted(PRIVILEGED_SETS)[0]
(150, 'NL 1', 'Set 1')
"""

from __future__ import annotations

from allrelevant.datasets.compas import load_compas
from allrelevant.datasets.linear import (
    PAPER_SETS,
    make_classification,
    make_ordinal,
    make_regression,
)
from allrelevant.datasets.nonlinear import NONLINEAR_SETS, make_nonlinear
from allrelevant.datasets.privileged import PRIVILEGED_SETS, make_privileged
from allrelevant.datasets.reject import make_reject
from allrelevant.datasets.simulated import SetSpec
from allrelevant.datasets.survival import make_survival
from allrelevant.datasets.text import make_text

__all__ = [
    "NONLINEAR_SETS",
    "PAPER_SETS",
    "PRIVILEGED_SETS",
    "SetSpec",
    "load_compas",
    "make_classification",
    "make_nonlinear",
    "make_ordinal",
    "make_privileged",
    "make_regression",
    "make_reject",
    "make_survival",
    "make_text",
]
