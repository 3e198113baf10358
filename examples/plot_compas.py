"""Risk scores: does a model need race?
====================================

ProPublica published what a commercial tool, COMPAS, predicted for people in Broward County: a low,
medium or high risk of committing another crime. We ask what a linear model of these scores needs to
know, whether it needs to know race, and for whom the predicted risk depends on which of the equally
good models is used. This says something about linear models of the scores, and nothing about the
tool itself, whose inner workings are not public, nor about the risk people really pose.

The table does not come with the package, so the page shows the program only; some of what it says
is in the guide on protected attributes. Run it with the path of ``compas-scores.csv``, or set the
variable ALLRELEVANT_COMPAS to it.
"""

import argparse

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from allrelevant import InfeasibleError, OrdinalRelevanceClassifier, RelevanceDisplay
from allrelevant.datasets import load_compas

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("path", nargs="?", help="the file compas-scores.csv, plain or compressed")
parser.add_argument("--people", type=int, default=2000, help="how many people to fit")
parser.add_argument("--asked", type=int, default=400, help="how many others to predict for")
parser.add_argument("--save", help="write the figures to files that begin like this")
options = parser.parse_args()

compas = load_compas(options.path)
order = np.random.default_rng(0).permutation(len(compas.data))
fitted, others = order[: options.people], order[options.people :][: options.asked]
X, y = compas.data.iloc[fitted], compas.target.iloc[fitted]


def equivalent(tolerance, class_weight="auto"):
    """Look at all models whose loss and norm exceed those of the best by at most this share."""
    return OrdinalRelevanceClassifier(
        C=1.0,
        tolerance=tolerance,
        column_groups=compas.column_groups,
        class_weight=class_weight,
        random_state=0,
    ).fit(X, y)


def ask_without(model, feature):
    """Forbid a feature, and say what comes of it."""
    try:
        model.what_if(forbid=[feature])
        return f"{feature} can be forbidden"
    except InfeasibleError as error:
        return str(error)


model = equivalent(0.01)

# %% Which features does every equivalent model need?
print(model.result_)
accuracy = np.mean(model.predict(compas.data.iloc[others]) == compas.target.iloc[others])
print(f"\naccuracy of the baseline for other people: {accuracy:.3f}")

# %% Which few features are enough?
print(f"\n{model.smallest_sets(5)}")

# %% Is there an equally good model without race?
race = compas.column_groups["race"]
least, most = model.result_.interval("race")
print(f"\nrace takes between {least:.3f} and {most:.3f} of the weight of an equivalent model")
print(ask_without(model, "race"))

# %% What if models may be two percent worse than the best?
wider = equivalent(0.02)
under = wider.what_if(forbid=["race"])
frame = under.to_frame().set_index("feature").drop(index="race")
frame["narrower by"] = (frame["max_before"] - frame["min_before"]) - (frame["max"] - frame["min"])
print("\nwithout race: the features whose intervals change most")
columns = ["class_before", "class", "min_before", "min", "max_before", "max"]
print(frame.sort_values("narrower by", ascending=False)[columns].head(6).round(3))
witness = under.witness("priors_count", "max")
print(f"a model without race that makes the most of earlier offences: {witness}")

# %% What takes the place of a single level, or of a whole category?
for feature in ("race: African-American", "race", "age_cat: Less than 25", "age_cat"):
    print(f"\n{wider.substitutes(feature)}")
# What would it take to do without age?
print(ask_without(wider, "age_cat"))

# %% Does the answer about race depend on how much each of the three risks counts?
# Most people have a low risk. By default a rarer risk counts more than its share of the people,
# though not as much as if all three counted the same.
weights = {"every person counts alike": None, "default": "auto", "every risk alike": "balanced"}
for word, class_weight in weights.items():
    one = model if class_weight == "auto" else equivalent(0.01, class_weight)
    predicted = pd.Series(one.predict(X)).value_counts(normalize=True)
    least, most = one.result_.interval("race")
    print(f"\n{word}: score {one.result_.baseline['score']:.3f}, "
          f"predicted {predicted.round(2).to_dict()}, race {least:.3f} to {most:.3f}\n"
          f"{ask_without(one, 'race')}")  # fmt: skip

# %% For whom does the predicted risk depend on which equivalent model is used?
people = compas.data.iloc[others]
found = model.prediction_range(people)
print(f"\n{found}")
group = people[race].idxmax(axis=1).str.removeprefix("race: ").to_numpy()
said = np.where(found.settled, [labels[0] for labels in found.labels], "depends on the model")
shares = pd.crosstab(group, said, normalize="index")
sizes = pd.Series(group).value_counts()
print(shares.round(3))

# %% The pictures
RelevanceDisplay.from_estimator(model)
if options.save:
    plt.savefig(f"{options.save}-relevance.png", dpi=150)

# Intervals with race (pale) and without it (dark).
frame = frame.sort_values(["max_before"])
figure, axes = plt.subplots(figsize=(7.5, 1.2 + 0.28 * len(frame)), layout="constrained")
before, after = ("#9CCBE8", "all models within two percent"), ("#003A5C", "those without race")
for ends, height, (color, label) in (
    (["min_before", "max_before"], 0.72, before),
    (["min", "max"], 0.26, after),
):
    low, high = frame[ends].to_numpy().T
    axes.barh(frame.index, high - low, left=low, height=height, color=color, label=label)
axes.set_xlabel("relevance, as a share of the baseline's weights")
axes.margins(y=0.02)
axes.set_xlim(left=0.0)
axes.spines[["top", "right", "left"]].set_visible(False)
axes.tick_params(axis="y", length=0)
figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize="small")
if options.save:
    figure.savefig(f"{options.save}-without-race.png", dpi=150)

outcomes = [*model.classes_, "depends on the model"]
colors = dict(zip(outcomes, ["#56B4E9", "#0072B2", "#003A5C", "#E69F00"], strict=True))
outcomes = [outcome for outcome in outcomes if outcome in shares]
shown = shares.loc[sizes[sizes >= 20].index[::-1], outcomes]
figure, axes = plt.subplots(figsize=(7.5, 1.2 + 0.5 * len(shown)), layout="constrained")
left = np.zeros(len(shown))
for outcome in outcomes:
    label = outcome if outcome == "depends on the model" else f"all say {outcome}"
    axes.barh(shown.index, shown[outcome], left=left, label=label, color=colors[outcome])
    left += shown[outcome].to_numpy()
axes.set_yticks(range(len(shown)), [f"{name} ({sizes[name]})" for name in shown.index])
axes.set_xlabel("share of people")
axes.set_xlim(0.0, 1.0)
axes.spines[["top", "right", "left"]].set_visible(False)
axes.tick_params(axis="y", length=0)
figure.legend(loc="outside upper center", ncols=4, frameon=False, fontsize="small")
if options.save:
    figure.savefig(f"{options.save}-predictions.png", dpi=150)
else:
    plt.show()
