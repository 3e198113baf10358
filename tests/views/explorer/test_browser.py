"""The explorer in a real browser that can reach nothing but this machine."""

import json
import re

import pandas as pd
import pytest
from explorer_fakes import FakeEstimator
from explorer_page import (
    SETTLED,
    all_kinds,
    download,
    drag,
    ends,
    forbid,
    is_pressed,
    kind,
    press,
    row,
    wait,
    wait_for_status,
)


@pytest.fixture
def estimator():
    return FakeEstimator(1, 4, 3)


@pytest.fixture
def page(serve, open_page, estimator):
    return open_page(serve(estimator, pd.DataFrame({"a": range(40)}), target="illness").address)


@pytest.fixture
def weak(estimator):
    """The weak features, the largest first."""
    result = estimator.result_
    return [result.names[j] for j in result.order if result.classes[j] == 1]


@pytest.fixture
def strong(estimator):
    return estimator.result_.strong[0]


# -- load -----------------------------------------------------------------------------------------


def test_load_shows_all_features_in_order(page, estimator):
    result = estimator.result_
    names = page.locator(".row[data-j] .name").all_inner_texts()
    assert names == [result.names[j] for j in result.order]
    assert all_kinds(page) == [result.class_names[j] for j in result.order]
    assert page.title() == "What illness depends on"
    assert page.locator(".status").inner_text() == "8 features: 1 strong, 4 weak, 3 irrelevant"


def test_bars_have_the_lengths_of_the_intervals(page, estimator):
    result = estimator.result_
    lengths = {name: ends(page, name)[1] - ends(page, name)[0] for name in result.names}
    widths = dict(zip(result.names, result.intervals[:, 1] - result.intervals[:, 0], strict=True))
    ratios = [lengths[name] / widths[name] for name in result.names if lengths[name] > 20]
    assert max(ratios) / min(ratios) < 1.1


