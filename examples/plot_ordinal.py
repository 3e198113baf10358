"""Ordered classes with known truth: one feature that cannot be replaced, a pair that can.

The target has five ordered classes. One feature is indispensable, two are copies of another (one
of them is enough), three are noise.
"""

import matplotlib.pyplot as plt

from allrelevant import OrdinalRelevanceClassifier, RelevanceDisplay
from allrelevant.datasets import make_ordinal

X, y, truth = make_ordinal(300, n_strong=1, n_weak=2, n_irrelevant=3, random_state=0)
model = OrdinalRelevanceClassifier(random_state=0).fit(X, y)

print("truth:", truth)
print("found:", model.relevance_classes_)

# The witness: an equivalent model that does without the first of the two copies.
without = model.ranges_[1].smallest_witness.weights(X.shape[1])
print("weights of a model without feature 1:", without.round(2))

RelevanceDisplay.from_estimator(model)
plt.show()
