import assert from "node:assert/strict";
import { test } from "node:test";
import { nothing } from "../constraints.js";
import { asked, priced, tooNarrow } from "../words.js";

test("a question says its tolerance where that is another", () => {
  assert.equal(asked(nothing(), 1), "All equally good models");
  assert.equal(asked(nothing(), 0.5), "All models at 0.5 times the tolerance");
  assert.equal(asked({ ...nothing(), forbid: ["a"] }, 2), "What if: without a at 2 times the tolerance");
});

test("what doing without a feature takes", () => {
  assert.equal(priced(undefined), "");
  assert.equal(priced(0), "");
  assert.equal(priced(null), "to any");
  assert.equal(priced(0.0213), "to 0.021");
  assert.equal(priced(0.00002), "to < 0.001");
});

test("why a slider went back", () => {
  assert.match(tooNarrow({ kind: "impossible" }, 0.5), /at 0.5 times the tolerance no model/);
  assert.match(tooNarrow({ kind: "failed", message: "tired" }, 0.5), /tired/);
});
