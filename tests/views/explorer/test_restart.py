"""A page that stays open while its server is started again with another fit."""

import pandas as pd
import pytest
from explorer_fakes import FakeEstimator
from explorer_page import (
    all_kinds,
    drag,
    forbid,
    is_pressed,
    kind,
    press,
    row,
    wait,
    wait_for_status,
)

from allrelevant.views.explorer import Session

FREE = "All equally good models"


class Place:
    """A page and its server, with the questions that were asked since the last restart."""

    def __init__(self, server, page):
        self.server, self.page, self.asked = server, page, []
        page.on("request", self._note)

    def _note(self, request):
        if request.url.endswith("/api/ask"):
            self.asked.append(request.post_data_json["constraints"])

    def restart(self, estimator, *, seen=True, title="Another fit", **kwargs):
        """Start the server with another fit, and wait until the page shows it.

        With `seen` the page notices that the server is away meanwhile.
        """
        self.server.stop()
        if seen:
            wait_for_status(self.page, "lost")
        self.asked.clear()
        self.server.session = Session(estimator, processes=False, title=title, **kwargs)
        self.server.start()
        self.page.locator("h1").filter(has_text=title).wait_for()
        self.page.wait_for_timeout(1000)  # for questions that nobody asked

    @property
    def question(self):
        return self.page.locator(".question").inner_text()

    @property
    def notice(self):
        return self.page.get_by_role("alert").inner_text()


@pytest.fixture
def place(serve, open_page):
    server = serve(FakeEstimator(1, 4, 3), pd.DataFrame({"a": range(40)}), target="illness")
    return Place(server, open_page(server.address))


def kinds_of(estimator):
    result = estimator.result_
    return [result.class_names[j] for j in result.order]


def test_what_the_new_fit_finds_impossible_is_dropped(place):
    page, other = place.page, FakeEstimator(3, 2, 3, seed=1)
    assert "feature 1" in other.result_.strong
    forbid(page, "feature 1")
    place.restart(other)
    assert len(place.asked) == 1, "it was asked again and again"
    assert place.notice == (
        "Another fit answers now. "
        "No equally good model does what was asked before (without feature 1), so it was dropped."
    )
    wait(page)
    assert place.question == FREE
    assert all_kinds(page) == kinds_of(other)
    assert page.locator(".status").inner_text() == "8 features: 3 strong, 2 weak, 3 irrelevant"
    assert page.locator(".offline").count() == 0
    forbid(page, "feature 3")
    assert place.question == "What if: without feature 3"


def test_what_the_new_fit_does_not_know_is_dropped_and_the_rest_asked_once(place):
    page, other = place.page, FakeEstimator(1, 3, 0)
    forbid(page, "feature 4")
    press(page, "feature 5", "keep")
    wait(page)
    forbid(page, "feature 2")
    place.restart(other)
    wait(page)
    assert place.asked == [{"forbid": ["feature 2"], "keep": [], "bounds": {}}]
    assert place.notice == (
        "Another fit answers now. It does not know feature 4, feature 5: "
        "what was asked of them was dropped."
    )
    assert place.question == "What if: without feature 2"
    assert kind(page, "feature 2") == "forbidden"


def test_where_the_new_fit_knows_none_of_it_nothing_is_asked(place):
    names = [f"other {j}" for j in range(8)]
    forbid(place.page, "feature 2")
    drag(place.page, "feature 1", "high", -40)
    place.restart(FakeEstimator(known={"names": names}))
    assert place.asked == []
    assert "does not know feature 2, feature 1" in place.notice
    assert place.question == FREE
    assert place.page.locator(".stale, [aria-busy]").count() == 0


def test_what_the_new_fit_cannot_compute_is_dropped(place):
    def failing(**_):
        raise RuntimeError("the solver is tired")
        yield

    other = FakeEstimator(1, 4, 3, seed=1)
    other.what_if_stream = failing
    forbid(place.page, "feature 2")
    place.restart(other)
    assert len(place.asked) == 1
    assert "(without feature 2) could not be computed, so it was dropped." in place.notice
    assert place.notice.endswith("the solver is tired")
    assert place.question == FREE


