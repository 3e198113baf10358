"""The measurements of a tumour that good linear models need, or can do without.

The breast cancer data that scikit-learn ships have thirty features, many of which say the same
thing in other words. A single fitted model picks some of them; the intervals show how arbitrary
that choice is.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from allrelevant import RelevanceClassifier, RelevanceDisplay

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
model = RelevanceClassifier(random_state=0).fit(X, y)

# The table: strong first, then weak, then irrelevant.
print(model.result_.to_frame(sort=True).round(3).to_string(index=False))

# Does the direction of an effect depend on which of the equivalent models is used?
frame = model.result_.to_frame()
undecided = frame[(frame["low"] < 0) & (frame["high"] > 0)]
print(f"\n{len(undecided)} of {len(frame)} features can have either sign.")

RelevanceDisplay.from_estimator(model)
plt.show()
