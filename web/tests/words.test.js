import assert from "node:assert/strict";
import { test } from "node:test";
import { nothing } from "../constraints.js";
import { cheapestInWords } from "../costs.js";
import { sameGroup, standIns } from "../details.js";
import { cellsOf, headOf } from "../samples.js";
import { dropped, inWords, refusal, renewed, small, summary, marks, NOISE_TOO, certainty } from "../words.js";

test("a question in words", () => {
  const asked = { forbid: ["a", "b"], keep: ["c"], bounds: { d: [0.1, null], e: [0, 0.2], f: [0.1, 0.2] } };
  assert.equal(inWords(asked), "without a, b; always with c; d at least 0.100; e at most 0.200; f at least 0.100 and at most 0.200");
});

test("the summary counts what there is", () => {
  const kinds = (...words) => words.map((word) => ({ class: word }));
  assert.equal(summary(kinds("strong", "weak", "weak")), "3 features: 1 strong, 2 weak, 0 irrelevant");
  assert.equal(summary([...kinds("forbidden"), { class: "weak", borderline: true }]),
    "2 features: 0 strong, 1 weak, 0 irrelevant, 1 forbidden; 1 could be either");
});

test("the impossible names what clashes, or else what was asked", () => {
  const event = { kind: "impossible", clash: ["forbid a", "keep b"], tolerance: 0.12345 };
  assert.equal(refusal(event, nothing()), "Impossible: no equally good model does all of this together: forbid a, keep b. "
    + "Nothing was changed. Models that are somewhat worse could, with a tolerance of 0.1235.");
  assert.match(refusal({ kind: "impossible" }, { ...nothing(), forbid: ["a"] }), /does this: without a\. Nothing was changed\.$/);
  assert.equal(refusal({ kind: "failed", message: "tired" }), "That could not be computed, so nothing was changed. tired");
});

test("what is irrelevant is in no group", () => {
  assert.equal(sameGroup(["a", "b"], 2), "Same group among all equally good models: a, b.");
  assert.equal(sameGroup([], 2), "It has a group of its own.");
  assert.match(sameGroup([], 0), /^It is in no group/);
});

test("another fit says what it lacks", () => {
  assert.equal(renewed([]), "Another fit answers now.");
  assert.match(renewed(["a"]), /not know a: what was asked of it was dropped\.$/);
  assert.match(dropped({ kind: "impossible" }, { ...nothing(), keep: ["b"] }), /before \(always with b\), so it was dropped\.$/);
});

test("very small p-values are not written out", () => {
  assert.deepEqual([0.01234, 0.00001].map(small), ["0.012", "< 0.0001"]);
});

test("stand-ins are said to be those of the models that are left", () => {
  const asked = { ...nothing(), forbid: ["c"] };
  assert.equal(standIns({ names: [], replaceable: false }, nothing()), "No equally good model does without it.");
  assert.equal(standIns({ names: [], replaceable: false }, asked), "No model that is left does without it (without c).");
  assert.match(standIns({ names: [], replaceable: true, found: false }, nothing()), /^It can be left out\. No short list /);
  assert.match(standIns({ names: [], replaceable: true }, asked), /^It can be left out, .* \(without c\)\.$/);
  assert.match(standIns({ names: ["a", "b"], replaceable: true }, nothing()), /uses at least one of a, b\.$/);
  assert.match(standIns({ names: ["a"], replaceable: true }, nothing()), /uses a\.$/);
});

test("the cheapest set says what it obeys", () => {
  const found = { features: ["a"], cost: 1.5, gap: 0 };
  assert.equal(cheapestInWords(found, nothing()), "1 feature, cost 1.5: a (✓ in the list)");
  assert.equal(cheapestInWords({ features: ["a", "b"], cost: 2, gap: 0.5 }, { ...nothing(), forbid: ["c"], keep: ["d"] }),
    "2 features, cost 2 (at most 0.500 from the best) (without c; always with d): a, b (✓ in the list)");
});

test("a feature that is relevant by what others leave has a star", () => {
  const weak = { class: "weak", borderline: false, bound: false, explains: true };
  assert.deepEqual(marks(weak, weak), ["∗"]);
  assert.deepEqual(marks(weak, { ...weak, class: "irrelevant", bound: true }), ["≤"]);
  assert.deepEqual(marks(weak, { ...weak, borderline: true }), ["?"]);
  assert.deepEqual(marks({ ...weak, explains: false }, weak), []);
});

test("what is irrelevant although every model uses it says why", () => {
  const known = { class: "irrelevant", noise: 0.1, p: null, borderline: false, bound: false, explains: false };
  assert.deepEqual(certainty(known, { ...known, min: 0.01 }, false).slice(1), [NOISE_TOO]);
  assert.deepEqual(certainty(known, { ...known, min: 0 }, false).slice(1), []);
});

test("a sample is settled or open", () => {
  assert.deepEqual(cellsOf({ name: "7", labels: ["no", "yes"], low: -0.1, high: null, settled: false }),
    ["7", "no or yes", "-0.100 to unknown", "open"]);
  const several = { name: "7", labels: ["a", "c"], low: null, high: null, settled: false };
  assert.deepEqual(cellsOf(several), ["7", "a or c", "open"]);
  assert.deepEqual(headOf([several]), ["sample", "label", "settled?"]);
});
