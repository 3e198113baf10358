"""Names and labels that would steer a terminal are written out."""

import json

import numpy as np
import pandas as pd
import pytest

from allrelevant.cli import main
from allrelevant.datasets import make_classification

NAMES = ["\x1b[31mred", "two\nlines", "\u202eback", "bell\x07\x9b2J"]
LABELS = ["no\x1b[2J", "y\ne\u202es"]
HARMLESS = {"\n", "\t"}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A table that means harm, as a file."""
    X, y, _ = make_classification(60, n_strong=1, n_weak=2, n_irrelevant=1, random_state=0)
    frame = pd.DataFrame(X, columns=NAMES)
    frame["town\x1b]0;title\x07"] = np.array(["north\x1b[1m", "south", "we\nst"])[np.arange(60) % 3]
    path = tmp_path_factory.mktemp("data") / "hostile.csv"
    frame.assign(ill=[LABELS[int(k > 0)] for k in y]).to_csv(path, index=False)
    return str(path)


def printed(capsys):
    out, err = capsys.readouterr()
    raw = {c for c in out + err if not c.isprintable()} - HARMLESS
    assert not raw, f"{raw} reached the terminal"
    return out, err


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["fit", "--by-column"],
        ["groups", "--by-column"],
        ["sets", "--by-column"],
        ["predict-range", "--by-column"],
        ["whatif", "--by-column", "--forbid", "\\x1b[31mred"],
        ["whatif", "--by-column", "--sign", "two lines=-", "--sign", "two lines=+"],
        ["fit", "--target", "\x1b[31m"],
        ["fit", "--drop", "\x1b[31mred\n"],
        ["fit", "--order", "a\x1b,b"],
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_nothing_steers_the_terminal(hostile, command, capsys):
    name, *more = command
    code = main([name, hostile, "--target", "ill", *more])
    out, err = printed(capsys)
    assert out if code == 0 else err.splitlines()[-1].startswith("allrelevant: ")
    assert "red" in out or "\\x1b" in err


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_file_of_any_name(tmp_path, capsys):
    assert main(["fit", str(tmp_path / "\x1b[31m.csv"), "-t", "y"]) == 2
    assert "there is no file" in printed(capsys)[1]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_json_keeps_what_it_writes_out(hostile, capsys):
    assert main(["predict-range", hostile, "--target", "ill", "--by-column", "--json"]) == 0
    out, _ = printed(capsys)
    assert json.loads(out)["target"]["positive"] == LABELS[1]
