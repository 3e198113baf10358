// What the page says about the feature whose name was clicked: its group and its stand-ins.

import { isEmpty } from "./constraints.js";
import { make } from "./dom.js";
import { ofColumn, shown, WORDS } from "./words.js";

// Stand-ins are those among all models, whatever is forbidden or kept at the moment.
export function standIns({ names, replaceable }, constrained) {
  const scope = constrained ? "Without constraints: " : "";
  if (!replaceable) return `${scope}no equally good model does without it.`;
  if (!names.length) return `${scope}it can be left out, and no single feature has to take its place.`;
  return `${scope}if it is left out, every equally good model uses at least one of ${names.join(", ")}.`;
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
    const { now } = row;
    row.node.classList.add("selected");
    const weight = row.hasSeveral ? `the sum of ${now.columns.length} columns`
      : `weight ${shown(now.low)} to ${shown(now.high)}`;
    const about = `${now.class}: ${WORDS[now.class]}. Relevance ${shown(now.min)} to ${shown(now.max)}, ${weight}.`;
    const columns = row.hasSeveral
      ? [make("ul", { class: "parts" }, ...now.columns.map((column) => make("li", {}, ofColumn(column))))] : [];
    const first = make("p", {}, "Looking for what can take its place …");
    const second = make("p", {}, "Looking for its group …");
    this.node.replaceChildren(make("h2", {}, row.name), make("p", {}, about), ...columns,
      make("p", { class: "hint" }, row.certainty.join("; ")), first, second);
    await Promise.all([this.#showSubstitutes(row, first), this.#showGroup(row, second)]);
  }

  async #showSubstitutes(row, text) {
    try {
      const found = await this.explorer.question("substitutes", { feature: row.name });
      if (this.selected !== row.j) return;
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
