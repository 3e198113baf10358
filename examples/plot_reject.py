"""Classifiers that may decline to answer
======================================

Figure 1 of the paper on the reject option. Two columns measure the same quantity, whose sign is the
class. In the first row noise grows towards the boundary, and the first measurement is noisier; in
the second row both measurements have the same noise; in the third there are few samples near the
boundary. On the left is the paper's baseline, an ℓ2 support vector machine with a reject option.
Beside it are the two equivalent models that give the first measurement the smallest and the largest
weight. Nearly all labels stay the same, but other samples are rejected.

The table has the range of the share of rejected samples over all of these models, and of their true
cost: 1 for a wrong label and 0.2 for a rejection.
"""

import matplotlib.pyplot as plt

from allrelevant import RejectOptionDisplay, papers
from allrelevant.datasets import make_reject


def fitted(kind, n_samples=60):
    """One of the three data sets, and the models of the paper."""
    X, y = make_reject(kind, n_samples, random_state=0)
    model = papers.reject2017(n_probes=20, random_state=0).fit(X, y)
    return X, y, model


def plot(rows):
    """A row for each data set."""
    figure, axes = plt.subplots(3, 3, figsize=(10, 10), layout="constrained")
    for row, (X, y, model) in zip(axes, rows, strict=True):
        RejectOptionDisplay.from_estimator(model, X, y, axes=row)
    figure.legends[:] = figure.legends[:1]
    return figure


def main():
    """Fit, print what is rejected, draw the picture."""
    rows = [fitted(kind) for kind in (1, 2, 3)]
    for kind, (X, y, model) in enumerate(rows, start=1):
        print(f"data set {kind}\n{model.reject_range(X, y)}")
    plot(rows)
    plt.show()


# %%
if __name__ == "__main__":
    main()
