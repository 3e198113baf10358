// The ends of a bar, which can be dragged, or moved by keys.

import { draw, set } from "./dom.js";
import { share } from "./picture.js";
import { percent, round, shown } from "./words.js";

// Where a handle is: at its bound where there is one, at the end of the bar otherwise.
export function placeOf(end, { name, now, scale, constraints }) {
  if (constraints.forbid.includes(name)) return 0;
  const [low, high] = constraints.bounds[name] ?? [0, null];
  if (end === "low") return low > 0 ? low : now.min ?? 0;
  return high === null ? now.max ?? scale : high;
}

// Where a key moves a handle; nothing for keys that do not.
export function keyed(key, value, { least, most, scale }) {
  const step = scale / 100;
  const moves = {
    ArrowLeft: -step, ArrowDown: -step, PageDown: -10 * step,
    ArrowRight: step, ArrowUp: step, PageUp: 10 * step,
  };
  if (key in moves) return Math.max(0, value + moves[key]);
  return { Home: Math.max(0, least), End: Math.max(0, most) }[key] ?? null;
}

export class Handle {
  constructor(row, end) {
    this.row = row;
    this.end = end;
    const isLow = end === "low";
    const grip = draw("path", { class: "grip", d: isLow ? "M0 1 h-5 v24 h5z" : "M0 1 h5 v24 h-5z" });
    // What can be touched is larger than what is seen.
    const target = draw("rect", { class: "target", x: isLow ? -14 : -4, y: 0, width: 18, height: 26 });
    this.slider = draw("g", {
      role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-orientation": "horizontal",
      "aria-label": `${isLow ? "least" : "most"} relevance of ${row.name}`,
      onkeydown: (event) => this.#key(event),
      onpointerdown: (event) => this.#drag(event),
    }, target, grip);
    this.node = draw("svg", { overflow: "visible", class: "handle", "data-end": end }, this.slider);
  }

  update() {
    const { name, scale, constraints } = this.row;
    const value = placeOf(this.end, this.row);
    const bound = constraints.bounds[name];
    const isBound = bound && (this.end === "low" ? bound[0] > 0 : bound[1] !== null);
    set(this.node, { x: percent(share(value, scale)), class: `handle${isBound ? " bound" : ""}` });
    set(this.slider, {
      "aria-valuenow": round(value), "aria-valuemax": round(scale),
      "aria-valuetext": `${shown(value)}${isBound ? ", bounded" : ""}`,
    });
  }

  #key(event) {
    const { row } = this;
    const value = keyed(event.key, placeOf(this.end, row), { ...row.reach, scale: row.scale });
    if (value === null) return;
    event.preventDefault();
    row.move(this.end, value, true);
  }

  #drag(event) {
    event.preventDefault();
    const { row, slider } = this;
    slider.focus();
    slider.setPointerCapture(event.pointerId);
    const box = row.picture.getBoundingClientRect();
    const value = (at) => share(at.clientX - box.left, box.width) * row.scale;
    let last = null;
    let waiting = null;
    // Pointers move more often than pictures are drawn; one question for each picture is enough.
    const onmove = (at) => {
      last = at;
      waiting ??= requestAnimationFrame(() => {
        waiting = null;
        row.move(this.end, value(last), false);
      });
    };
    const stop = (at) => {
      slider.removeEventListener("pointermove", onmove);
      slider.removeEventListener("pointerup", stop);
      slider.removeEventListener("pointercancel", stop);
      if (waiting !== null) cancelAnimationFrame(waiting);
      if (last !== null) row.move(this.end, value(at), true);
    };
    slider.addEventListener("pointermove", onmove);
    slider.addEventListener("pointerup", stop);
    slider.addEventListener("pointercancel", stop);
  }
}
