// Bars, what they were before, and their axis. Geometry is in shares of the width, so that
// pictures need not be drawn anew when the window changes.

import { draw, make, set } from "./dom.js";
import { percent, round } from "./words.js";

const NARROWEST = 0.003; // a bar of no length has to be seen, too

// The end of the axis: a little more than anything that is drawn on it.
export function scaleOf(features) {
  const farthest = Math.max(...features.map((row) => Math.max(row.max ?? 0, row.noise_at ?? 0)), 0);
  return (farthest > 1e-9 ? farthest : 1) * 1.04; // where nothing is relevant, an axis that can be read
}

// Round numbers from zero to the end of a scale.
export function ticks(scale) {
  const power = 10 ** Math.floor(Math.log10(scale / 5));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= scale / 6);
  return Array.from({ length: Math.floor(scale / step) + 1 }, (_, k) => k * step);
}

export function share(value, scale) {
  return Math.max(0, Math.min(1, (value ?? 0) / scale));
}

// Where a bar begins and how wide it is; one without an end goes to the end of the scale.
export function span(low, high, scale) {
  return { x: share(low, scale), width: Math.max(NARROWEST, ((high ?? scale) - (low ?? 0)) / scale) };
}

// Stripes for weak features, which colour alone would not tell apart for everybody.
export function hatching() {
  const tile = { width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = draw("pattern", { id: "hatch", ...tile },
    draw("line", { x1: 0, y1: 0, x2: 0, y2: 7, stroke: "#7A5400", "stroke-width": 1.6 }));
  return draw("svg", { class: "defs", width: 0, height: 0, "aria-hidden": "true" }, draw("defs", {}, pattern));
}

// The head of the list, with the numbers of the axis above the bars.
export function axis(scale, more = ["what if", "cost"]) {
  const picture = draw("svg", { class: "picture axis", height: 20, "aria-hidden": "true" });
  for (const tick of ticks(scale)) {
    const anchor = tick === 0 ? "start" : tick > 0.95 * scale ? "end" : "middle";
    picture.append(draw("text", { x: percent(tick / scale), y: 14, "text-anchor": anchor }, String(round(tick))));
  }
  return make("div", { class: "row head", "aria-hidden": "true" },
    make("span", {}, "feature"), make("span", {}, "class"), picture, ...more.map((word) => make("span", {}, word)));
}

// One feature's bar with its ghost: the outline of what it was before any constraint.
export class Bar {
  constructor(handles) {
    this.past = draw("rect", { class: "past", y: 3, height: 20, rx: 1 });
    this.bar = draw("rect", { class: "bar", y: 6, height: 14 });
    this.hatch = draw("rect", { class: "hatch", y: 6, height: 14, fill: "url(#hatch)" });
    this.noise = draw("line", { class: "noise", y1: 0, y2: 26 });
    const diamond = draw("path", { class: "marker", d: "M0 -4 l4 4 -4 4 -4 -4z" });
    this.marker = draw("svg", { overflow: "visible", y: 13 }, diamond);
    this.node = draw("svg", { class: "picture", height: 26 },
      draw("rect", { class: "track", width: "100%", y: 12.5, height: 1 }),
      this.past, this.bar, this.hatch, this.noise, this.marker, ...handles);
  }

  update({ before, now, scale }) {
    const at = (value) => percent(share(value, scale));
    const between = ({ min, max }) => {
      const { x, width } = span(min, max, scale);
      return { x: percent(x), width: percent(width) };
    };
    const striped = now.class === "weak" && !now.borderline;
    const noise = at(before.noise_at);
    set(this.past, between(before));
    set(this.bar, { ...between(now), class: `bar ${now.class}${now.borderline ? " either" : ""}` });
    set(this.hatch, { ...between(now), visibility: striped ? "visible" : "hidden" });
    set(this.noise, { x1: noise, x2: noise, visibility: before.noise === null ? "hidden" : "visible" });
    set(this.marker, { x: at(before.weight) });
  }
}
