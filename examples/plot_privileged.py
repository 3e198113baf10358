"""Features that are known in training only
========================================

Four hundred samples belong to three ordered classes that depend on three features; three more
features are noise. The samples form four groups. In each of the first three groups another feature
has a measurement error, larger from group to group; the last group has none. The errors are known
when the model is trained, say from a better instrument, but not when it is used. They are given to
the fit as ``X_privileged``: not to predict from, but to explain which samples a good model may get
wrong. Each of the two slack functions is about one direction, too high or too low, so the errors
keep their sign.

The picture shows the relevance of the features and of the privileged features: the larger the
measurement errors, the more they explain.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from allrelevant import OrdinalRelevanceClassifier, RelevanceDisplay

LEVELS = (0.5, 1.0, 2.0)  # standard deviations of the errors; that of the features is 1
GAP = 0.9  # at least this far is every score from the next class boundary


def make_data(random_state=0, n_samples=400, levels=LEVELS, gap=GAP):
    """Features, the errors of three of them, classes."""
    random = np.random.default_rng(random_state)
    clean = random.normal(size=(20 * n_samples, 3))
    score, boundary = clean.sum(axis=1), 1.25
    # Without a gap between the classes a slack that is the same for all clean samples has to be
    # what the nearest of them needs, and then no model is better than one without features.
    kept = np.flatnonzero(np.abs(np.abs(score) - boundary) > gap)[:n_samples]
    y = np.searchsorted([-boundary, boundary], score[kept])
    error = np.zeros((n_samples, 3))
    group = np.arange(n_samples) % 4
    for k, level in enumerate(levels):
        error[group == k, k] = level * random.normal(size=(group == k).sum())
    X = np.column_stack([clean[kept] + error, random.normal(size=(n_samples, 3))])
    names = [f"feature {k + 1}" for k in range(3)] + [f"noise {k + 1}" for k in range(3)]
    errors = [f"error of {level:g}" for level in levels]
    return pd.DataFrame(X, columns=names), pd.DataFrame(error, columns=errors), y


def plot(model):
    """Features on the left, privileged features on the right."""
    figure, axes = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
    shown = (("features", model.result_), ("privileged features", model.result_.privileged))
    for ax, (title, result) in zip(axes, shown, strict=True):
        RelevanceDisplay.from_result(result, ax=ax)
        ax.set_title(title, loc="left", fontsize="medium", pad=24)
    axes[1].set_xlabel("relevance (share of the slack functions' total weight)")
    return figure


def main():
    """Fit, print the table, draw the picture."""
    X, errors, y = make_data()
    model = OrdinalRelevanceClassifier(random_state=0).fit(X, y, X_privileged=errors)
    print(model.result_.to_frame().round(3).to_string(index=False))
    plot(model)
    plt.show()


# %%
if __name__ == "__main__":
    main()
