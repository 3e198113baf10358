// What the page says about the feature whose name was clicked: its group and its stand-ins.

import { isEmpty } from "./constraints.js";
import { make } from "./dom.js";
import { ofColumn, shown, WORDS } from "./words.js";

// Stand-ins are those among all models, whatever is forbidden or kept at the moment.
export function standIns({ names, replaceable }, constrained) {
  const start = (word) => (constrained ? `Without constraints: ${word.toLowerCase()}` : word);
  if (!replaceable) return `${start("No")} equally good model does without it.`;
  if (!names.length) return `${start("It")} can be left out, and no single feature has to take its place.`;
  return `${start("If")} it is left out, every equally good model uses at least one of ${names.join(", ")}.`;
}

// What is irrelevant is in no group: it stands in for nothing.
export function sameGroup(names, label) {
  if (names.length) return `Same group: ${names.join(", ")}.`;
  return label > 0 ? "It has a group of its own." : "It is in no group: what is irrelevant stands in for nothing.";
}

export class Details {
  constructor(explorer) {
    this.explorer = explorer;
    this.rows = explorer.rows; // an answer that comes late is about these, not about another fit's
    this.selected = null;
    this.groups = null; // asked for once
    this.node = make("section", { class: "details", "aria-label": "Details" });
  }

  // A second click takes the first one back.
  async select(j) {
    const again = this.selected === j;
    this.selected = again ? null : j;
    for (const row of this.rows) row.node.classList.remove("selected", "substitute", "grouped");
    this.node.replaceChildren();
    if (again) return;
    const row = this.rows[j];
    row.node.classList.add("selected");
    this.about = make("div", {});
    this.found = null; // its stand-ins
    this.first = make("p", {}, "Looking for what can take its place …");
    const second = make("p", {}, "Looking for its group …");
    // With a weight for each class a feature has neither.
    const asked = this.explorer.start.by_class ? [] : [this.first, second];
    this.node.replaceChildren(make("h2", {}, row.name), this.about, ...asked);
    this.follow();
    if (!asked.length) return;
    await Promise.all([this.#showSubstitutes(row, this.first), this.#showGroup(row, second)]);
  }

  // What was asked has changed, and so has what is said of the feature.
  follow() {
    if (this.selected === null) return;
    const row = this.rows[this.selected];
    const { now } = row;
    const own = row.hasOneWeight ? `weight ${shown(now.low)} to ${shown(now.high)}` : "with a weight for each class";
    const weight = row.hasSeveral ? `the sum of ${now.columns.length} columns` : own;
    const about = `${now.class}: ${WORDS[now.class]}. Relevance ${shown(now.min)} to ${shown(now.max)}, ${weight}.`;
    const columns = row.hasSeveral
      ? [make("ul", { class: "parts" }, ...now.columns.map((column) => make("li", {}, ofColumn(column))))] : [];
    this.about.replaceChildren(make("p", {}, about), ...columns,
      make("p", { class: "hint" }, row.certainty.join("; ")));
    if (this.found) this.first.textContent = standIns(this.found, !isEmpty(this.explorer.constraints));
  }

  async #showSubstitutes(row, text) {
    try {
      const found = await this.explorer.question("substitutes", { feature: row.name });
      if (this.selected !== row.j) return;
      this.found = found;
      text.textContent = standIns(found, !isEmpty(this.explorer.constraints));
      for (const other of this.rows) other.node.classList.toggle("substitute", found.names.includes(other.name));
    } catch (error) {
      text.textContent = `This could not be found out: ${error.message}`;
    }
  }

  async #showGroup(row, text) {
    try {
      this.groups ??= (await this.explorer.question("groups")).labels;
      if (this.selected !== row.j) return;
      const label = this.groups[row.j];
      const group = this.rows.filter((other) => other !== row && label > 0 && this.groups[other.j] === label);
      text.textContent = sameGroup(group.map((other) => other.name), label);
      for (const other of group) other.node.classList.add("grouped");
    } catch (error) {
      text.textContent = `Its group could not be found out: ${error.message}`;
    }
  }
}
