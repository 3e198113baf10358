"""Features of several columns in a result: one row, a threshold of their own, no sign."""

import numpy as np
import pytest
from plots_fakes import make_result, make_several, make_what_if

from allrelevant import RelevanceResult


def test_such_a_feature_has_its_own_threshold():
    found = make_several("x1", 0.63)
    np.testing.assert_array_equal(found.upper_thresholds, np.where(np.arange(9) == 1, 0.63, 0.09))
    assert found.margins[1, 1] == pytest.approx(found.interval("x1")[1] - 0.63)
    assert RelevanceResult.from_json(found.to_json()) == found
    lines = str(found).splitlines()
    assert lines[1].endswith("; features of several columns have their own")
    assert "by feature" not in lines[1], "the others share theirs"
    assert "max  noise" in lines[3]
    noise = {line.split()[0]: line.split()[4] for line in lines[4:]}
    assert noise == {name: "0.630" if name == "x1" else "0.090" for name in found.names}
    assert found._repr_html_().count("0.630") == 1


def test_without_them_there_is_one_threshold():
    result = make_result()
    np.testing.assert_array_equal(result.upper_thresholds, np.full(9, 0.09))
    assert "noise  0" not in str(result)
    assert "their own" not in str(result)


@pytest.mark.parametrize(
    ("forbid", "said"),
    [
        (("x1",), ("x1",)),
        (("x1=y", "x1=x"), ("x1",)),
        (("x1=y",), ()),
        (("x3", "x1"), ("x1", "x3")),
    ],
)
def test_it_is_forbidden_where_all_its_columns_are(forbid, said):
    found = make_what_if(make_several("x1", 0.2), forbid=forbid)
    assert found.forbidden == said
    assert type(found).from_json(found.to_json()) == found


def test_the_interval_of_a_feature_by_its_name():
    result = make_result()
    assert result.interval("x3") == tuple(result.intervals[3])
    with pytest.raises(ValueError, match="'y3', which is not a feature"):
        result.interval("y3")


def test_what_is_forbidden_could_not_be_either():
    result = make_result(1, 2, 0, borderline=[True, True, True])
    found = make_what_if(result, forbid=("x1",))
    assert found.borderline_names == ("x0", "x2")
    assert found.before.borderline_names == ("x0", "x1", "x2")
    assert "2 features may pass" in str(found)
