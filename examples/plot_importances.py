"""Why the importances of one forest mislead
=========================================

Figures 5.1 to 5.3 of the thesis. Five features are needed, the next ten are mixtures of one
another, of which one is enough, and two are noise. If trees may use only few columns, all relevant
features get some importance. If they may use all columns, a few features get most of it, and not
the same ones in every forest. The thesis's minimal set has the features whose importance is above
the range that is expected for a useless one.
"""

import matplotlib.pyplot as plt
from sklearn.ensemble import RandomForestClassifier

from allrelevant import ForestRelevanceClassifier, ImportanceDisplay
from allrelevant.datasets import make_classification


def data(n_samples=300):
    """The set of the thesis's section 5.3.3."""
    X, y, _ = make_classification(
        n_samples, n_strong=5, n_weak=10, n_irrelevant=2, noise=0.1, random_state=0
    )
    return X, y


def importances(X, y, share, n_forests=10):
    """Those of several forests whose trees may use a share of the columns."""
    forests = (
        RandomForestClassifier(100, max_depth=5, max_features=share, random_state=seed).fit(X, y)
        for seed in range(n_forests)
    )
    return [forest.feature_importances_ for forest in forests]


def plot(X, y, model, n_forests=10):
    """The three figures side by side."""
    figure, axes = plt.subplots(1, 3, figsize=(13, 5), layout="constrained")
    ImportanceDisplay.from_estimator(model, ax=axes[0])
    for ax, share in zip(axes[1:], (0.1, 1.0), strict=True):
        found = importances(X, y, share, n_forests)
        ImportanceDisplay(found, model.result_.names).plot(ax)
        ax.set_xlabel(f"importance; trees may use {share:.0%} of the columns")
    return figure


def main():
    """Fit, print the classes, draw the picture."""
    X, y = data()
    model = ForestRelevanceClassifier(method="squamish", random_state=0).fit(X, y)
    print(model.result_)
    plot(X, y, model)
    plt.show()


# %%
if __name__ == "__main__":
    main()
