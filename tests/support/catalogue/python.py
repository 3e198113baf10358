"""Calls of the library that are refused."""

import warnings
from functools import cache
from tempfile import TemporaryDirectory

import dask.array as da
import numpy as np
import pandas as pd
import polars
from array_rows import ArrayRows
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import allrelevant
from allrelevant import datasets
from allrelevant.data import open_parquet
from allrelevant.tabular import prepare

# Of these, X and y are good, and so are the frame and the fitted models; `classes` has three
# classes, `towns` a category of ten levels.
PYTHON = [
    # tables
    "RelevanceClassifier().fit(frame.assign(age=None), y)",
    "RelevanceClassifier().fit(frame.assign(age=[f'person {k}' for k in range(len(frame))]), y)",
    "RelevanceClassifier().fit(frame.assign(age=['old', *frame['age'].astype(str)[1:]]), y)",
    "RelevanceClassifier().fit(np.full_like(X, np.nan), y)",
    "RelevanceClassifier().fit(np.where(X > 2, np.inf, X), y)",
    "RelevanceClassifier().fit(X * 1e200, y)",
    "RelevanceClassifier().fit(frame.rename(columns={'dose': 'age'}), y)",
    "ForestRelevanceClassifier().fit(frame.rename(columns={'dose': 'age'}), y)",
    "prepare(frame.rename(columns={'dose': 'age'}), 'weight')",
    "prepare(frame.assign(town=['(missing)', None] * 30, y=y), 'y')",
    "RelevanceClassifier().fit(X.astype(str) + 'm', y)",
    "RelevanceClassifier().fit([['red', 1.0], ['blue', 2.0]] * 30, y)",
    "RelevanceClassifier().fit(X.astype('timedelta64[s]'), y)",
    "RelevanceClassifier().fit(X.astype('datetime64[s]'), y)",
    "RelevanceClassifier().fit(np.ma.masked_greater(X, 2), y)",
    "RelevanceClassifier().fit(X, y, X_privileged=X[:5])",
    "RelevanceClassifier().fit(csr_array(X), y, X_privileged=X)",
    "RelevanceClassifier().fit(X, y, X_privileged=X[:, :0])",
    "RelevanceClassifier().fit(X, y, X_privileged=np.ma.masked_greater(X, 2))",
    "RelevanceClassifier(privileged=['age']).fit(X, y)",
    "RelevanceClassifier(privileged='age').fit(frame, y)",
    "RelevanceClassifier(privileged=['zebra']).fit(frame, y)",
    "RelevanceClassifier(privileged=['age']).fit(frame, y, X_privileged=X)",
    "ForestRelevanceClassifier().fit(np.where(X > 2, np.inf, X), y)",
    "ForestRelevanceClassifier().fit(X.astype(str) + 'm', y)",
    "RelevanceClassifier().fit(polars.LazyFrame(frame), y)",
    "ForestRelevanceClassifier().fit(polars.LazyFrame(frame), y)",
    "forest_from_file.predict(X)",
    "TablePreparer(numeric=['aeg']).fit(frame)",
    "TablePreparer(dates='weeks').fit(frame)",
    "TablePreparer(impute='none').fit(frame.where(frame < 1))",
    "TablePreparer(dates='days').fit(frame.assign(day='01/02/2024'))",
    "TablePreparer().fit(frame[:1])",
    "TablePreparer(drop=list(frame)).fit(frame)",
    "TablePreparer().fit(frame.assign(town=list('ab') * 30)).transform(frame.assign(town='c'))",
    "compare(model, 3)",
    "compare(model, classes)",
    "RelevanceClassifier().fit(frame, y, X_privileged=frame[['age']])",
    "RelevanceClassifier().fit(frame.rename(columns={'age': 'p0'}), y, X_privileged=X[:, :1])",
    "model.predict(frame * np.nan)",
    "model.predict(frame.assign(age='old'))",
    # targets
    "RelevanceClassifier().fit(X, None)",
    "RelevanceClassifier().fit(X, y * 0)",
    "RelevanceClassifier().fit(X, X[:, 0])",
    "OrdinalRelevanceClassifier().fit(X, X[:, 0])",
    "RejectOptionRelevanceClassifier().fit(X, np.arange(len(y)) % 3)",
    "RelevanceClassifier().fit(X, np.arange(len(y)) % 3, X_privileged=X)",
    "RelevanceClassifier(baseline='l2').fit(X, np.arange(len(y)) % 3)",
    "RelevanceClassifier().fit(X, np.arange(len(y)))",
    "classes.what_if(signs={'age': 1})",
    "classes.what_if(signs={'age': ['mild', 'mild']})",
    "classes.range_of({'age': 1})",
    "classes.region('age', 'dose', classes='ab')",
    "classes.explain(frame, classes=['mild'])",
    "RelevanceRegressor(C=1.0, n_probes=3).fit(X, X[:, 0]).range_of({0: 1}, classes=(0, 1))",
    "classes.between('none', 'severe')",
    "model.between(0, 2)",
    "model.between(1, 1)",
    "RelevanceClassifier().fit(X, np.where(y, np.nan, 1.0))",
    "RelevanceClassifier().fit(X, [None, *y[1:]])",
    "RelevanceClassifier().fit(X, np.ma.masked_equal(y, 1))",
    "RelevanceClassifier().fit(X, y.astype('timedelta64[s]'))",
    "RelevanceRegressor().fit(X, y.astype('timedelta64[s]'))",
    "RelevanceRegressor().fit(X, y.astype('datetime64[D]'))",
    "RelevanceRegressor().fit(X, np.ma.masked_equal(y, 1))",
    "RelevanceRegressor().fit(X, np.where(y, np.inf, 1.0))",
    "RelevanceRegressor(loss='quantile', quantile=90).fit(X, y)",
    "RelevanceRegressor(loss='quantile', epsilon=0.1).fit(X, y)",
    "RelevanceRegressor(quantile=0.9).fit(X, y)",
    "RelevanceRegressor(loss='pinball').fit(X, y)",
    "RelevanceRegressor(loss='huber', epsilon=0.1).fit(X, y)",
    "RelevanceRegressor(loss='huber').fit(X, y, X_privileged=X[:, :1])",
    "SurvivalRelevanceRegressor().fit(X, y + 1)",
    "SurvivalRelevanceRegressor().fit(X, np.column_stack([y, y]))",
    "SurvivalRelevanceRegressor().fit(X, np.column_stack([y, y + 1]))",
    "SurvivalRelevanceRegressor().fit(X, np.column_stack([y + 1, 0 * y]))",
    'SurvivalRelevanceRegressor().fit(X, np.column_stack([y + 1, ["alive"] * len(y)]))',
    "OrdinalRelevanceClassifier().fit(X, y * 0)",
    "OrdinalRelevanceClassifier(classes=[0, 2]).fit(X, y)",
    "OrdinalRelevanceClassifier(classes=[0, 0, 1]).fit(X, y)",
    "OrdinalRelevanceClassifier(classes={0, 1}).fit(X, y)",
    "OrdinalRelevanceClassifier(classes='01').fit(X, y)",
    "OrdinalRelevanceClassifier().fit(np.zeros((5000, 2)), np.arange(5000))",
    "OrdinalKernelClassifier().fit(X, y * 0 - 1)",
    "OrdinalKernelClassifier().fit(X, y.astype('datetime64[D]'))",
    "ForestRelevanceRegressor().fit(X, np.where(y, np.nan, 1.0))",
    "ForestRelevanceClassifier().fit(X, np.ma.masked_equal(y, 1))",
    "ForestRelevanceClassifier(classes=[0, 1]).fit(X, y)",
    # weights, groups and folds
    "RelevanceClassifier().fit(X, y, sample_weight=-np.ones(len(y)))",
    "RelevanceClassifier().fit(X, y, sample_weight=np.arange(len(y)) == 3)",
    "RelevanceClassifier().fit(X, y, sample_weight=np.full(len(y), 1e16))",
    "RelevanceClassifier().fit(X, y, sample_weight=np.ma.masked_equal(y, 1))",
    "RelevanceClassifier().fit(X, y, sample_weight=y.astype('timedelta64[s]'))",
    "RelevanceClassifier().fit(X, y, groups=np.zeros(len(y)))",
    "RelevanceClassifier().fit(X, y, groups=np.where(y, np.nan, 1.0))",
    "RelevanceClassifier().fit(X, y, groups=np.ma.masked_equal(y, 1))",
    "RelevanceClassifier(cv=1).fit(X, y)",
    "RelevanceClassifier(cv='five').fit(X, y)",
    "RelevanceClassifier(cv=[([0, 1], [900])]).fit(X, y)",
    # parameters
    "RelevanceClassifier(C=0).fit(X, y)",
    "RelevanceClassifier(C='best').fit(X, y)",
    "RelevanceClassifier(C=10**400).fit(X, y)",
    "RelevanceClassifier(tolerance=-0.1).fit(X, y)",
    "RelevanceClassifier(tolerance=(0.1,)).fit(X, y)",
    "RelevanceClassifier(budget='both').fit(X, y)",
    "RelevanceClassifier(n_probes=1).fit(X, y)",
    "RelevanceClassifier(n_probes=2.5).fit(X, y)",
    "RelevanceClassifier(probes='some').fit(X, y)",
    "RelevanceClassifier(confidence=0.4).fit(X, y)",
    "RelevanceClassifier(fdr=2).fit(X, y)",
    "RelevanceClassifier(standardize='no').fit(X, y)",
    "RelevanceClassifier(select='all').fit(X, y)",
    "RelevanceClassifier(scoring=3).fit(X, y)",
    "RelevanceRegressor(scoring='deviance').fit(X, y)",
    "RelevanceClassifier(loss='squared').fit(X, y)",
    "RelevanceClassifier(loss='logistic').fit(X, y, X_privileged=X[:, :1])",
    "OrdinalRelevanceClassifier(loss='logistic').fit(X, y, X_privileged=X[:, :1])",
    "RelevanceClassifier(n_jobs=0).fit(X, y)",
    "RelevanceClassifier(checkpoint='run.part').fit(X, y)",
    "RelevanceClassifier(verbose=-1).fit(X, y)",
    "RelevanceClassifier(class_weight='heavy').fit(X, y)",
    "RelevanceClassifier(class_weight={7: 1.0}).fit(X, y)",
    "RelevanceClassifier(class_weight={0: -1.0}).fit(X, y)",
    "RelevanceClassifier(gamma=0).fit(X, y, X_privileged=X)",
    "RelevanceClassifier(column_groups=['age']).fit(frame, y)",
    "RelevanceClassifier(column_groups={'both': ['age', 'zebra']}).fit(frame, y)",
    "RelevanceClassifier(column_groups={'both': []}).fit(frame, y)",
    "RelevanceClassifier(column_groups={'age': ['age', 'dose']}).fit(frame, y)",
    "RelevanceRegressor(epsilon=-1).fit(X, y)",
    "RelevanceClassifier(baseline='ridge').fit(X, y)",
    "RelevanceClassifier(baseline=LogisticRegression).fit(X, y)",
    "RelevanceClassifier(prefit=True).fit(X, y)",
    "RelevanceClassifier(baseline=LogisticRegression().fit(X, y), prefit='yes').fit(X, y)",
    "RelevanceClassifier(baseline=logistic, prefit=True).fit(frame[frame.columns[::-1]], y)",
    "RelevanceClassifier(baseline=LogisticRegression(), prefit=True).fit(X, y)",
    "RelevanceClassifier(baseline=LogisticRegression().fit(X[:, :2], y), prefit=True).fit(X, y)",
    "RelevanceClassifier(baseline=LogisticRegression().fit(X, y + 1), prefit=True).fit(X, y)",
    "RelevanceClassifier(baseline=DecisionTreeClassifier()).fit(X, y)",
    "RelevanceClassifier(baseline=SVC()).fit(X, y)",
    "RelevanceRegressor(baseline=LogisticRegression()).fit(X, y)",
    "OrdinalRelevanceClassifier(baseline=LogisticRegression()).fit(X, y)",
    "RelevanceClassifier(baseline='l2').fit(X, y, X_privileged=X)",
    "OrdinalRelevanceClassifier(order='any').fit(X, y)",
    "OrdinalRelevanceClassifier(slacks='none').fit(X, y)",
    "RelevanceFilter(threshold=1).fit(X, y)",
    "model.path_over_c(Cs=[])",
    "datasets.make_reject(kind=4)",
    "RejectOptionRelevanceClassifier(C=1.0, n_probes=5).fit(X, y).reject_range(X, y + 5)",
    "RelevanceFilter(LogisticRegression()).fit(X, y)",
    "RelevanceFilter(RelevanceClassifier(privileged=['age'])).fit(frame, y)",
    "RejectOptionRelevanceClassifier(reject_cost=0.7).fit(X, y)",
    "RejectOptionRelevanceClassifier(reject_threshold=-1).fit(X, y)",
    "OrdinalKernelClassifier(gamma=0).fit(X, y)",
    "OrdinalKernelClassifier(n_neighbors=0).fit(X, y)",
    "ForestRelevanceClassifier(method='trees').fit(X, y)",
    "ForestRelevanceClassifier(alpha=2).fit(X, y)",
    "ForestRelevanceClassifier(estimator='forest of mine').fit(X, y)",
    # questions
    "model.range_of()",
    "model.range_of(['age'])",
    "model.range_of({'agee': 1})",
    "model.range_of({'age': np.inf})",
    "model.range_of(scores={0: 1})",
    "model.range_of(scores={99: 1}, X=frame)",
    "model.region('age', 'age')",
    "model.sample_models(0)",
    "model.what_if(forbid='age')",
    "model.what_if(forbid=['aeg'])",
    "model.what_if(forbid=[7])",
    "model.what_if(bounds={'age': 0.5})",
    "model.what_if(bounds={'age': (0.5, 0.1)})",
    "towns.what_if(bounds={'town': (0, 0.2)})",
    "towns.what_if(bounds={'town': (0.1, 0.2)})",
    "model.what_if(signs={'age': 2})",
    "model.what_if(keep=['age'], forbid=['age'])",
    "model.witness('aeg')",
    "model.witness('age', 'middle')",
    "model.groups(n_groups=0)",
    "model.substitutes('aeg')",
    "model.explain(frame, 99)",
    "model.explain(frame, 0, groups=[['age', 'dose'], ['age']])",
    "model.smallest_sets(0)",
    "model.smallest_sets(one_of=['age'])",
    "model.smallest_sets(one_of=[[]])",
    "model.cheapest_set({'aeg': 1})",
    "model.cheapest_set({'age': -1})",
    "model.cheapest_set(['age'])",
    "model.stability(n_splits=0)",
    "model.stability(groups=3)",
    "model.prediction_range(frame * np.nan)",
    "RelevanceResult.from_json('{}')",
    "mean_absolute_rank_error([0, 1], [0, None])",
    "mean_absolute_rank_error([0, 1], [0, 3], classes=[0, 1])",
    "mean_absolute_rank_error([], [])",
    "mean_absolute_rank_error(y, y, sample_weight=-y)",
    "datasets.make_classification(20, n_strong=0, n_weak=0)",
    "datasets.make_classification(0)",
    "prepare(frame, 'zebra')",
    "prepare(frame.assign(y=[[1]] * len(y)), 'y')",
    # rows that are elsewhere
    "open_parquet('nowhere/*.parquet', 'ill')",
    "RelevanceClassifier().fit(rows, y)",
    "RelevanceClassifier().fit(rows, rows.target, groups=y)",
    "RelevanceClassifier(baseline='l2').fit(rows, rows.target)",
    "RejectOptionRelevanceClassifier().fit(rows, rows.target)",
    "RelevanceClassifier().fit(da.from_array(np.where(X > 2, np.nan, X), chunks=20), y)",
    "RelevanceClassifier().fit(da.from_array(X, chunks=20), y % 1)",
    "RelevanceClassifier().fit(da.from_array(X, chunks=20), np.arange(60) % 3)",
    "RelevanceClassifier().fit(da.from_array(X, chunks=20), y[:5])",
    "RelevanceClassifier().fit(da.from_array(X, chunks=20), da.from_array(y[:5]))",
    "RelevanceClassifier().fit(X, da.from_array(y))",
    "elsewhere.groups()",
    "elsewhere.save('here.fit')",
]


