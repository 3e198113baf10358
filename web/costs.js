// What features cost, and the cheapest set of them that is enough.

import { button, make } from "./dom.js";
import { round, shown } from "./words.js";

export function cheapestInWords({ features, cost, gap }, { forbid, keep, bounds }) {
  const scope = (forbid.length ? " without what is forbidden" : "")
    + (keep.length || Object.keys(bounds).length ? " (whatever is kept or bounded)" : "");
  const proven = gap ? ` (at most ${shown(gap)} from the best)` : "";
  const count = `${features.length} feature${features.length === 1 ? "" : "s"}`;
  return `${count}, cost ${round(cost)}${proven}${scope}: ${features.join(", ")}`;
}

export class Costs {
  constructor(explorer) {
    this.explorer = explorer;
    this.values = { ...explorer.start.costs };
    this.answer = make("p", { class: "cheapest", role: "status" });
    this.node = make("section", { "aria-label": "Cheapest set" }, make("h2", {}, "Cheapest set"),
      make("p", { class: "hint" }, "Type what it costs to measure a feature (1 where empty)."),
      button("Find the cheapest set", () => this.find(), { class: "find-cheapest" }), this.answer);
    this.rows = explorer.rows;
    this.#show();
  }

  set(name, text) {
    const value = Number(text);
    if (text === "" || !(value >= 0)) delete this.values[name];
    else this.values[name] = value;
  }

  // Take over what a file holds: the costs of all features, and no others.
  load(values) {
    this.values = { ...values };
    this.#show();
  }

  async find() {
    const { rows, history } = this.explorer;
    const { accepted } = history;
    this.answer.textContent = "Looking …";
    try {
      const body = { costs: this.values, constraints: { forbid: accepted.forbid } };
      const found = await this.explorer.question("cheapest", body);
      this.answer.textContent = cheapestInWords(found, accepted);
      for (const row of rows) row.node.classList.toggle("chosen", found.features.includes(row.name));
    } catch (error) {
      this.answer.textContent = `No answer: ${error.message}`;
    }
  }

  #show() {
    for (const row of this.rows) row.cost.value = this.values[row.name] ?? "";
  }
}