def test_what_the_new_fit_can_do_goes_on(place):
    forbid(place.page, "feature 2")
    place.restart(FakeEstimator(1, 4, 3, seed=1))
    wait(place.page)
    assert len(place.asked) == 1
    assert is_pressed(place.page, "feature 2")
    assert place.page.locator(".notice").is_hidden()


def test_nothing_of_the_old_fit_is_left(place):
    page, other = place.page, FakeEstimator(1, 2, 5, seed=1)
    forbid(page, "feature 4")
    row(page, "feature 1").locator(".name").click()
    page.wait_for_selector(".row.grouped")
    row(page, "feature 3").locator(".cost").fill("0.5")
    page.locator(".find-cheapest").click()
    page.wait_for_selector(".row.chosen")
    page.locator(".show-samples").click()
    page.wait_for_selector(".samples table")
    place.restart(other, costs={"feature 2": 2})
    wait(page)
    assert page.title() == "Another fit"
    assert page.locator(".undo").is_disabled()
    assert page.locator(".selected, .grouped, .substitute, .chosen, .samples").count() == 0
    assert page.locator(".cheapest").inner_text() == ""
    assert row(page, "feature 3").locator(".cost").input_value() == ""
    assert row(page, "feature 2").locator(".cost").input_value() == "2"
    # The same name again is a first click on it, and its group is the new fit's.
    row(page, "feature 1").locator(".name").click()
    page.wait_for_selector(".row.grouped")
    assert page.locator(".row.selected").count() == 1
    assert page.locator(".row.grouped").count() == 2


def test_a_server_that_was_replaced_in_a_moment_is_noticed(place):
    """Between two looks at it: the connection is never seen to be lost."""
    page, other = place.page, FakeEstimator(3, 2, 3, seed=1)
    forbid(page, "feature 1")
    with page.expect_response("**/api/ping"):
        pass
    place.restart(other, seen=False)
    assert len(place.asked) == 1
    assert all_kinds(page) == kinds_of(other)


def test_bars_of_two_fits_of_the_same_size_never_mix(place):
    """Something is asked before the page has looked at the server again."""
    page, other = place.page, FakeEstimator(3, 2, 3, seed=1)
    old = {"fingerprint": place.server.session.fingerprint}

    def look(route):
        route.fallback() if place.asked else route.fulfill(json=old)

    page.route("**/api/ping", look)
    place.server.stop()
    place.server.session = Session(other, processes=False, title="Another fit")
    place.server.start()
    with page.expect_response("**/api/ask") as waiting:
        press(page, "feature 2", "forbid")
    assert waiting.value.status == 409
    page.locator("h1").filter(has_text="Another fit").wait_for()
    wait(page)
    assert len(place.asked) == 1
    assert place.question == FREE
    assert all_kinds(page) == kinds_of(other)


def test_an_answer_that_always_breaks_off_is_not_asked_for_ever(place, monkeypatch):
    """The fit is the same, but a question fails after its first bars."""
    estimator, page = place.server.session.estimator, place.page
    genuine = type(estimator).what_if_stream

    def tired(self, forbid=(), order=(), **kwargs):
        for count, found in enumerate(genuine(self, forbid=forbid, order=order, **kwargs)):
            if "feature 2" in forbid and count == 2:
                raise RuntimeError("the solver is tired")
            yield found

    monkeypatch.setattr(type(estimator), "what_if_stream", tired)
    forbid(page, "feature 3")
    place.asked.clear()
    press(page, "feature 2", "forbid")
    page.wait_for_selector(".notice:not([hidden])")
    page.wait_for_timeout(700)
    assert [asked["forbid"] for asked in place.asked] == [["feature 3", "feature 2"], ["feature 3"]]
    wanted = "That could not be computed, so nothing was changed. the solver is tired"
    assert place.notice == wanted
    assert place.question == "What if: without feature 3"
    page.locator(".undo").click()
    wait(page)
    assert place.question == FREE
