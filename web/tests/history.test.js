import assert from "node:assert/strict";
import { test } from "node:test";
import { nothing } from "../constraints.js";
import { History } from "../history.js";

const without = (...forbid) => ({ ...nothing(), forbid });

test("steps are taken back one by one", () => {
  const history = new History();
  assert.ok(history.isEmpty);
  history.accept(without("a"));
  history.accept(without("a", "b"));
  assert.deepEqual(history.back(), without("a"));
  assert.deepEqual(history.back(), nothing());
  assert.ok(history.isEmpty);
});

test("asking the same again, or going back, is no step", () => {
  const history = new History();
  history.accept(without("a"));
  history.accept(without("a"));
  history.accept(nothing(), { undoing: true });
  assert.equal(history.steps.length, 1);
  assert.deepEqual(history.accepted, nothing());
});

test("presses of a key on one handle are one step, if they come soon", () => {
  const history = new History();
  history.accept(without("a"), { by: "x low", at: 0 });
  history.accept(without("b"), { by: "x low", at: 1000 });
  history.accept(without("c"), { by: "x low", at: 2000 });
  assert.equal(history.steps.length, 1, "each is soon after the one before");
  history.accept(without("d"), { by: "x low", at: 4000 });
  assert.equal(history.steps.length, 2, "too late");
  history.accept(without("e"), { by: "x high", at: 4100 });
  assert.equal(history.steps.length, 3, "another handle");
  history.accept(without("f"), { at: 4200 });
  history.accept(without("g"), { at: 4300 });
  assert.equal(history.steps.length, 5, "clicks are never put together");
});

test("what was accepted can be withdrawn for the step before, or dropped", () => {
  const history = new History();
  history.accept(without("a"));
  history.accept(without("b"));
  history.withdraw();
  assert.deepEqual(history.accepted, without("a"));
  history.drop();
  assert.deepEqual(history.accepted, nothing());
  assert.equal(history.steps.length, 1, "steps before can still be taken back");
  history.withdraw();
  history.withdraw();
  assert.deepEqual(history.accepted, nothing());
});

test("what was accepted does not change with what was given", () => {
  const history = new History();
  const asked = without("a");
  history.accept(asked);
  asked.forbid.push("b");
  assert.deepEqual(history.accepted, without("a"));
});
