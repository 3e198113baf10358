"""Words among thousands
=====================

Which words show what a text is about, among thousands that do not? A vectoriser turns texts into a
sparse matrix: a column for every word, nearly all of it zeros. The estimator takes it as it is. For
most words a bound is enough to show that they are no better than noise; such bars end in upper
bounds, marked by ≤.
"""

import matplotlib.pyplot as plt

from allrelevant import RelevanceClassifier, RelevanceDisplay
from allrelevant.datasets import make_text

# %%
# Made-up texts, so that the truth is known.
X, y, truth = make_text(250, n_strong=2, n_weak=6, n_irrelevant=2500, n_groups=2, random_state=0)
print(f"{X.shape[0]} texts, {X.shape[1]} words, {X.nnz / X.shape[0]:.0f} different ones in each")

# %%
# One fit of all words.
model = RelevanceClassifier(random_state=0).fit(X, y)
found = model.relevance_classes_ > 0
print(f"{found[truth > 0].sum()} of {(truth > 0).sum()} words that tell something are found,")
print(f"and {found[truth == 0].sum()} of {(truth == 0).sum()} that do not.")

# %%
# Words that always stand together can stand in for one another.
together = model.groups().members
print([words for group, words in together.items() if group])  # group 0 is all others

# %%
# The words that reach farthest.
RelevanceDisplay.from_estimator(model, max_features=15)
plt.show()
