// The bars as a picture of its own, in colours for paper.

import { isEmpty } from "./constraints.js";
import { draw, make, save, SVG } from "./dom.js";
import { hatching, ticks } from "./picture.js";
import { asked, EITHER, EXPLAINS, isStarred, marks, round, WORDS } from "./words.js";

const COLORS = { strong: "#0072B2", weak: "#E69F00", irrelevant: "#999999", forbidden: "#C0392B" };
const OPEN = { "fill-opacity": 0.28, stroke: "#555", "stroke-width": 1.2, "stroke-dasharray": "4 2.5" };
const LEFT = 240, PLOT = 600, STEP = 22, WIDTH = LEFT + PLOT + 20;
const SOFT = { fill: "#555" };

// Words in lines of a given length.
export function broken(text, length) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1).length + word.length > length) lines.push("");
    lines[lines.length - 1] += `${word} `;
  }
  return lines;
}

// Where things are on a sheet with so many lines of heading and so many bars.
export function sheetOf(scale, { lines, bars, notes = 0 }) {
  const top = 34 + 16 * lines;
  const bottom = top + STEP * bars;
  const at = (value) => LEFT + (PLOT * (value ?? 0)) / scale;
  return {
    scale, top, bottom, at, width: WIDTH, height: bottom + 62 + 18 * notes,
    span: (low, high) => ({ x: at(low), width: Math.max(1.5, at(high ?? scale) - at(low)) }),
  };
}

// `rows` are those to draw, in their order; `start` is what the fit says of itself.
export function asSvg({ start, rows, scale, constraints, factor = 1, rest = 0 }) {
  const heading = isEmpty(constraints) && factor === 1 ? [] : broken(asked(constraints, factor), 110);
  const moved = heading.length > 0; // else there is no before to draw
  const either = rows.some((row) => row.now.borderline);
  const starred = rows.some((row) => isStarred(row.before, row.now));
  const sheet = sheetOf(scale, { lines: heading.length, bars: rows.length, notes: either + starred });
  const { width, height, top, bottom, at } = sheet;
  const common = start.common_noise;
  const picture = draw("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` },
    hatching().firstChild, draw("rect", { width: "100%", height: "100%", fill: "#fff" }),
    write(10, 18, start.title, { "font-weight": "bold" }), ...heading.map((line, k) => write(10, 36 + 16 * k, line)),
    ...gridOf(sheet), ...rows.flatMap((row, k) => barOf(row, top + k * STEP, sheet, { ownNoise: common === null, moved })));
  if (common !== null) {
    const x = at(common);
    picture.append(draw("line", { x1: x, x2: x, y1: top, y2: bottom, stroke: "#000", "stroke-dasharray": "4 2" }));
  }
  picture.append(...legendOf(bottom, `${common === null ? "black tick" : "dashed line"}: ${start.noise_label}${rest ? `; ${rest} more features are not shown` : ""}`, { either, starred, moved }));
  return new XMLSerializer().serializeToString(picture);
}

function write(x, y, words, more = {}) {
  return draw("text", { x, y, "font-family": "sans-serif", "font-size": 12, fill: "#111", ...more }, words);
}

function gridOf({ scale, top, bottom, at }) {
  return ticks(scale).flatMap((tick) => [
    draw("line", { x1: at(tick), x2: at(tick), y1: top, y2: bottom, stroke: "#ddd" }),
    write(at(tick), bottom + 15, String(round(tick)), { "text-anchor": "middle", ...SOFT }),
  ]);
}

// A bar over its outline of before; where noise differs between features each has its own tick.
function barOf({ name, now, before }, y, { at, span }, { ownNoise, moved }) {
  const inner = { ...span(now.min, now.max), y: y + 4, height: 12 };
  const parts = [
    write(LEFT - 10, y + 14, name.length > 34 ? `${name.slice(0, 33)}…` : name, { "text-anchor": "end" }),
    ...(moved ? [draw("rect", { ...span(before.min, before.max), y: y + 1, height: 18, fill: "none", stroke: "#999" })] : []),
    draw("rect", { ...inner, fill: COLORS[now.class], ...(now.borderline ? OPEN : {}) }),
  ];
  const [mark] = marks(before, now);
  if (mark) {
    const end = at(Math.max(now.max ?? 0, before.noise_at ?? 0));
    parts.push(write(end + 5, y + 14, mark, { "font-weight": "bold" }));
  }
  if (ownNoise && before.noise_at !== null) {
    const x = at(before.noise_at);
    parts.push(draw("line", { x1: x, x2: x, y1: y, y2: y + 20, stroke: "#000", "stroke-width": 1.6 }));
  }
  if (now.class === "weak" && !now.borderline) parts.push(draw("rect", { ...inner, fill: "url(#hatch)" }));
  return parts;
}

function legendOf(bottom, noise, { either, starred, moved }) {
  const about = `relevance, as a share of the model's weight; ${noise}${moved ? "; outlined: before" : ""}`;
  const parts = [write(LEFT, bottom + 33, about, SOFT)];
  ["strong", "weak", "irrelevant"].forEach((word, k) => parts.push(
    draw("rect", { x: LEFT + 190 * k, y: bottom + 43, width: 18, height: 11, fill: COLORS[word] }),
    write(LEFT + 190 * k + 24, bottom + 53, `${word}: ${WORDS[word]}`, SOFT)));
  if (either) {
    parts.push(draw("rect", { x: LEFT, y: bottom + 61, width: 18, height: 11, fill: COLORS.irrelevant, ...OPEN }),
      write(LEFT + 24, bottom + 71, `? ${EITHER}`, SOFT));
  }
  if (starred) parts.push(write(LEFT, bottom + (either ? 89 : 71), `∗ ${EXPLAINS}`, SOFT));
  return parts;
}

// A picture in pixels, twice as fine as it is shown.
export async function savePng(svg, name) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject, src: address }));
  const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => save(blob, name, "image/png"), "image/png");
}
