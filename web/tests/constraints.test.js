import assert from "node:assert/strict";
import { test } from "node:test";
import { asFile, bounded, fromFile, isEmpty, namesIn, nothing, sifted, toggled } from "../constraints.js";

const REACH = { least: 0.1, most: 0.5, close: 0.002 };
const bound = (constraints, end, value) => bounded(constraints, "a", end, value, REACH);

test("nothing is asked to begin with, and everybody gets a nothing of their own", () => {
  assert.ok(isEmpty(nothing()));
  nothing().forbid.push("a");
  assert.ok(isEmpty(nothing()));
});

test("forbid and keep exclude each other and bounds, and can be taken back", () => {
  const first = { forbid: ["b"], keep: [], bounds: { a: [0.2, null] } };
  const forbidden = toggled(first, "forbid", "a");
  assert.deepEqual(forbidden, { forbid: ["b", "a"], keep: [], bounds: {} });
  const kept = toggled(forbidden, "keep", "a");
  assert.deepEqual(kept, { forbid: ["b"], keep: ["a"], bounds: {} });
  assert.deepEqual(toggled(kept, "keep", "a"), { forbid: ["b"], keep: [], bounds: {} });
  assert.deepEqual(first.bounds, { a: [0.2, null] }, "what was given is not changed");
});

test("a bound frees what was forbidden or kept", () => {
  const kept = { forbid: [], keep: ["a", "b"], bounds: {} };
  assert.deepEqual(bound(kept, "low", 0.3), { forbid: [], keep: ["b"], bounds: { a: [0.3, null] } });
});

test("a bound where the bar ends anyway is none", () => {
  assert.ok(isEmpty(bound(nothing(), "low", 0.1015)));
  assert.ok(isEmpty(bound(nothing(), "high", 0.499)));
  assert.ok(isEmpty(bound({ ...nothing(), bounds: { a: [0.2, null] } }, "low", 0)));
});

test("ends do not pass each other or the bar", () => {
  const upper = { ...nothing(), bounds: { a: [0, 0.3] } };
  assert.deepEqual(bound(upper, "low", 0.45).bounds.a, [0.3, 0.3]);
  const lower = { ...nothing(), bounds: { a: [0.2, null] } };
  assert.deepEqual(bound(lower, "high", 0.12).bounds.a, [0.2, 0.2]);
  assert.deepEqual(bound(nothing(), "low", 0.9).bounds.a, [0.5, null]);
  assert.deepEqual(bound(nothing(), "high", 0.01).bounds.a, [0, 0.1]);
});

test("bounds have four digits", () => {
  assert.deepEqual(bound(nothing(), "high", 0.123456).bounds.a, [0, 0.1235]);
});

test("names are given once", () => {
  assert.deepEqual(namesIn({ forbid: ["a"], keep: ["b"], bounds: { b: [0, 1], c: [0, 1] } }), ["a", "b", "c"]);
});

test("what is about other features is sifted out", () => {
  const { known, unknown } = sifted({ forbid: ["a", "b"], keep: ["c"], bounds: { d: [0, 1], e: [0.1, null] } }, ["b", "e"]);
  assert.deepEqual(known, { forbid: ["b"], keep: [], bounds: { e: [0.1, null] } });
  assert.deepEqual(unknown, ["a", "c", "d"]);
});

test("a file brings back what was asked", () => {
  const asked = { forbid: ["a"], keep: [], bounds: { b: [0.1, null] } };
  const costs = { a: 2, b: 0 };
  const found = fromFile(asFile(asked, "title", costs), ["a", "b"]);
  assert.deepEqual(found, { constraints: asked, costs });
});

test("a file of before costs were saved leaves them alone", () => {
  const text = JSON.stringify({ format: "allrelevant.question/1", constraints: { forbid: ["a"] } });
  assert.equal(fromFile(text, ["a"]).costs, null);
});

test("files that cannot be used say why", () => {
  assert.throws(() => fromFile("{}", []), /not of the form/);
  assert.throws(() => fromFile("nonsense", []), SyntaxError);
  assert.throws(() => fromFile(asFile({ ...nothing(), keep: ["z"] }, "", {}), ["a"]), /no feature z here/);
  assert.throws(() => fromFile(asFile(nothing(), "", { z: 1 }), ["a"]), /no feature z here/);
  assert.throws(() => fromFile(asFile(nothing(), "", { a: -1 }), ["a"]), /no number of at least 0/);
  assert.throws(() => fromFile(asFile(nothing(), "", { a: "1" }), ["a"]), /no number of at least 0/);
});
