"""Every question has a picture: one file each, in which letters are letters."""

import re

import pytest
from cli_cases import run


def drawn(capsys, tmp_path, *asked):
    """The words on a picture that a command writes."""
    picture = tmp_path / "picture.svg"
    run(capsys, *asked, "--plot", str(picture))
    return set(re.findall(r"<text[^>]*>([^<]*)</text>", picture.read_text()))


@pytest.mark.slow
def test_what_if(path, tmp_path, capsys):
    words = drawn(capsys, tmp_path, "whatif", path, "--forbid", "height")
    assert {"age", "height", "girth", "forbidden", "before"} <= words


@pytest.mark.slow
def test_groups_are_those_of_the_models_that_are_left(path, tmp_path, capsys):
    words = drawn(capsys, tmp_path, "groups", path)
    assert {"age", "height", "girth", "weak"} <= words
    words = drawn(capsys, tmp_path, "groups", path, "--forbid", "height")
    assert {"age", "girth", "strong"} <= words
    assert not {"height", "weak"} & words


@pytest.mark.slow
def test_ranges_of_predictions(path, model, frame, tmp_path, capsys):
    words = drawn(capsys, tmp_path, "predict-range", path, "--forbid", "height")
    ranges = model.prediction_range(frame[list(model.feature_names_in_)], forbid=["height"])
    n_settled = int(ranges.settled.sum())
    assert f"settled ({n_settled} of 80)" in words
    few = tmp_path / "few.csv"
    frame.head(3).to_csv(few, index=False)
    words = drawn(capsys, tmp_path, "predict-range", path, "--samples", str(few))
    assert {"1", "2", "3"} <= words, "samples have their numbers in the table"
    assert "0" not in words - {"0.0"}


@pytest.mark.slow
def test_one_sample_explained(path, tmp_path, capsys):
    words = drawn(capsys, tmp_path, "predict-range", path, "--explain", "5")
    assert "range over all good models" in words
    assert any(word.startswith("age = ") for word in words)
