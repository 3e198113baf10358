"""Calls of the command that cannot be answered, about files that are written for them."""

import shlex
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from allrelevant.cli import main

_N = 60

COMMANDS = [
    # what there is
    "fit nowhere.csv -t ill",
    "fit . -t ill",
    "fit patients.csv",
    "fit patients.csv -t il",
    "fit patients.csv -t zebra",
    "fit patients.csv -t all_ill",
    "fit patients.csv -t empty",
    "fit patients.csv -t patient",
    "fit patients.csv -t tags",
    "fit infinite.csv -t age",
    "fit 'patients.csv' -t ill extra",
    # what the target is
    "fit patients.csv -t ill --task tree",
    "fit patients.csv -t dose --task survival",
    "fit patients.csv -t dose --event town",
    "fit patients.csv -t dose --event dose",
    "fit later.csv -t dose --event stage",
    "fit patients.csv -t ill --event ill_too --task classification",
    "fit patients.csv -t ill --quantile 0.9",
    "fit patients.csv -t dose --loss logistic",
    "fit patients.csv -t ill --loss huber",
    "fit patients.csv -t dose --loss huber --quantile 0.9",
    "fit patients.csv -t town --task reject",
    "fit patients.csv -t town --task regression",
    "fit patients.csv -t dose --task classification",
    "fit patients.csv -t dose --task ordinal",
    "fit patients.csv -t pain --order none,mild,severe",
    "fit patients.csv -t pain --order None,Mild",
    "fit patients.csv -t pain --order None,Mild,Bad,Severe",
    "fit patients.csv -t pain --order None,Mild,Mild,Severe",
    "fit patients.csv -t ill --order 0,1 --task classification",
    "fit patients.csv -t ill --order 1,2",
    "fit patients.csv -t dose --class-weight balanced",
    "fit patients.csv -t dose --balanced",
    # which columns
    "fit patients.csv -t ill --drop aeg",
    "fit patients.csv -t ill --drop ill",
    "fit patients.csv -t ill --drop 'age,dose,town,pain,weight,almost,tags,ear\\, nose'",
    "fit patients.csv -t ill --numeric town",
    "fit patients.csv -t ill --numeric almost",
    "fit patients.csv -t ill --numeric ill",
    "fit patients.csv -t ill --numeric nobody",
    "fit patients.csv -t ill --categorical ill",
    "fit patients.csv -t ill --categorical nobody",
    "fit patients.csv -t ill --forbid aeg",
    "fit patients.csv -t ill --forbid ill",
    "fit patients.csv -t ill --forbid patient",
    "fit patients.csv -t ill --forbid 'ear'",
    "fit gaps.csv -t ill",
    "fit infinite.csv -t ill",
    "fit levels.csv -t ill",
    "fit ragged.csv -t ill",
    # rows that belong together
    "fit patients.csv -t ill --groups nobody",
    "fit patients.csv -t ill --groups ill",
    "fit patients.csv -t ill --groups all_ill",
    "fit patients.csv -t ill --groups empty",
    "fit patients.csv -t ill --groups town --drop town",
    "fit patients.csv -t ill --groups town --forbid town",
    # privileged columns
    "fit patients.csv -t ill --privileged nobody",
    "fit patients.csv -t ill --privileged town=north",
    "fit patients.csv -t ill --privileged 'age,dose,town,pain,weight,almost,ear\\, nose'",
    # numbers and words that options take
    "fit patients.csv -t ill --fdr 0",
    "fit patients.csv -t ill --fdr little",
    "fit patients.csv -t ill --confidence 0.5",
    "fit patients.csv -t ill --confidence 0.99 --fdr 0.1",
    "fit patients.csv -t ill --as-in neurocomputing2020",
    "fit patients.csv -t ill --probes 1",
    "fit patients.csv -t ill --probes 2.5",
    "fit patients.csv -t ill --tolerance -1",
    "fit patients.csv -t ill --tolerance nan",
    "fit patients.csv -t ill --balanced --class-weight none",
    "fit patients.csv -t ill --checkpoint patients.csv",
    "fit patients.csv -t ill --checkpoint nowhere/run.part",
    "fit patients.csv -t ill --jobs 0",
    "fit patients.csv -t ill --seed -1",
    # where to write
    "fit patients.csv -t ill --report patients.csv",
    "fit patients.csv -t ill --report ./link.csv",
    "fit patients.csv -t ill --plot patients.csv",
    "fit patients.csv -t ill --report out.svg --plot out.svg",
    "fit patients.csv -t ill --report .",
    "fit patients.csv -t ill --plot picture.doc",
    "stability patients.csv -t ill --plot patients.csv",
    "compare patients.csv patients.csv -t ill --report patients.csv",
    "compare patients.csv nowhere.csv -t ill",
    "compare patients.csv doses.csv -t ill",
    "compare patients.csv towns.csv -t ill --drop town",
    "compare patients.csv shouting.csv -t ill",
    "whatif patients.csv -t ill --forbid age --report patients.csv",
    "forest patients.csv -t ill --plot patients.csv",
    "fit patients.csv -t ill --out table.doc",
    "fit patients.csv -t ill --out patients.csv",
    "fit patients.csv -t ill --save patients.csv",
    # saved fits
    "whatif foreign.fit --forbid age",
    "whatif other-version.fit --forbid age",
    "whatif foreign.fit -t ill --forbid age",
    "whatif nowhere.fit --forbid age",
    "whatif table.fit --forbid age",
    "fit table.fit -t ill",
    "forest foreign.fit -t ill",
    # questions
    "whatif patients.csv -t ill",
    "whatif patients.csv -t ill --keep town",
    "whatif patients.csv -t ill --keep nobody",
    "whatif patients.csv -t ill --bound age",
    "whatif patients.csv -t ill --bound age=0.5:0.1",
    "whatif patients.csv -t ill --bound age=a:b",
    "whatif patients.csv -t ill --bound =0:1",
    "whatif patients.csv -t ill --sign age=up",
    "whatif patients.csv -t ill --sign age=yes<maybe",
    "predict-range patients.csv -t ill --classes yes no",
    "whatif patients.csv -t ill --sign town=+",
    "groups patients.csv -t ill --instead-of nobody",
    "sets patients.csv -t ill --forbid nobody",
    "compare patients.csv no-target.csv -t ill",
    "sets patients.csv -t ill --costs nowhere.csv",
    "sets patients.csv -t ill --costs patients.csv",
    "sets patients.csv -t ill --costs costs-without-header.csv",
    "sets patients.csv -t ill --costs costs-negative.csv",
    "sets patients.csv -t ill --costs costs-twice.csv",
    "sets patients.csv -t ill --costs costs-words.csv",
    "sets patients.csv -t ill --costs costs-of-nobody.csv",
    "predict-range patients.csv -t ill --samples nowhere.csv",
    "predict-range patients.csv -t ill --samples gaps.csv",
    "predict-range patients.csv -t ill --samples costs-twice.csv",
    "predict-range patients.csv -t ill --samples strangers.csv",
    "predict-range patients.csv -t dose --unsettled",
    "predict-range patients.csv -t ill --explain 0",
    # trees
    "forest patients.csv -t ill --groups town",
    "forest patients.csv -t ill --task reject",
    "forest patients.csv -t ill --privileged age",
    "forest patients.csv -t ill --tolerance 0.1",
    "stability patients.csv -t ill --forest --report out.html",
]


