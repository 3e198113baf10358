"""The widget in a real browser: in a cell, as a notebook has it, or in a shadow tree."""

import pandas as pd
import pytest
from explorer_fakes import FakeEstimator
from explorer_looks import AXE, look
from explorer_page import forbid, is_pressed, press, row, wait

# A page with a cell in it, and a model whose messages the explorer's server answers.
CELL = """
async (isShadow) => {
  const { default: widget } = await import("./explorer.js");
  const start = await (await fetch("api/start")).json();
  document.title = "notebook";
  const about = '<h1>notebook</h1><input aria-label="cell"><div class="out"></div>';
  document.body.innerHTML = `<main>${about}</main>`;
  const out = document.querySelector(".out");
  const place = isShadow ? out.attachShadow({ mode: "open" }) : out;
  const style = document.createElement("link");
  Object.assign(style, { rel: "stylesheet", href: "explorer.css" });
  const el = document.createElement("div");
  place.append(style, el);
  let hear = () => {};
  const headers = { "Content-Type": "application/json" };
  const posted = (name, body) =>
    fetch(`api/${name}`, { method: "POST", body: JSON.stringify(body), headers });
  const model = {
    get: () => start,
    on: (_, listener) => (hear = listener),
    send: async ({ id, name, body }) => {
      if (name === "cancel") return;
      const said = await (await posted(name, body)).text();
      if (name !== "ask") return hear({ id, answer: JSON.parse(said) });
      const parts = said.split("\\n\\n").filter(Boolean);
      for (const part of parts) hear({ id, event: JSON.parse(part.slice(6)) });
      hear({ id, answer: null });
    },
  };
  widget.render({ model, el });
}
"""


@pytest.fixture
def cell(serve, open_page):
    """Show the widget of a fit."""

    def show(estimator, *, is_shadow=False, **options):
        page = open_page(serve(estimator, pd.DataFrame({"a": range(9)})).address, **options)
        page.evaluate(CELL, is_shadow)
        page.locator(".row[data-j]").first.wait_for()
        return page

    return show


@pytest.mark.parametrize("is_shadow", [False, True])
def test_keys_take_back_what_was_typed_in_a_field_and_else_what_was_asked(cell, is_shadow):
    estimator = FakeEstimator(1, 3, 2)
    page, name = cell(estimator, is_shadow=is_shadow), estimator.result_.weak[0]
    press(page, name, "forbid")
    row(page, name).locator(".forbid[aria-pressed=true]").wait_for()
    search = page.get_by_label("Find a feature")
    search.focus()
    page.keyboard.type("feat")
    page.keyboard.press("Control+z")
    assert search.input_value() == "fea"
    assert is_pressed(page, name)
    page.get_by_label("cell").focus()  # what happens elsewhere in the notebook is not ours
    page.keyboard.press("Control+z")
    assert is_pressed(page, name)
    row(page, name).locator(".name").focus()
    page.keyboard.press("Control+z")
    row(page, name).locator(".forbid[aria-pressed=false]").wait_for()


def test_a_notebook_leaves_keys_within_it_alone(cell):
    page = cell(FakeEstimator(1, 3, 2))
    assert page.locator("[data-lm-suppress-shortcuts] .row[data-j]").count() == 6


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing (npm ci in web/)")
def test_it_breaks_no_rule_of_axe_core(cell):
    estimator = FakeEstimator(1, 4, 60)
    page = cell(estimator)
    forbid(page, estimator.result_.weak[0])
    row(page, estimator.result_.weak[1]).locator(".name").click()
    page.locator(".row.grouped").first.wait_for()
    page.locator(".show-samples").click()
    page.locator(".samples table").wait_for()
    wait(page)
    look(page)
