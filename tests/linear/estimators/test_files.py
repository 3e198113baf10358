"""Fits in files: what is read answers, to the last bit, as what was written."""

import json
import zipfile
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from estimator_cases import CASES, Case
from privileged_cases import marked
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

import allrelevant
from allrelevant import (
    InfeasibleError,
    RelevanceClassifier,
    RelevanceRegressor,
    SurvivalRelevanceRegressor,
)
from allrelevant.base import saving
from allrelevant.base.archive import ArchiveError, read_archive, write_archive
from allrelevant.datasets import make_classification, make_survival
from allrelevant.linear.estimators import files
from allrelevant.linear.models import Classification

FIRST = Path(__file__).parents[2] / "support" / "saved" / "format-1.0.fit"
QUICK = {"C": 1.0, "n_probes": 5, "confidence": 0.9, "random_state": 0}
SHAPE = {"n_strong": 1, "n_weak": 2, "n_irrelevant": 2, "random_state": 0}
FEW = pytest.mark.filterwarnings("ignore:no feature is strong:UserWarning")


def two_classes():
    return make_classification(70, **SHAPE, noise=0.2, label_noise=0.1)[:2]


def classifier(X=None, baseline="l1", **fit):
    own, y = two_classes()
    X = own if X is None else X(own)
    return RelevanceClassifier(baseline=baseline, **QUICK).fit(X, y, **fit), X


def in_frame(X):
    towns = pd.Categorical(np.array(["x", "y", "z"])[np.arange(len(X)) % 3])
    return pd.DataFrame(X, columns=list("abcde")).assign(town=towns)


def with_privileged():
    X, privileged, y = marked(np.random.default_rng(0), Classification())
    model = RelevanceClassifier(gamma=0.1, **QUICK).fit(X, y, X_privileged=privileged)
    return model, X


def survival():
    X, y = make_survival(70, **SHAPE)[:2]
    return SurvivalRelevanceRegressor(**QUICK).fit(X, y), X


def many_classes():
    X, y, _ = make_classification(60, n_classes=3, **SHAPE)
    return RelevanceClassifier(**QUICK).fit(X, y), X


def few_rows():
    """So few that features are asked what they explain, too."""
    X, y = two_classes()
    X = np.hstack([X, np.random.default_rng(0).normal(size=(70, 15))])
    model = RelevanceClassifier(C=1.0, random_state=0).fit(X, y)
    assert model.result_.only_conditional.any()
    return model, X


def quantile():
    X, y = CASES["regression"].data()
    model = RelevanceRegressor(loss="quantile", quantile=0.8, **QUICK)
    return model.fit(X, y), X


def huber():
    X, y = CASES["regression"].data()
    return RelevanceRegressor(loss="huber", **QUICK).fit(X, y), X


def of(case: Case):
    return lambda: (case.fitted(), case.data()[0])


FITS = {name: of(case) for name, case in CASES.items()} | {
    "searched": lambda: (RelevanceClassifier(random_state=0).fit(*two_classes()), two_classes()[0]),
    "l2": lambda: classifier(baseline="l2"),
    "given": lambda: classifier(baseline=LogisticRegression()),
    "sparse": lambda: classifier(lambda X: csr_matrix(np.where(np.abs(X) > 1, X, 0))),
    "categories": lambda: classifier(in_frame),
    "groups of rows": lambda: classifier(groups=np.arange(70) // 2),
    "privileged": with_privileged,
    "survival": survival,
    "many classes": many_classes,
    "quantile": quantile,
    "huber": huber,
    "few rows": few_rows,
}


def alike(one, other, where=""):
    """Whether two objects are the same to the last bit, wherever they hold numbers."""
    assert type(one) is type(other), where
    if isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), where
        same = one.tolist() == other.tolist() if one.dtype == object else one.tobytes()
        assert same is True or same == other.tobytes(), where
        assert one.flags.f_contiguous == other.flags.f_contiguous, where
    elif is_dataclass(one) and not isinstance(one, type):
        for field in fields(one):
            alike(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), where
        for k, (left, right) in enumerate(zip(one, other, strict=True)):
            alike(left, right, f"{where}[{k}]")
    elif isinstance(one, float):
        assert np.float64(one).tobytes() == np.float64(other).tobytes(), where
    elif isinstance(one, str | int | None):
        assert one == other, where