def complaint_of(command):
    """What a call says, with the files beside it."""
    if not Path("patients.csv").exists():
        _write_files()
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([*shlex.split(command), *(["-q"] if " -t " in command else [])])
    if code != 2 or out.getvalue():
        return None
    return err.getvalue().splitlines()[-1]


def _write_files():
    patients = _patients()
    for name in ("patients.csv", "table.fit"):
        patients.to_csv(name, index=False)
    patients.assign(ill=patients["dose"]).to_csv("doses.csv", index=False)
    towns = ["north", "south", "west"] * len(patients)
    patients.assign(ill=towns[: len(patients)]).to_csv("towns.csv", index=False)
    shouted = {name: name.upper() for name in patients if name != "ill"}
    patients.rename(columns=shouted).to_csv("shouting.csv", index=False)
    patients.drop(columns="ill").to_csv("no-target.csv", index=False)
    Path("link.csv").symlink_to("patients.csv")
    patients.assign(age=patients["age"].where(patients.index > 3)).to_csv("gaps.csv", index=False)
    patients.assign(age=np.where(patients.index > 3, 1.0, np.inf)).to_csv(
        "infinite.csv", index=False
    )
    later = {"stage": np.arange(len(patients)) % 3}
    patients.assign(**later).to_csv("later.csv", index=False)
    clash = {"town=north": patients["dose"]}
    patients.assign(**clash).to_csv("levels.csv", index=False)
    patients.assign(town="east").to_csv("strangers.csv", index=False)
    for name, document in {
        "foreign.fit": '{"format": "other"}',
        "other-version.fit": '{"format": "allrelevant.model", "version": [2, 0], '
        '"written_by": {"allrelevant": "9.0"}}',
    }.items():
        with zipfile.ZipFile(name, "w") as file:
            file.writestr("document.json", document)
    for name, text in {
        "ragged.csv": "age,ill\n1,0\n2,1,1\n",
        "costs-without-header.csv": "age,3\ndose,2\n",
        "costs-negative.csv": "feature,cost\nage,-1\n",
        "costs-twice.csv": "feature,cost\nage,1\nage,2\n",
        "costs-words.csv": "feature,cost\nage,1\ndose,much\ntown,2\n",
        "costs-of-nobody.csv": "feature,cost\naeg,1\n",
    }.items():
        Path(name).write_text(text, encoding="utf-8")


def _patients():
    rng = np.random.default_rng(0)
    age, dose = rng.normal(size=(2, _N)).round(3)
    k = np.arange(_N)
    return pd.DataFrame(
        {
            "patient": [f"p{j}" for j in range(_N)],
            "age": age,
            "dose": dose,
            "town": np.array(["north", "south", "west"])[k % 3],
            "pain": np.array(["None", "Mild", "Severe"])[k % 3],
            "weight": rng.normal(size=_N).round(3),
            "almost": ["n/k", *map(str, rng.integers(1, 9, size=_N - 1))],
            "ear, nose": k % 2,
            "all_ill": 1,
            "empty": "",
            "tags": [f"tag {j % 55}" for j in range(_N)],
            "ill": (age + dose > 0).astype(int),
        }
    )
