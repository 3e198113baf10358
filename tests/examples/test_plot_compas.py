"""The example about risk scores runs, on made-up people of whom the truth is known."""

import runpy
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("Agg")

import matplotlib.pyplot as plt

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "plot_compas.py"


def made_up_people(n=500):
    """Scores that depend on offences and age, and not on race."""
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {name: random.poisson(0.3, n) for name in ("juv_fel_count", "juv_misd_count")}
        | {"juv_other_count": random.poisson(0.3, n), "priors_count": random.poisson(3, n)}
        | {name: random.integers(2, size=n) for name in ("is_recid", "is_violent_recid")}
        | {
            "race": random.choice(["African-American", "Caucasian"], n),
            "sex": random.choice(["Male", "Female"], n),
            "age_cat": random.choice(["Less than 25", "25 - 45", "Greater than 45"], n),
            "c_charge_degree": random.choice(["F", "M"], n),
        }
    )
    young = 2.0 * (table["age_cat"] == "Less than 25")
    risk = table["priors_count"] + young + random.normal(scale=0.5, size=n)
    return table.assign(score_text=pd.cut(risk, [-9, 3.5, 5, 99], labels=["Low", "Medium", "High"]))


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What the example prints, and where its pictures are."""
    where = tmp_path_factory.mktemp("compas")
    made_up_people().to_csv(where / "compas.csv", index=False)
    printed = []
    arguments = [str(where / "compas.csv"), "--people", "200", "--asked", "50"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(EXAMPLE), *arguments, "--save", str(where / "picture")])
        patch.setattr("builtins.print", lambda *values: printed.append(" ".join(map(str, values))))
        runpy.run_path(str(EXAMPLE))
    plt.close("all")
    return "\n".join(printed), where


def test_race_can_be_forbidden_where_it_tells_nothing_and_offences_cannot(told):
    text, _ = told
    assert text.count("race can be forbidden") == 4  # at first, and for each way to weigh the risks
    assert "no equivalent model can do this: forbid 'age_cat'" in text
    assert "age_cat is irreplaceable" in text
    row = next(line for line in text.splitlines() if line.startswith("priors_count"))
    assert row.split()[1] == "strong"


def test_there_are_three_pictures(told):
    _, where = told
    names = {path.name for path in where.glob("*.png")}
    assert names == {"picture-relevance.png", "picture-without-race.png", "picture-predictions.png"}
