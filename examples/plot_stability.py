"""Would half of the patients give the same answer?
================================================

The rows of the breast cancer data are split into two halves, fifty times, and each half is
fitted by itself. What nearly all halves find does not depend on a few patients.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from allrelevant import RelevanceClassifier, StabilityDisplay

# %%
# One fit, then a hundred halves.
X, y = load_breast_cancer(return_X_y=True, as_frame=True)
model = RelevanceClassifier(random_state=0).fit(X, y)
stability = model.stability()
print(stability)

# %%
# Which features can be relied on, and which might be different in the next sample?
frame = stability.to_frame(sort=True)
print(f"selected by nine of ten halves: {', '.join(stability.often(0.9))}")
doubtful = frame[(frame["selected"] > 0.1) & (frame["selected"] < 0.9)]
print(f"{len(doubtful)} of {len(frame)} features are selected by some halves and not by others.")

# %%
# Features that stand in for one another may take turns: how often is at least one selected?
names = ["mean texture", "worst texture", "texture error"]
alone = ", ".join(f"{name} {stability.one_of([name]):.0%}" for name in names)
print(f"{alone}; at least one of them {stability.one_of(names):.0%}")

# %%
# The picture.
StabilityDisplay.from_result(stability)
plt.show()
