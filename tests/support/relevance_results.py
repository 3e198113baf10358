"""Results made up for tests."""

import numpy as np

from allrelevant.results.relevance import RelevanceResult

ARRAYS = ("intervals", "signed_intervals", "classes", "weights", "thresholds", "probes")
SURE = ("noise_thresholds", "p_values", "q_values", "borderline")


def make(**changes):
    content = {
        "task": "classification",
        "names": ["noise", "weak_b", "must", "weak_a"],
        "intervals": [[0.0, 0.01], [0.0, 0.2], [0.3, 0.4], [0.0, 0.6]],
        "signed_intervals": [[-0.01, 0.005], [-0.1, 0.2], [-0.4, -0.3], [0.0, 0.6]],
        "classes": [0, 1, 2, 1],
        "weights": [0.0, 0.05, -0.35, 0.6],
        "thresholds": [0.02, 0.1],
        "probes": [[0.0, 0.03], [0.0, 0.05]],
        "baseline": {"score": 0.9712, "score_error": 0.01, "score_name": "accuracy", "C": None},
        "settings": {"tolerance": "auto", "grid": [0.1, 1.0]},
        "versions": {"numpy": "2.0"},
        "work": {"lps_solved": 8},
        "warnings": ["only 2 probes were usable"],
    }
    return RelevanceResult(**(content | changes))


def make_many(n_strong, n_weak, n_irrelevant, **changes):
    classes = [2] * n_strong + [1] * n_weak + [0] * n_irrelevant
    d = len(classes)
    intervals = np.column_stack([np.zeros(d), np.linspace(0.5, 0.1, d)])
    content = {
        "names": [f"x{j}" for j in range(d)],
        "intervals": intervals,
        "signed_intervals": intervals,
        "classes": classes,
        "weights": np.zeros(d),
    }
    return make(**(content | changes))