def _from_file(frame, y):
    forest = allrelevant.ForestRelevanceClassifier(estimator="linear", random_state=0, max_blocks=2)
    with TemporaryDirectory() as folder:
        forest.fit(frame, y).save(f"{folder}/forest.fit")
        return allrelevant.load(f"{folder}/forest.fit")


@cache
def _names():
    X, y, _ = datasets.make_classification(60, n_strong=1, n_weak=2, random_state=0)
    y = (y > 0).astype(int)
    frame = pd.DataFrame(X[:, :3], columns=["age", "dose", "weight"])
    model = allrelevant.RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(frame, y)
    grades = np.array(["mild", "none", "some"])[(frame["age"] > -0.5).astype(int) + y]
    classes = allrelevant.RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(frame, grades)
    towns = frame.assign(town=[f"town {k % 10}" for k in range(len(frame))])
    towns = allrelevant.RelevanceClassifier(C=1.0, n_probes=10, random_state=0).fit(towns, y)
    given = {"X": X[:, :3], "y": y, "frame": frame, "model": model, "np": np, "pd": pd}
    given |= {"towns": towns}
    given |= {"classes": classes, "logistic": LogisticRegression().fit(frame, y)}
    rows = ArrayRows(X[:, :3], y, size=20)
    elsewhere = allrelevant.RelevanceClassifier(C=1.0, n_probes=10).fit(rows, rows.target)
    given |= {"rows": rows, "da": da, "open_parquet": open_parquet, "elsewhere": elsewhere}
    given["forest_from_file"] = _from_file(frame, y)
    others = {one.__name__: one for one in (LogisticRegression, SVC, DecisionTreeClassifier)}
    return (
        {name: getattr(allrelevant, name) for name in allrelevant.__all__}
        | given
        | others
        | {"polars": polars, "csr_array": csr_array, "datasets": datasets, "prepare": prepare}
    )


def error_of(code):
    """What an error says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(code, dict(_names()))
        except (ValueError, TypeError, allrelevant.InfeasibleError) as error:
            return str(error)
    return None
