"""Ordered classes with known truth
================================

The target has five ordered classes. One feature is indispensable, two are copies of another (one
of them is enough), and three are noise.
"""

import matplotlib.pyplot as plt

from allrelevant import OrdinalRelevanceClassifier, RelevanceDisplay
from allrelevant.datasets import make_ordinal

# %%
# Truth and answer: 2 is strong, 1 weak, 0 irrelevant.
X, y, truth = make_ordinal(300, n_strong=1, n_weak=2, n_irrelevant=3, random_state=0)
model = OrdinalRelevanceClassifier(random_state=0).fit(X, y)

print("truth:", truth)
print("found:", model.relevance_classes_)

# %%
# The witness: an equally good model that does without the first of the two copies.
print(model.witness(1).to_frame().round(2))

# %%
# The picture.
RelevanceDisplay.from_estimator(model)
plt.show()
