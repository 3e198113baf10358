import assert from "node:assert/strict";
import { before, test } from "node:test";
import { nothing } from "../constraints.js";
import { keyed, placeOf } from "../handles.js";
import { Row } from "../rows.js";
import { round } from "../words.js";
import { drawFrames, install } from "./fake-dom.js";

before(install);

const FEATURE = { name: "a", class: "weak", borderline: false, min: 0.1, max: 0.5, low: -0.5, high: 0.5, noise: 0.05, noise_at: 0.05, p: 0.01, weight: 0.3, columns: [] };

// A row, and what it asks for.
function row(changes = {}, constraints = nothing(), byClass = false) {
  const asked = [];
  const note = (what) => (...given) => asked.push([what, ...given]);
  const explorer = { start: { by_class: byClass }, scale: 1, constraints, rows: [], select: note("select"), toggle: note("toggle"), setCost: note("cost"), propose: note("propose") };
  const made = new Row(explorer, 0, { ...FEATURE, ...changes });
  explorer.rows.push(made);
  assert.ok(made.node); // it is built when it is first shown
  return { row: made, explorer, asked };
}

test("a handle is at its bound, or at the end of the bar", () => {
  const at = (end, bounds, forbid = []) => placeOf(end, { name: "a", now: { min: 0.1, max: 0.5 }, scale: 1, constraints: { ...nothing(), forbid, bounds } });
  assert.deepEqual([at("low", {}), at("high", {})], [0.1, 0.5]);
  assert.deepEqual([at("low", { a: [0.2, null] }), at("high", { a: [0.2, null] })], [0.2, 0.5]);
  assert.deepEqual([at("low", { a: [0, 0.3] }), at("high", { a: [0, 0.3] })], [0.1, 0.3]);
  assert.deepEqual([at("low", {}, ["a"]), at("high", {}, ["a"])], [0, 0]);
});

test("handles of bars without ends are at the ends of the scale", () => {
  const about = { name: "a", now: { min: null, max: null }, scale: 0.7, constraints: nothing() };
  assert.deepEqual([placeOf("low", about), placeOf("high", about)], [0, 0.7]);
});

test("keys move by a hundredth, a tenth, or to where the end was free", () => {
  const reach = { least: 0.1, most: 0.5, scale: 2 };
  const moved = (key) => round(keyed(key, 0.3, reach));
  assert.deepEqual(["ArrowLeft", "ArrowDown"].map(moved), [0.28, 0.28]);
  assert.deepEqual(["ArrowRight", "ArrowUp", "PageUp"].map(moved), [0.32, 0.32, 0.5]);
  assert.deepEqual(["Home", "End"].map(moved), [0.1, 0.5]);
  assert.equal(keyed("PageDown", 0.1, reach), 0, "not below zero");
  assert.equal(keyed("Tab", 0.3, reach), null);
});

test("a row says what it is", () => {
  const { row: said } = row({ borderline: true });
  assert.equal(said.kind.textContent, "weak ?");
  assert.match(said.kind.attributes.title, /^weak: can be used; noise threshold 0.050; p 0.01; could be either: /);
  assert.equal(said.label.attributes["aria-label"], "a, weak, can be used, could be either, relevance 0.100 to 0.500");
});

test("a category is one row that can be forbidden, but has no single weight to keep or bound", () => {
  const columns = [{ name: "a=x", low: -0.1, high: 0.2 }, { name: "a=y", low: null, high: 0 }];
  const { row: made, asked } = row({ columns, low: null, high: null });
  assert.deepEqual(made.handles, []);
  assert.ok(made.keep.disabled);
  made.forbid.fire("click");
  assert.deepEqual(asked, [["toggle", "forbid", 0]]);
  const lines = () => made.label.attributes.title.split("\n");
  assert.deepEqual(lines(), ["a", "a=x: weight -0.100 to 0.200", "a=y: weight unknown to 0.000"]);
  made.show({ columns: [{ name: "a=x", low: 0, high: 0.1 }] });
  assert.deepEqual(lines(), ["a", "a=x: weight 0.000 to 0.100"], "under constraints");
  assert.ok(!row().row.keep.disabled);
});

