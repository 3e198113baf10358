"""One method on one data set; run by a Python that has it, which need not have ours.

``python runner.py METHOD DATA.npz SEED`` prints which columns are weakly relevant, which selected
(or strongly relevant), and CPU time. Each method has the settings that its documentation begins
with, and a false discovery rate of 0.1 where it takes one. Those that know nothing of ordered
classes take their numbers for a target.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT"):
    os.environ[_name] = "1"

import json
import resource
import sys
import warnings
from contextlib import redirect_stdout

import numpy as np

from benchmarks.defaults.peers_run import run_ipss, run_knockpy

FDR = 0.1


def ours(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Intervals over all equivalent linear models."""
    import allrelevant

    kinds = {"regression": "RelevanceRegressor", "ordered": "OrdinalRelevanceClassifier"}
    kind = kinds.get(task, "RelevanceClassifier")
    return getattr(allrelevant, kind)(random_state=seed).fit(X, y).relevance_classes_


def our_forest(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """The same classes by boosted trees."""
    import allrelevant

    kind = "ForestRelevanceRegressor" if task == "regression" else "ForestRelevanceClassifier"
    return getattr(allrelevant, kind)(random_state=seed).fit(X, y).relevance_classes_


def lasso(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """What the cross-validated lasso, or logistic regression with its penalty, uses."""
    from sklearn.linear_model import LassoCV, LogisticRegression
    from sklearn.model_selection import GridSearchCV

    if task == "regression":
        return LassoCV(cv=5, random_state=seed).fit(X, y).coef_ != 0
    model = LogisticRegression(penalty="l1", solver="liblinear", random_state=seed)
    grid = {"C": np.geomspace(0.003, 30.0, 9)}
    search = GridSearchCV(model, grid, cv=5, scoring="neg_log_loss")
    return search.fit(X, y).best_estimator_.coef_.ravel() != 0


def sparse_svm(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """What the cross-validated support vector machine with an ℓ1 penalty uses."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import LinearSVC

    machine = LinearSVC(penalty="l1", dual=False, random_state=seed, max_iter=5000)
    search = GridSearchCV(machine, {"C": np.geomspace(0.003, 3.0, 7)}, cv=5)
    return search.fit(X, _two(y, task)).best_estimator_.coef_.ravel() != 0


def elimination(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Recursive elimination, cross-validated, by the weights of an elastic net."""
    from sklearn.feature_selection import RFECV
    from sklearn.linear_model import ElasticNetCV

    # Of classes it sees the codes −1 and 1, as least squares may.
    net = ElasticNetCV(l1_ratio=0.5, cv=3, random_state=seed)
    return RFECV(net, cv=3, step=0.1).fit(X, _codes(y, task)).support_


def stability_selection(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Features among the first √(0.8 d) of the lasso's path in nine of ten halves.

    Meinshausen and Bühlmann's bound: at most one false one is expected.
    """
    from sklearn.linear_model import lars_path

    n, d = X.shape
    first, random = max(int(np.sqrt(0.8 * d)), 1), np.random.default_rng(seed)
    times, target = np.zeros(d), _codes(y, task)
    for _ in range(50):
        order = random.permutation(n)
        for half in (order[: n // 2], order[n // 2 :]):
            few, known = X[half], target[half]
            spread = few.std(axis=0)
            few = (few - few.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
            _, active, _ = lars_path(few, known - known.mean(), method="lasso", max_iter=first)
            times[list(active)[:first]] += 1
    return times >= 90


def boruta(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Forest importances against those of shadows."""
    from boruta import BorutaPy

    search = BorutaPy(_forest(task, seed, max_depth=5), n_estimators="auto", random_state=seed)
    return search.fit(X, y).support_


def permutation(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Features whose shuffling costs a forest more than two standard deviations, held out."""
    from sklearn.inspection import permutation_importance
    from sklearn.model_selection import train_test_split

    parts = train_test_split(X, y, test_size=1 / 3, random_state=seed)
    forest = _forest(task, seed, n_estimators=200).fit(parts[0], parts[2])
    found = permutation_importance(forest, parts[1], parts[3], n_repeats=10, random_state=seed)
    return found.importances_mean > 2 * found.importances_std


def shapley(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Features with more than the mean of mean |SHAP| in boosted trees."""
    import lightgbm
    import shap

    kind = lightgbm.LGBMRegressor if task == "regression" else lightgbm.LGBMClassifier
    trees = kind(n_estimators=100, random_state=seed, n_jobs=1, verbose=-1).fit(X, y)
    values = np.asarray(shap.TreeExplainer(trees).shap_values(X))
    sizes = np.abs(values).mean(axis=0)
    sizes = sizes if sizes.ndim == 1 else sizes.mean(axis=tuple(range(1, sizes.ndim)))
    return sizes > sizes.mean()


def ipss(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Integrated path stability selection with the lasso."""
    return run_ipss(X, y.astype(float), FDR, "l1")


def ipss_boosted(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """The same with boosted trees."""
    return run_ipss(X, y.astype(float), FDR, "gb")


def knockpy(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Gaussian knockoffs with the lasso's statistic."""
    return run_knockpy(X, y.astype(float), FDR)


def hidimstat(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Gaussian knockoffs of another package."""
    from hidimstat import ModelXKnockoff

    search = ModelXKnockoff(random_state=seed)
    search.fit_importance(X, _codes(y, task))
    return np.asarray(search.fdr_selection(FDR, evalues=False)) > 0


def arfs(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Boosted trees and shadows, cross-validated (GrootCV)."""
    import pandas as pd
    from arfs.feature_selection import GrootCV

    objective = "rmse" if task == "regression" else "binary"
    search = GrootCV(objective=objective, cutoff=1, n_folds=5, n_iter=5, silent=True)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    with redirect_stdout(sys.stderr):
        search.fit(frame, pd.Series(y, name="y"), sample_weight=None)
    return np.asarray(search.get_support())


def mord(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """Recursive elimination, cross-validated, by the weights of mord's ordered logistic model."""
    from mord import LogisticAT

    return _ordered_elimination(LogisticAT(), X, y)


def skordinal(X: np.ndarray, y: np.ndarray, task: str, seed: int) -> np.ndarray:
    """The same by skordinal's proportional odds."""
    from skordinal.classifiers import POM

    return _ordered_elimination(POM(), X, y)


def _ordered_elimination(model: object, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    from sklearn.feature_selection import RFECV
    from sklearn.preprocessing import StandardScaler

    search = RFECV(model, cv=5, step=0.1, scoring="neg_mean_absolute_error")
    return search.fit(StandardScaler().fit_transform(X), y).support_


def _forest(task: str, seed: int, **settings: object) -> object:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    kind = RandomForestRegressor if task == "regression" else RandomForestClassifier
    return kind(n_jobs=1, random_state=seed, **settings)


def _codes(y: np.ndarray, task: str) -> np.ndarray:
    return y if task == "regression" else 2.0 * y - 1.0


def _two(y: np.ndarray, task: str) -> np.ndarray:
    return (y > np.median(y)).astype(int) if task == "regression" else y


# By the name on the page: what runs it, the environment that has it, the most columns it is asked
# for, and whether it tells strong from weak.
METHODS = {
    "allrelevant": (ours, "ours", 10_000, True),
    "allrelevant, forest": (our_forest, "ours", 500, True),
    "lasso": (lasso, "ours", 10_000, False),
    "ℓ1-SVM": (sparse_svm, "ours", 10_000, False),
    "elastic net + RFECV": (elimination, "ours", 500, False),
    "stability selection": (stability_selection, "ours", 10_000, False),
    "permutation importance": (permutation, "ours", 10_000, False),
    "BorutaPy": (boruta, "peers", 2_000, False),
    "SHAP above its mean": (shapley, "peers", 10_000, False),
    "IPSS, lasso": (ipss, "peers", 10_000, False),
    "IPSS, boosting": (ipss_boosted, "peers", 10_000, False),
    "knockpy": (knockpy, "peers", 3_000, False),
    "hidimstat, knockoffs": (hidimstat, "peers", 3_000, False),
    "arfs, GrootCV": (arfs, "arfs", 500, False),
    "mord + RFECV": (mord, "ordered", 500, False),
    "skordinal + RFECV": (skordinal, "ordered", 500, False),
}
KNOW_ORDER = ("allrelevant", "mord + RFECV", "skordinal + RFECV")


def cpu_seconds() -> float:
    """CPU time of this process and of those it has started."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    name, path, given = sys.argv[1:]
    data = np.load(path)
    np.random.seed(int(given))  # noqa: NPY002 - what some of them draw from
    warnings.simplefilter("ignore")
    start = cpu_seconds()
    task, y = str(data["task"]), data["y"]
    if task == "ordered" and name not in KNOW_ORDER:
        task, y = "regression", y.astype(float)
    found = np.asarray(METHODS[name][0](data["X"], y, task, int(given)))
    classes = 2 * found.astype(int) if found.dtype == bool else found.astype(int)
    weak, strong = (np.flatnonzero(classes == kind).tolist() for kind in (1, 2))
    print(json.dumps({"weak": weak, "strong": strong, "seconds": round(cpu_seconds() - start, 2)}))
