"""Measurements of a tumour: which are needed?
===========================================

The breast cancer data that come with scikit-learn have thirty features, many of which measure
nearly the same quantity. A single fitted model picks some of them; the intervals show how arbitrary
that choice is.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from allrelevant import RelevanceClassifier, RelevanceDisplay

# %%
# Fit, and print the table: strong features first, then weak ones, then irrelevant ones.
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
model = RelevanceClassifier(random_state=0).fit(X, y)

print(model.result_.to_frame(sort=True).round(3).to_string(index=False))

# %%
# Does the direction of an effect depend on which of the equivalent models is used?
frame = model.result_.to_frame()
undecided = frame[(frame["low"] < 0) & (frame["high"] > 0)]
print(f"{len(undecided)} of {len(frame)} features can have either sign.")

# %%
# The bars stand for all equally good models, the white diamonds for one of them.
RelevanceDisplay.from_estimator(model)
plt.show()
