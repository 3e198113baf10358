"""Whether half of the patients would have told the same.

The rows of the breast cancer data are split into two halves, fifty times, and either half is
fitted by itself. What nearly all halves find does not hang on a few patients.
"""

from time import process_time

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from allrelevant import RelevanceClassifier, StabilityDisplay

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
start = process_time()
model = RelevanceClassifier(random_state=0).fit(X, y)
fit = process_time() - start
stability = model.stability()
print(stability)
cost = (process_time() - start - fit) / fit
print(f"\n{2 * stability.n_splits} halves, and the groups, took the CPU time of {cost:.0f} fits.")

# Which features can be relied on, and which might be different in the next sample?
frame = stability.to_frame(sort=True)
print(f"\nselected by nine of ten halves: {', '.join(stability.often(0.9))}")
doubtful = frame[(frame["selected"] > 0.1) & (frame["selected"] < 0.9)]
print(f"{len(doubtful)} of {len(frame)} features are selected by some halves and not by others.")

# Features that stand in for one another may take turns: how often is at least one selected?
names = ["mean texture", "worst texture", "texture error"]
alone = ", ".join(f"{name} {stability.one_of([name]):.0%}" for name in names)
print(f"{alone}; at least one of them {stability.one_of(names):.0%}")

StabilityDisplay.from_result(stability)
plt.show()
