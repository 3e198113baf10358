import assert from "node:assert/strict";
import { before, test } from "node:test";
import { nothing } from "../constraints.js";
import { Listing, sifted, sorted } from "../listing.js";
import { FakeNode, install } from "./fake-dom.js";

before(install);

const row = (name, kind, more = {}) => ({ name, now: { class: kind, borderline: false, ...more }, isMarked: false, node: new FakeNode("li") });
const names = (rows) => rows.map(({ name }) => name).join(" ");
const ROWS = [row("b10", "weak"), row("b9", "strong"), row("a", "irrelevant", { borderline: true }), row("c", "forbidden")];
const all = { text: "", kind: "all", folded: false, named: [] };

test("rows by relevance, name and class", () => {
  assert.equal(names(sorted(ROWS, "relevance")), "b10 b9 a c");
  assert.equal(names(sorted(ROWS, "name")), "a b9 b10 c");
  assert.equal(names(sorted(ROWS, "class")), "b9 b10 c a");
});

test("filters by text and class", () => {
  const shown = (how) => names(sifted(ROWS, { ...all, ...how }).shown);
  assert.equal(shown({ text: " B" }), "b10 b9");
  assert.equal(shown({ kind: "either" }), "a");
  assert.equal(shown({ kind: "weak", text: "9" }), "");
});

test("what is irrelevant is folded, unless somebody looks for it or something is said about it", () => {
  const folded = (how = {}) => sifted(ROWS, { ...all, folded: true, ...how }).folded;
  assert.equal(folded(), 1);
  assert.equal(folded({ text: "a" }), 0);
  assert.equal(folded({ kind: "irrelevant" }), 0);
  assert.equal(folded({ named: ["a"] }), 0);
  assert.equal(sifted([{ ...ROWS[2], isMarked: true }], { ...all, folded: true }).folded, 0);
});

function listing(n, kind = "irrelevant") {
  const rows = Array.from({ length: n }, (_, j) => row(`x${j}`, j < 3 ? "strong" : kind));
  return new Listing({ start: { order: rows.map((_, j) => j) }, rows, constraints: nothing() });
}

test("few rows are not folded, many are", () => {
  assert.equal(listing(30).shown.length, 30);
  const many = listing(300);
  assert.equal(many.shown.length, 3);
  assert.equal(many.fold.textContent, "Show 297 irrelevant features");
  many.fold.fire("click");
  assert.equal(many.shown.length, 200, "the rest on demand");
  assert.equal(many.more.textContent, "Show 100 more of 100");
  many.more.fire("click");
  assert.equal(many.shown.length, 300);
  assert.ok(many.more.hidden);
});

test("a search without a hit says so, and can be taken back", () => {
  const some = listing(10, "weak");
  some.search.value = "zebra";
  some.search.fire("input");
  assert.equal(some.none.textContent, "No feature has “zebra” in its name.");
  assert.equal(some.told, "0 of 10 are listed");
  assert.ok(!some.all.hidden);
  some.all.fire("click");
  assert.equal(some.shown.length, 10);
  assert.equal(some.none.textContent, "");
});
