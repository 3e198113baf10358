// What features cost, and the cheapest set of them that is enough.

import { copy, isEmpty, same } from "./constraints.js";
import { button, elapsed, make } from "./dom.js";
import { inWords, round, shown } from "./words.js";

export function cheapestInWords({ features, cost, gap }, constraints) {
  const scope = isEmpty(constraints) ? "" : ` (${inWords(constraints)})`;
  const proven = gap ? ` (at most ${shown(gap)} from the best)` : "";
  const count = `${features.length} feature${features.length === 1 ? "" : "s"}`;
  return `${count}, cost ${round(cost)}${proven}${scope}: ${features.join(", ")} (✓ in the list)`;
}

export class Costs {
  constructor(explorer) {
    this.explorer = explorer;
    this.values = { ...explorer.start.costs };
    this.asked = null; // the constraints whose set is shown
    this.busy = false;
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
    const constraints = (this.asked = copy(this.explorer.history.accepted));
    this.answer.replaceChildren("Looking …", elapsed());
    this.busy = true;
    try {
      const found = await this.explorer.question("cheapest", { costs: this.values, constraints });
      if (this.asked !== constraints) return;
      this.answer.textContent = cheapestInWords(found, constraints);
      for (const row of this.rows) row.mark("chosen", found.features.includes(row.name));
      this.explorer.listing.refresh();
    } catch (error) {
      if (this.asked === constraints) this.answer.textContent = `No answer: ${error.message}`;
    }
    this.busy = false;
    this.follow();
  }

  // What was accepted has changed: what is shown follows, where anything is. It may take long, so
  // that one question is waited for before the next.
  follow() {
    if (this.busy || !this.asked || same(this.asked, this.explorer.history.accepted)) return;
    this.find();
  }

  #show() {
    for (const row of this.rows) row.setCost(this.values[row.name] ?? "");
  }
}
