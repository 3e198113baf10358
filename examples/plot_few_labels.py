"""Few labels, then features
=========================

Of 400 rows in four ordered classes, twelve are labelled: too few to say anything about features.
``OrdinalKernelClassifier`` learns the order from them and from the shape of all rows.
``OrdinalRelevanceClassifier`` then looks at the labels that all rows have got, and finds the two
features that cannot be replaced and the two copies. It also finds two columns of noise: they have
no part in the truth, but a small one in what was learned. That is what this question is about:
labels made by a model are a function of the features, without noise, and every feature in it
counts.
"""

import matplotlib.pyplot as plt
import numpy as np

from allrelevant import (
    OrdinalKernelClassifier,
    OrdinalProjectionDisplay,
    OrdinalRelevanceClassifier,
    RelevanceDisplay,
)
from allrelevant.datasets import make_ordinal

# %%
# Three labels for each class; −1 means that a row has none.
X, truth, relevance = make_ordinal(
    400, n_strong=2, n_weak=2, n_irrelevant=3, n_classes=4, random_state=1
)
y = np.full(400, -1)
for label in range(4):
    y[np.flatnonzero(truth == label)[:3]] = label

model = OrdinalKernelClassifier().fit(X, y)
hidden = y == -1
print("mean absolute error on unlabelled rows:", np.abs(model.predict(X) - truth)[hidden].mean())

# %%
# Which features are relevant: from twelve rows alone, and from the learned labels of all rows.
few = OrdinalRelevanceClassifier(random_state=0).fit(X[~hidden], y[~hidden])
learned = OrdinalRelevanceClassifier(random_state=0).fit(X, model.transduction_)
print("truth:                ", relevance)
print("from 12 labelled rows:", few.relevance_classes_)
print("from learned labels:  ", learned.relevance_classes_)

# %%
# The learned order on the left, the features that it uses on the right.
figure, axes = plt.subplots(1, 2, figsize=(12, 4), layout="constrained")
OrdinalProjectionDisplay.from_estimator(model, X, y, ax=axes[0])
RelevanceDisplay.from_estimator(learned, ax=axes[1])
plt.show()