test("of several classes columns have differences, which are not known under constraints", () => {
  const columns = [{ name: "a=x", low: 0, high: 0, reference: true }, { name: "a=y", low: 0.1, high: 0.2, reference: false }];
  const { row: made } = row({ columns }, nothing(), true);
  const reference = "a=x: no weight, the others are compared with it";
  assert.deepEqual(made.columns, [reference, "a=y: difference between classes 0.100 to 0.200"]);
  made.show({ columns: columns.map((column) => ({ ...column, low: null, high: null })) });
  assert.deepEqual(made.columns, [reference, "a=y"]);
});

test("a curve is one row without its pieces", () => {
  const { row: made } = row({ curve: true, low: null, high: null });
  assert.ok(made.hasSeveral && made.keep.disabled);
  assert.deepEqual(made.handles, []);
  assert.equal(made.label.attributes.title, "a");
});

test("with constraints p is said to be without", () => {
  const { row: said } = row({}, { ...nothing(), keep: ["b"] });
  assert.match(said.kind.attributes.title, /p 0.01 without constraints$/);
});

test("buttons and fields ask the page", () => {
  const { row: made, asked } = row();
  made.label.fire("click");
  made.forbid.fire("click");
  made.keep.fire("click");
  made.cost.value = "3";
  made.cost.fire("change");
  assert.deepEqual(asked, [["select", 0], ["toggle", "forbid", 0], ["toggle", "keep", 0], ["cost", "a", "3"]]);
});

test("what is forbidden or kept is pressed", () => {
  const { row: made, explorer } = row({}, { ...nothing(), forbid: ["a"] });
  assert.equal(made.forbid.attributes["aria-pressed"], "true");
  assert.ok(made.node.classList.contains("forbidden"));
  explorer.constraints = { ...nothing(), keep: ["a"] };
  made.update();
  assert.deepEqual([made.forbid, made.keep].map((node) => node.attributes["aria-pressed"]), ["false", "true"]);
  assert.ok(!made.node.classList.contains("forbidden"));
});

test("a handle that bounds says so", () => {
  const { row: made } = row({}, { ...nothing(), bounds: { a: [0.25, null] } });
  const [low, high] = made.handles;
  assert.equal(low.slider.attributes["aria-valuetext"], "0.250, bounded");
  assert.equal(high.slider.attributes["aria-valuetext"], "0.500");
  assert.ok(low.node.classList.contains("bound"));
  assert.ok(!high.node.classList.contains("bound"));
});

test("a key asks at once, and for this row first", () => {
  const { row: made, asked } = row();
  made.handles[1].slider.fire("keydown", { key: "ArrowLeft" });
  made.handles[1].slider.fire("keydown", { key: "x" });
  assert.deepEqual(asked, [["propose", { forbid: [], keep: [], bounds: { a: [0, 0.49] } }, { final: true, first: 0, by: "a high" }]]);
});

test("a drag asks once for each picture, and is final where it ends", () => {
  const { row: made, asked } = row();
  const { slider } = made.handles[1];
  slider.fire("pointerdown", { pointerId: 1 });
  slider.fire("pointermove", { clientX: 90 });
  slider.fire("pointermove", { clientX: 80 });
  drawFrames();
  slider.fire("pointermove", { clientX: 70 });
  slider.fire("pointerup", { clientX: 60 });
  drawFrames();
  slider.fire("pointermove", { clientX: 20 });
  assert.deepEqual(asked.map(([, { bounds }, { final }]) => [bounds.a, final]), [[[0, 0.4], false], [[0, 0.3], true]]);
});

test("a click on a handle asks nothing", () => {
  const { row: made, asked } = row();
  made.handles[0].slider.fire("pointerdown", { pointerId: 1 });
  made.handles[0].slider.fire("pointerup", { clientX: 60 });
  assert.deepEqual(asked, []);
});

test("an answer moves the bar and leaves what was before", () => {
  const { row: made } = row();
  made.node.classList.add("stale");
  made.show({ class: "strong", min: 0.4, max: 0.5 });
  assert.ok(!made.node.classList.contains("stale"));
  assert.equal(made.bar.bar.attributes.x, "40.000%");
  assert.equal(made.bar.past.attributes.x, "10.000%");
  assert.equal(made.before.class, "weak");
});

test("with a weight for each class a feature can be bounded and kept as well", () => {
  const { row: made } = row({}, nothing(), true);
  assert.ok(made.handles.length === 2 && !made.keep.disabled && !made.forbid.disabled);
  assert.ok(!made.hasOneWeight && row().row.hasOneWeight);
});
