// How much worse models may be than the best: a slider from nothing to twice what the fit allows,
// and up to which tolerance all models need a feature.

import { make, set } from "./dom.js";
import { priceInWords, round, times } from "./words.js";

const PATIENCE = 200; // milliseconds that a slider has to rest before its place is asked for
const STEP = 0.05, MOST = 2;

export class Tolerance {
  constructor(explorer) {
    this.explorer = explorer;
    this.factor = 1; // of the bars that are shown, or asked for
    this.own = explorer.start.tolerance ?? [];
    this.value = make("output", { class: "tolerance-value" });
    this.slider = make("input", {
      type: "range", min: 0, max: MOST, step: STEP, value: 1, class: "tolerance", "aria-label": "Tolerance",
      title: "how much worse than the best model a model may be",
      oninput: () => this.#wait(), onchange: () => this.#ask(),
    });
    this.node = make("label", { class: "tolerance-label", hidden: !this.own.length }, "Tolerance", this.slider, this.value);
    this.hint = make("p", { class: "hint elsewhere", hidden: true },
      "The bars are at another tolerance. Groups, stand-ins, sets and samples are of the fit's own.");
    this.show(1);
  }

  get isElsewhere() {
    return this.factor !== 1;
  }

  // The factor that holds now; the slider may be on its way to another one.
  show(factor) {
    clearTimeout(this.waiting);
    this.factor = factor;
    this.slider.value = String(factor);
    this.hint.hidden = factor === 1;
    this.#say(factor);
  }

  #say(factor) {
    const both = this.own.map((one) => factor * one);
    const alike = new Set(both.map((one) => one.toPrecision(2))).size === 1;
    const own = (alike ? both.slice(0, 1) : both).map((one) => round(Number(one.toPrecision(3)))).join(" and ");
    const text = factor === 1 ? `${own} (the fit's)` : `${own} (${times(factor)} the fit's)`;
    this.value.textContent = text;
    set(this.slider, { "aria-valuetext": text });
  }

  #wait() {
    clearTimeout(this.waiting);
    this.#say(Number(this.slider.value));
    this.waiting = setTimeout(() => this.#ask(), PATIENCE);
  }

  #ask() {
    clearTimeout(this.waiting);
    const before = this.factor;
    const factor = Number(this.slider.value);
    if (factor === before) return;
    this.show(factor);
    this.explorer.askAgain(before);
  }

  // Asked for once, after the page is there; nobody waits for it.
  async findPrices() {
    const { rows } = this.explorer;
    if (!this.own.length) return;
    try {
      const { needed } = await this.explorer.question("needed");
      rows.forEach((row, j) => row.setNeeded(needed[j]));
    } catch {
      // Bars say enough without it.
    }
  }

  get legend() {
    return priceInWords(round(Number((this.own[0] ?? 0).toPrecision(3))));
  }
}
