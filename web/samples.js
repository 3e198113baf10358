// Whose prediction depends on which of the equally good models is used.

import { copy, isEmpty, same } from "./constraints.js";
import { button, elapsed, make } from "./dom.js";
import { inWords, shown } from "./words.js";

// With more than two classes there is no one decision value.
const hasValues = (rows) => rows.some((row) => row.low !== null);

export function headOf(rows) {
  return ["sample", "label", ...(hasValues(rows) ? ["decision value"] : []), "settled?"];
}

export function cellsOf({ name, labels, low, high, settled }) {
  const value = low === null ? [] : [`${shown(low)} to ${shown(high)}`];
  return [name, labels.join(" or "), ...value, settled ? "settled" : "open"];
}

export function samplesInWords({ rows, n, open }, constraints) {
  const scope = isEmpty(constraints) ? "" : ` (${inWords(constraints)})`;
  const more = rows.length < n ? ` ${rows.length} are listed, these first.` : "";
  return `${open} of ${n} samples depend on which model is used${scope}.${more}`;
}

export class Samples {
  constructor(explorer) {
    this.explorer = explorer;
    this.asked = null; // the constraints whose samples are shown
    this.answer = make("div", { class: "samples" });
    this.node = make("section", { "aria-label": "Samples" }, make("h2", {}, "Samples"),
      make("p", { class: "hint" }, "Do all equally good models predict the same for everyone?"),
      button("Show samples", () => this.show(), { class: "show-samples" }), this.answer);
  }

  async show() {
    const constraints = (this.asked = copy(this.explorer.history.accepted));
    this.#say("Computing …", elapsed());
    try {
      const found = await this.explorer.question("samples", { constraints });
      if (this.asked === constraints) this.#say(samplesInWords(found, constraints), tableOf(found.rows));
    } catch (error) {
      if (this.asked === constraints) this.#say(`No answer: ${error.message}`);
    }
  }

  // What was accepted has changed: what is shown follows, where anything is.
  follow() {
    if (this.asked && !same(this.asked, this.explorer.history.accepted)) this.show();
  }

  #say(text, ...more) {
    this.answer.replaceChildren(make("p", { role: "status" }, text), ...more);
  }
}

function tableOf(rows) {
  const head = make("tr", {}, ...headOf(rows).map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((row) => make("tr", { class: row.settled ? "settled" : "open" },
    ...cellsOf(row).map((text) => make("td", {}, text))));
  // A region that scrolls has to be reached by keyboard, too.
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "List of samples" },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}
