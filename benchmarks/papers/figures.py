"""Figure 2 of Göpfert et al. 2017: the breast cancer table, with the paper's settings and ours."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from allrelevant import RelevanceClassifier, RelevanceDisplay, papers
from benchmarks.papers.selection import quietly

PATH = Path(__file__).parent.parent.parent / "docs" / "images" / "paper_2017_breast_cancer.png"


def draw() -> None:
    """Both panels into one file."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    figure, axes = plt.subplots(1, 2, figsize=(15, 8), layout="constrained")
    models = {"its settings": papers.esann2017(), "our defaults": RelevanceClassifier()}
    for place, (title, model) in zip(axes, models.items(), strict=True):
        quietly(model.set_params(random_state=0), X, y)
        RelevanceDisplay.from_estimator(model, ax=place)
        place.set_title(title, pad=40)  # above two lines of legend
        print(title, model.result_.to_frame()["class"].value_counts().to_dict())
    figure.savefig(PATH, dpi=80)


if __name__ == "__main__":
    draw()
