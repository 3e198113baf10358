import assert from "node:assert/strict";
import { before, test } from "node:test";
import { broken, sheetOf } from "../paper.js";
import { axis, Bar, scaleOf, share, span, ticks } from "../picture.js";
import { install } from "./fake-dom.js";

before(install);

const close = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`);

test("the scale holds bars and noise with a little room", () => {
  close(scaleOf([{ max: 0.5, noise_at: 0.1 }, { max: null, noise_at: null }]), 0.52);
  close(scaleOf([{ max: 0.1, noise_at: 0.2, noise: 17.9 }]), 0.208);
  assert.ok(scaleOf([{ max: null, noise_at: null }]) > 0, "nothing can be divided by zero");
});

test("ticks are few round numbers from zero", () => {
  for (const scale of [1.04e-9, 0.003, 0.052, 0.52, 1.04, 7.3, 9.99, 10, 1234]) {
    const found = ticks(scale);
    const step = found[1];
    assert.equal(found[0], 0);
    assert.ok(found.at(-1) <= scale, `${scale}`);
    assert.ok(found.length >= 3 && found.length <= 7, `${found.length} ticks for ${scale}`);
    const digit = Math.round(step / 10 ** Math.floor(Math.log10(step * 1.0000001)));
    assert.ok([1, 2, 5].includes(digit), `a step of ${step}`);
  }
});

test("shares stay on the picture", () => {
  assert.equal(share(0.25, 0.5), 0.5);
  assert.equal(share(-1, 0.5), 0);
  assert.equal(share(2, 0.5), 1);
  assert.equal(share(null, 0.5), 0);
});

test("a bar goes from its lower to its upper end, or to the end of the scale", () => {
  assert.deepEqual(span(0.1, 0.3, 0.4), { x: 0.25, width: (0.3 - 0.1) / 0.4 });
  assert.deepEqual(span(null, null, 0.4), { x: 0, width: 1 });
  assert.equal(span(0.2, 0.2, 0.4).width, 0.003, "one of no length can be seen");
});

function drawn(changes) {
  const feature = { class: "weak", borderline: false, min: 0.1, max: 0.3, noise: 0.05, noise_at: 0.05, weight: 0.2 };
  const bar = new Bar([]);
  bar.update({ before: feature, now: { ...feature, ...changes }, scale: 0.4 });
  return bar;
}

test("the ghost stays where the bar was", () => {
  const bar = drawn({ class: "strong", min: 0.2, max: 0.25 });
  assert.deepEqual([bar.past.attributes.x, bar.past.attributes.width], ["25.000%", "50.000%"]);
  assert.deepEqual([bar.bar.attributes.x, bar.bar.attributes.width], ["50.000%", "12.500%"]);
  assert.equal(bar.noise.attributes.x1, "12.500%");
  assert.equal(bar.marker.attributes.x, "50.000%");
});

test("weak bars are striped, unless they could be either", () => {
  assert.equal(drawn({}).hatch.attributes.visibility, "visible");
  assert.equal(drawn({ class: "strong" }).hatch.attributes.visibility, "hidden");
  const either = drawn({ borderline: true });
  assert.equal(either.hatch.attributes.visibility, "hidden");
  assert.equal(either.bar.attributes.class, "bar weak either");
});

test("numbers at the ends of the axis stay on the page", () => {
  const texts = axis(1).children.find((node) => node.tag === "svg").children;
  assert.deepEqual(texts.map((node) => node.textContent), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
  const anchors = texts.map((node) => node.attributes["text-anchor"]);
  assert.deepEqual(anchors, ["start", "middle", "middle", "middle", "middle", "end"]);
});

test("long words are broken into lines, and none is lost", () => {
  const text = "without one, two, three and a half dozen of others";
  const lines = broken(text, 12);
  assert.ok(lines.every((line) => line.trim().length <= 13));
  assert.equal(lines.join("").trim(), text);
});

test("a sheet grows with its heading, its bars and its legend", () => {
  const plain = sheetOf(0.5, { lines: 0, bars: 10 });
  const more = sheetOf(0.5, { lines: 2, bars: 11, notes: 1 });
  assert.equal(more.top - plain.top, 32);
  assert.equal(more.height - plain.height, 32 + 22 + 18);
  assert.equal(plain.at(0.25), 540);
  assert.deepEqual(plain.span(0.25, null), { x: 540, width: 300 });
  assert.ok(plain.at(0.5) < plain.width);
});
