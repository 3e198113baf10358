"""Few labels, then features
=========================

Of 400 rows in four ordered classes, twelve are labelled: too few to say anything about features.
``OrdinalKernelClassifier`` learns the order from them and from the distribution of all rows.
``OrdinalRelevanceClassifier`` is then fitted to the labels that were predicted for all rows. It
finds the two features that cannot be replaced and the two copies. It also finds two columns of
noise: they do not contribute to the true classes, but a little to the predicted ones. Predicted
labels are a function of the features without noise, and every feature in that function is relevant.
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
