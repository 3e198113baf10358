"""The command `path` prints and draws what the method gives."""

import json

import pandas as pd
import pytest
from cli_cases import run

from allrelevant import RelevancePath


@pytest.mark.slow
def test_table_json_picture_and_file(path, model, tmp_path, capsys):
    answer = model.path_over_c([0.1, 1.0])
    picture = tmp_path / "path.png"
    asked = ("path", path, "--at", "1", "--at", "0.1")
    table = tmp_path / "path.csv"
    files = ("--plot", str(picture), "--out", str(table))
    assert run(capsys, *asked, *files) == f"{answer}\n"
    pd.testing.assert_frame_equal(pd.read_csv(table), answer.to_frame())
    assert picture.read_bytes()[1:4] == b"PNG"
    document = json.loads(run(capsys, *asked, "--json"))
    assert document["indispensable"] == answer.indispensable
    assert RelevancePath.from_json(json.dumps(document["result"])) == answer
