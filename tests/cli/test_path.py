"""The command `path` prints and draws what the method gives."""

import json

import pytest
from cli_cases import run

from allrelevant import RelevancePath


@pytest.mark.slow
def test_table_json_and_picture(path, model, tmp_path, capsys):
    answer = model.path_over_c([0.1, 1.0])
    picture = tmp_path / "path.png"
    asked = ("path", path, "--at", "1", "--at", "0.1")
    assert run(capsys, *asked, "--plot", str(picture)) == f"{answer}\n"
    assert picture.read_bytes()[1:4] == b"PNG"
    document = json.loads(run(capsys, *asked, "--json"))
    assert document["indispensable"] == answer.indispensable
    assert RelevancePath.from_json(json.dumps(document["result"])) == answer