def without(model, feature):
    """What becomes of the intervals, or the tolerance that it would take."""
    try:
        return model.what_if(forbid=[feature]).intervals
    except InfeasibleError as error:
        return error.tolerance


@FEW
@pytest.mark.slow
@pytest.mark.parametrize("make", FITS.values(), ids=FITS)
def test_what_is_loaded_answers_to_the_last_bit_as_before(make, tmp_path):
    model, X = make()
    model.save(tmp_path / "fit")
    again = allrelevant.load(tmp_path / "fit")
    assert set(vars(again)) == set(vars(model))
    assert again.result_ == model.result_
    alike(model.equivalent_models_, again.equivalent_models_, "models")
    for name in vars(model):
        if name.endswith("_") and name != "fitted_set_":
            alike(getattr(model, name), getattr(again, name), name)
    alike(model.predict(X), again.predict(X))
    before, after = model.prediction_range(X[:5]), again.prediction_range(X[:5])
    # What was solved since the fit is not in the file, so programs start elsewhere: last digits.
    np.testing.assert_allclose(before.low, after.low, atol=1e-10)
    np.testing.assert_allclose(before.high, after.high, atol=1e-10)
    weakest = model.result_.names[model.result_.order[-1]]
    before, after = model.what_if(forbid=[weakest]), again.what_if(forbid=[weakest])
    np.testing.assert_allclose(before.intervals, after.intervals, atol=1e-10)
    np.testing.assert_allclose(before.signed_intervals, after.signed_intervals, atol=1e-10)
    assert before.class_names == after.class_names
    strongest = model.result_.names[model.result_.order[0]]
    for bound in ("min", "max"):
        alike(model.witness(strongest, bound).coef_, again.witness(strongest, bound).coef_)
    np.testing.assert_allclose(without(model, strongest), without(again, strongest), atol=1e-10)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("fits") / "fit"
    CASES["classification"].fitted().save(path)
    return path


@pytest.mark.slow
def test_saving_again_is_the_same_file_and_all_questions_are_there(saved, tmp_path):
    again = allrelevant.load(saved)
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == saved.read_bytes()
    model = CASES["classification"].fitted()
    # What a fit has left open decides where questions start from, and so their last digits.
    left = [[one.is_half for one in each.fitted_set_.found_ranges] for each in (again, model)]
    assert left[0] == left[1]
    assert any(left[0])
    assert not any(one.is_half for one in vars(again.fitted_set_.analysis)["ranges"])
    assert again.groups().to_json() == model.groups().to_json()
    alike(list(again.smallest_sets()), list(model.smallest_sets()))
    assert again.stability(2, groups=None) == model.stability(2, groups=None)


def test_what_no_file_can_hold_is_said(tmp_path):
    model, _ = classifier(baseline=LogisticRegression())
    model.random_state = np.random.RandomState(0)
    model.save(tmp_path / "fit")
    again = allrelevant.load(tmp_path / "fit")
    assert repr(again.baseline) == "<not saved: LogisticRegression()>"
    assert "<not saved: RandomState(MT19937)" in repr(again.random_state)
    with pytest.raises(ValueError, match=r"not LogisticRegression itself.*: fit again"):
        again.set_params(random_state=0).stability(1, groups=None)
    with pytest.raises(ValueError, match="baseline must be"):
        again.fit(*two_classes())


def test_only_fitted_estimators_of_ours_are_saved(tmp_path):
    class Another(RelevanceClassifier):
        pass

    with pytest.raises(TypeError, match="Another is none of them"):
        Another(**QUICK).fit(*two_classes()).save(tmp_path / "fit")
    with pytest.raises(ValueError, match="not fitted"):
        RelevanceClassifier().save(tmp_path / "fit")
    assert not list(tmp_path.iterdir())