def test_everything_can_be_named(page, weak):
    name = weak[0]
    for role, label in [
        ("slider", f"least relevance of {name}"),
        ("slider", f"most relevance of {name}"),
        ("button", f"forbid {name}: no model may use it"),
        ("button", f"keep {name}: every model uses it"),
        ("spinbutton", f"cost of {name}"),
        ("button", "Undo"),
        ("searchbox", "Find a feature"),
    ]:
        assert page.get_by_role(role, name=label, exact=True).count() == 1, label
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input:not([hidden]), [role=slider]')]
            .filter((node) => !(node.ariaLabel || node.textContent.trim())).length"""
    )
    assert nameless == 0


@pytest.mark.parametrize("width", [1000, 1920])
def test_nothing_sticks_out(serve, open_page, width):
    page = open_page(serve(FakeEstimator()).address, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert row(page, "feature 1").locator(".picture").bounding_box()["width"] > 180


def test_on_a_phone_all_of_a_row_is_in_reach(serve, open_page):
    page = open_page(serve(FakeEstimator()).address, viewport={"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    parts = row(page, "feature 1").locator("> *")
    boxes = [parts.nth(k).bounding_box() for k in range(parts.count())]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes if box)
    assert row(page, "feature 1").locator(".picture").bounding_box()["width"] > 180
    forbid(page, "feature 1")
    assert kind(page, "feature 1") == "forbidden"


def test_dark_mode(serve, open_page):
    address = serve(FakeEstimator()).address
    shades = []
    for scheme in ("light", "dark"):
        page = open_page(address, color_scheme=scheme)
        color = page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor")
        shades.append(sum(map(int, re.findall(r"\d+", color)[:3])))
    assert shades[0] > 700
    assert shades[1] < 150


# -- asking ---------------------------------------------------------------------------------------


def test_forbid_moves_this_bar_to_zero_and_the_others_to_their_new_ends(page, weak):
    first, second = weak[:2]
    before = ends(page, second)
    forbid(page, first)
    assert kind(page, first) == "forbidden"
    assert kind(page, second) == "strong"
    low, high = ends(page, second)
    assert low > before[0] + 20
    assert high == pytest.approx(before[1], abs=1)
    assert page.locator(".question").inner_text() == f"What if: without {first}"


def test_forbid_and_keep_exclude_each_other_and_can_be_taken_back(page, weak):
    name = weak[0]
    forbid(page, name)
    press(page, name, "keep")
    wait(page)
    assert (is_pressed(page, name), is_pressed(page, name, "keep")) == (False, True)
    assert kind(page, name) == "strong"
    press(page, name, "keep")
    wait(page)
    assert page.locator(".question").inner_text() == "All equally good models"
    assert kind(page, name) == "weak"


def test_drag_the_upper_end(page, weak):
    name = weak[0]
    low, high = ends(page, name)
    drag(page, name, "high", -60)
    assert ends(page, name)[1] == pytest.approx(high - 60, abs=8)
    assert re.fullmatch(rf"What if: {name} at most 0\.\d+", page.locator(".question").inner_text())
    slider = page.get_by_role("slider", name=f"most relevance of {name}")
    assert "bounded" in slider.get_attribute("aria-valuetext")
    page.locator(".undo").click()
    wait(page)
    assert ends(page, name) == pytest.approx((low, high), abs=1)
    assert page.locator(".undo").is_disabled(), "a drag is one step back"


def test_drag_the_lower_end_and_back(page, weak):
    name = weak[0]
    low, _ = ends(page, name)
    drag(page, name, "low", 50)
    assert ends(page, name)[0] == pytest.approx(low + 50, abs=8)
    assert kind(page, name) == "strong"
    drag(page, name, "low", -200)
    assert page.locator(".question").inner_text() == "All equally good models"


def test_keys_move_handles_and_are_one_step_back(page, weak):
    name = weak[0]
    slider = page.get_by_role("slider", name=f"most relevance of {name}")
    before = float(slider.get_attribute("aria-valuenow"))
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    wait(page)
    after = float(slider.get_attribute("aria-valuenow"))
    scale = float(slider.get_attribute("aria-valuemax"))
    assert before - after == pytest.approx(0.04 * scale, rel=0.05)
    page.keyboard.press("Control+z")
    wait(page)
    assert float(slider.get_attribute("aria-valuenow")) == before
    page.keyboard.press("Home")
    wait(page)
    assert float(slider.get_attribute("aria-valuenow")) == pytest.approx(0, abs=1e-3)


def test_a_question_is_taken_back_by_key_also_from_the_tolerance_slider(page, weak):
    forbid(page, weak[0])
    page.get_by_role("slider", name="Tolerance").focus()
    page.keyboard.press("Control+z")
    wait(page)
    assert not is_pressed(page, weak[0])


def test_the_page_can_be_used_by_keyboard_alone(page, weak):
    page.get_by_role("searchbox").focus()
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.ariaLabel ?? ''"))
    assert f"forbid {weak[0]}: no model may use it" in reached
    assert f"least relevance of {weak[0]}" in reached


def tab_to(page, said):
    """Go on until what has the focus is called so."""
    for _ in range(60):
        page.keyboard.press("Tab")
        own = "(e => e.ariaLabel ?? e.textContent)(document.activeElement)"
        if page.evaluate(own).startswith(said):
            return
    raise AssertionError(f"{said} cannot be reached")


def test_what_is_beside_the_list_is_reached_without_its_rows(page, weak):
    tab_to(page, f"forbid {weak[0]}")
    page.keyboard.press("Enter")
    wait(page)
    assert is_pressed(page, weak[0])
    page.get_by_role("searchbox").focus()
    assert page.locator(".skip").bounding_box()["width"] <= 1
    tab_to(page, "Skip the list")
    assert page.locator(".skip").bounding_box()["width"] > 60
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.locator(".row.chosen").first.wait_for()
    page.keyboard.press("Control+z")
    wait(page)
    assert not is_pressed(page, weak[0])


def test_the_impossible_gets_a_friendly_message_and_changes_nothing(page, weak, strong):
    forbid(page, weak[0])
    kinds, question = all_kinds(page), page.locator(".question").inner_text()
    press(page, strong, "forbid")
    page.wait_for_selector(".notice:not([hidden])")
    notice = page.get_by_role("alert").inner_text()
    wanted = f"Impossible: no equally good model does this: forbid {strong}. Nothing was changed."
    assert notice.startswith(wanted)
    assert "a tolerance of 0.5" in notice
    wait(page)
    assert not is_pressed(page, strong)
    assert is_pressed(page, weak[0])
    assert all_kinds(page) == kinds
    assert page.locator(".question").inner_text() == question
    page.locator(".undo").click()
    wait(page)
    assert page.locator(".question").inner_text() == "All equally good models"
    assert page.locator(".notice").is_hidden()


def test_undo_goes_back_step_by_step_and_reset_to_the_start(page, weak):
    for name in weak[:3]:
        forbid(page, name)
    page.locator(".undo").click()
    wait(page)
    assert [is_pressed(page, name) for name in weak[:3]] == [True, True, False]
    page.locator(".reset").click()
    wait(page)
    assert not any(is_pressed(page, name) for name in weak[:3])
    assert page.locator(".reset").is_disabled()
    page.locator(".undo").click()
    wait(page)
    assert [is_pressed(page, name) for name in weak[:3]] == [True, True, False]


def test_a_newer_question_ends_the_older(serve, open_page):
    slow = FakeEstimator(1, 40, 40, delay=0.02)
    page = open_page(serve(slow).address)
    names = [slow.result_.names[j] for j in slow.result_.order if slow.result_.classes[j] == 1]
    press(page, names[1], "forbid")
    page.wait_for_function("() => document.querySelectorAll('.row:not(.stale)').length > 3")
    press(page, names[2], "forbid")
    page.wait_for_function(SETTLED, timeout=20_000)
    assert slow.work.closed >= 2
    assert slow.work.steps < 1.7 * 81, "the first question was not answered to its end"
    assert page.locator(".question").inner_text() == f"What if: without {names[1]}, {names[2]}"


def test_bars_arrive_one_by_one_what_is_seen_first(serve, open_page):
    slow = FakeEstimator(1, 120, 0, delay=0.02)
    page = open_page(serve(slow).address)
    names = [slow.result_.names[j] for j in slow.result_.order]
    press(page, names[5], "forbid")
    page.wait_for_function(
        "() => document.querySelectorAll('.row[data-j]:not(.stale)').length >= 3"
    )
    assert not row(page, names[5]).evaluate("node => node.classList.contains('stale')")
    assert page.locator(".row.stale").count() > 60
    assert row(page, names[-1]).evaluate("node => node.classList.contains('stale')")


# -- connection -----------------------------------------------------------------------------------


def test_reconnects_after_the_server_restarts(serve, open_page, estimator, weak):
    server = serve(estimator)
    page = open_page(server.address)
    forbid(page, weak[0])
    server.stop()
    press(page, weak[1], "forbid")
    wait_for_status(page, "lost")
    server.start()
    page.wait_for_function("() => document.querySelector('.question').textContent.includes(',')")
    wait(page)
    page.wait_for_function("() => !document.querySelector('.offline')")
    assert kind(page, weak[1]) == "forbidden"
    assert kind(page, weak[2]) == "strong"


def test_a_lost_server_is_noticed_without_a_click(serve, open_page, estimator):
    server = serve(estimator)
    page = open_page(server.address)
    server.stop()
    wait_for_status(page, "lost")


def test_a_server_with_a_new_address_is_said(serve, open_page, estimator, weak):
    server = serve(estimator)
    page = open_page(server.address)
    server.stop()
    server.token = "another"
    server.start()
    wait_for_status(page, "no longer valid")


def test_two_tabs_ask_their_own_questions(serve, open_page, estimator, weak):
    address = serve(estimator).address
    one, other = open_page(address), open_page(address)
    forbid(one, weak[0])
    forbid(other, weak[1])
    assert one.locator(".question").inner_text() == f"What if: without {weak[0]}"
    assert other.locator(".question").inner_text() == f"What if: without {weak[1]}"
    assert kind(one, weak[1]) == "strong"
    assert kind(other, weak[0]) == "strong"


def test_200_features(serve, open_page):
    large = FakeEstimator(10, 190, 0)
    page = open_page(serve(large).address)
    assert page.locator(".row[data-j]").count() == 200
    names = [large.result_.names[j] for j in large.result_.order]
    forbid(page, names[150])
    assert page.locator(".row.stale").count() == 0
    page.get_by_role("searchbox").fill(names[42])
    assert page.locator(".row[data-j]:visible").all()[0].get_attribute("data-name") == names[42]


def test_no_request_leaves_this_machine_and_the_watch_would_see_it(page, strays):
    failed = page.evaluate("fetch('http://example.com/').then(() => false, () => true)")
    assert failed
    # The page's own policy stops it before the network does.
    assert strays == []
    page.goto("about:blank")
    page.evaluate("fetch('http://example.com/').catch(() => null)")
    assert strays == ["http://example.com/"]
    strays.clear()


# -- more than bars -------------------------------------------------------------------------------


def test_groups_and_substitutes_light_up(page, estimator, weak):
    row(page, weak[0]).locator(".name").click()
    page.wait_for_selector(".row.substitute")
    lit = page.locator(".row.substitute").evaluate_all("rows => rows.map((r) => r.dataset.name)")
    assert set(lit) == {n for n in estimator.result_.weak if n != weak[0]} & set(lit)
    assert len(lit) == 2
    page.wait_for_selector(".row.grouped")
    assert page.locator(".row.grouped").count() == 4
    assert "uses at least one of" in page.locator(".details").inner_text()
    press(page, lit[0], "forbid")
    wait(page)
    page.wait_for_function("() => /model that is left/.test(document.body.innerText)")
    assert page.locator(f".row.substitute[data-name='{lit[0]}']").count() == 0, "they follow"
    row(page, weak[0]).locator(".name").click()
    assert page.locator(".row.substitute, .row.grouped, .row.selected").count() == 0


def test_costs_give_the_cheapest_set(page, weak):
    row(page, weak[2]).locator(".cost").fill("0.25")
    page.locator(".find-cheapest").click()
    page.wait_for_selector(".row.chosen")
    assert page.locator(".cheapest").inner_text() == (
        f"1 feature, cost 0.25: {weak[2]} (✓ in the list)"
    )
    assert page.locator(".row.chosen").get_attribute("data-name") == weak[2]
    press(page, weak[2], "forbid")
    wait(page)
    page.wait_for_function("() => /without/.test(document.querySelector('.cheapest').innerText)")
    assert f"cost 1 (without {weak[2]}): " in page.locator(".cheapest").inner_text(), "it follows"
    assert page.locator(".row.chosen").get_attribute("data-name") != weak[2]


def test_samples_say_who_is_settled(page):
    page.locator(".show-samples").click()
    page.wait_for_selector(".samples table")
    said = page.locator(".samples p").inner_text()
    n_open = page.locator(".samples tr.open").count()
    assert n_open > 0
    assert said == f"{n_open} of 40 samples depend on which model is used."


def test_samples_follow_what_is_asked(page, weak):
    page.locator(".show-samples").click()
    page.wait_for_selector(".samples tr.open")
    forbid(page, weak[0])
    page.locator(".samples p").filter(has_text=f"(without {weak[0]})").wait_for()
    said = page.locator(".samples p").inner_text()
    assert said == f"0 of 40 samples depend on which model is used (without {weak[0]})."
    assert page.locator(".samples tr.open").count() == 0
    page.locator(".undo").click()
    page.wait_for_selector(".samples tr.open")


def test_a_question_can_be_shared_and_opened(page, weak, serve, open_page, estimator, tmp_path):
    forbid(page, weak[1])
    drag(page, weak[0], "high", -40)
    row(page, weak[2]).locator(".cost").fill("0.25")
    file = download(page, ".share")
    assert file.suggested_filename == "question.json"
    path = tmp_path / "question.json"
    file.save_as(path)
    content = json.loads(path.read_text())
    assert content["constraints"]["forbid"] == [weak[1]]
    other = open_page(serve(estimator).address)
    other.locator("input[type=file]").set_input_files(path)
    other.wait_for_function(
        "() => document.querySelector('.question').textContent.includes('What if')"
    )
    wait(other)
    assert is_pressed(other, weak[1])
    assert all_kinds(other) == all_kinds(page)
    assert row(other, weak[2]).locator(".cost").input_value() == "0.25"
    path.write_text("{}")
    other.locator("input[type=file]").set_input_files(path)
    other.wait_for_selector(".notice:not([hidden])")
    assert is_pressed(other, weak[1])


def test_report_svg_and_png_can_be_saved(page, weak, tmp_path):
    forbid(page, weak[0])
    for button, name, begins in [
        (".report", "report.html", b"<!DOCTYPE html>"),
        (".svg", "relevance.svg", b"<svg"),
        (".png", "relevance.png", b"\x89PNG"),
    ]:
        file = download(page, button)
        assert file.suggested_filename == name
        file.save_as(tmp_path / name)
        content = (tmp_path / name).read_bytes()
        assert content.lstrip().startswith(begins)
        assert len(content) > 2000


def test_the_same_module_is_the_widget(page, weak):
    """A stand-in for a notebook's model answers with the server's own start."""
    said = page.evaluate(
        """async () => {
            const start = await (await fetch("api/start")).json();
            const module = await import("./explorer.js");
            const listeners = [], sent = [];
            const model = {
                get: () => start,
                on: (_, listener) => listeners.push(listener),
                send: (message) => {
                    sent.push(message.name);
                    const { id, name } = message;
                    const reply = (what) => listeners.forEach((tell) => tell({ id, ...what }));
                    if (name !== "ask") return;
                    start.features.forEach((feature, j) =>
                        reply({ event: { ...feature, kind: "bar", j, class: "strong" } }));
                    reply({ event: { kind: "done" } });
                    reply({ answer: null });
                },
            };
            const el = document.createElement("div");
            document.body.append(el);
            module.default.render({ model, el });
            el.querySelector(".toggle.keep").click();
            await new Promise((resolve) => setTimeout(resolve, 50));
            const kinds = [...el.querySelectorAll(".row[data-j] .kind")];
            return { sent, kinds: kinds.map((node) => node.textContent) };
        }"""
    )
    assert said["sent"] == ["needed", "ask"]
    assert set(said["kinds"]) == {"strong"}
