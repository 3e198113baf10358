// Whose prediction depends on which of the equally good models is used.

import { button, make } from "./dom.js";
import { shown } from "./words.js";

const HEAD = ["sample", "label", "decision value", ""];

export function cellsOf({ name, labels, low, high, settled }) {
  return [name, labels.join(" or "), `${shown(low)} to ${shown(high)}`, settled ? "settled" : "open"];
}

export class Samples {
  constructor(transport) {
    this.transport = transport;
    this.answer = make("div", { class: "samples" });
    this.node = make("section", { "aria-label": "Samples" }, make("h2", {}, "Samples"),
      make("p", { class: "hint" }, "Do all equally good models predict the same for everyone?"),
      button("Show samples", () => this.show(), { class: "show-samples" }), this.answer);
  }

  async show() {
    this.#say("Computing …");
    try {
      const { rows, n, open } = await this.transport.get("samples");
      const more = rows.length < n ? ` The first ${rows.length} are listed.` : "";
      this.#say(`${open} of ${n} samples depend on which model is used.${more}`, tableOf(rows));
    } catch (error) {
      this.#say(`No answer: ${error.message}`);
    }
  }

  #say(text, ...more) {
    this.answer.replaceChildren(make("p", { role: "status" }, text), ...more);
  }
}

function tableOf(rows) {
  const head = make("tr", {}, ...HEAD.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((row) => make("tr", { class: row.settled ? "settled" : "open" },
    ...cellsOf(row).map((text) => make("td", {}, text))));
  // A region that scrolls has to be reached by keyboard, too.
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Samples" },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}