def changed(path, saved, change):
    """The same file with another document."""
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(path, "w") as new:
        for member in old.infolist():
            content = old.read(member)
            if member.filename == "document.json":
                document = json.loads(content)
                change(document)
                content = json.dumps(document).encode()
            new.writestr(member, content)
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(version=[2, 0]), "has version 2 of the format.* fit again"),
        (lambda d: d.update(version="1"), "is not a file that allrelevant saved"),
        (lambda d: d.update(format="other"), "is not a file that allrelevant saved"),
        (lambda d: d.update(estimator="os.system"), "is damaged"),
        (lambda d: d.pop("analysis"), "is damaged"),
        (lambda d: d.update(analysis=None), "is damaged"),
        (lambda d: d["objects"][0].__setitem__(0, "subprocess.Popen"), "unknown kind of object"),
        (lambda d: d["parameters"].update(__class__=1), "is damaged"),
        (lambda d: d["state"].update(predict=1, n_features_in_="many"), "is damaged"),
        (lambda d: d.update(result={"array": 0}), "is damaged"),
    ],
)
def test_other_documents_are_refused(saved, tmp_path, change, said):
    path = changed(tmp_path / "fit", saved, change)
    with pytest.raises(ValueError, match=said):
        allrelevant.load(path)


def with_array(document, arrays, of, field, change):
    """The same arrays but for that of a field of the first object of a kind."""
    (place,) = next(content[field] for kind, content in document["objects"] if kind == of).values()
    arrays[place] = change(arrays[place])


@pytest.mark.parametrize(
    ("of", "field", "change"),
    [
        ("RelevanceResult", "intervals", lambda a: a * 2.0),
        ("RelevanceResult", "intervals", lambda a: a[:, :1]),
        ("Reference", "weights", lambda a: np.full_like(a, np.nan)),
        ("Pieces", "weight", lambda a: a[:-1]),
        ("Pieces", "target", lambda a: -a),
        ("Pieces", "row", lambda a: a + 1),
    ],
)
def test_changed_arrays_are_refused(saved, tmp_path, of, field, change):
    """Most would be answered wrongly, some for ever."""
    document, arrays = read_archive(saved)
    with_array(document, arrays, of, field, change)
    write_archive(tmp_path / "fit", document, arrays)
    with pytest.raises(ArchiveError, match="is damaged"):
        allrelevant.load(tmp_path / "fit")


def test_a_changed_table_beside_the_fit_is_refused(saved, tmp_path):
    for change in (
        lambda d: d.update(beside=1),
        lambda d: d["written_by"].update(allrelevant="0.0.1"),
        lambda d: d.update(seal="0"),
        lambda d: d.pop("seal"),
    ):
        path = changed(tmp_path / "fit", saved, change)
        with pytest.raises(ArchiveError, match="was changed after it had been saved"):
            allrelevant.load(path)


def test_a_newer_minor_version_is_read(tmp_path, monkeypatch):
    model = CASES["classification"].fitted()
    monkeypatch.setattr(saving, "VERSION", (1, 9))
    model.save(tmp_path / "fit")
    monkeypatch.undo()
    assert allrelevant.load(tmp_path / "fit").result_ == model.result_


def test_a_file_of_the_first_format_is_read():
    """What it says does not change; a new field needs a default for files that lack it."""
    model = allrelevant.load(FIRST)
    assert model.result_.names == ("age", "height", "girth", "luck", "town")
    assert model.result_.class_names == ("strong", "weak", "weak", "irrelevant", "irrelevant")
    asked = model.what_if(forbid=["height"]).to_frame().set_index("feature")
    ends = asked.loc["girth", ["min", "max"]].astype(float)
    np.testing.assert_allclose(ends, [0.325, 0.9], atol=1e-3)
    cells = {"age": [0.5, -1.0], "height": [-1.0, 1.0], "girth": [0.2, 0.1], "luck": 0.0}
    people = pd.DataFrame(cells | {"town": ["y", "x"]})
    assert model.predict(people).tolist() == ["well", "ill"]


def test_the_list_of_kinds_names_each_once():
    assert len({kind.owner for kind in files.KINDS.values()}) == len(files.KINDS)
    assert all(name == kind.owner.__name__ for name, kind in files.KINDS.items())
