// What the page says about the feature whose name was clicked: its group and its stand-ins.

import { isEmpty, ofOthers, same } from "./constraints.js";
import { elapsed, make } from "./dom.js";
import { inWords, shown, WORDS } from "./words.js";

// Stand-ins are those among the models that keep what is asked of all other features.
export function standIns({ names, replaceable, found = true }, constraints) {
  const model = isEmpty(constraints) ? "equally good model" : "model that is left";
  const scope = isEmpty(constraints) ? "" : ` (${inWords(constraints)})`;
  if (!replaceable) return `No ${model} does without it${scope}.`;
  if (!names.length && !found) return `It can be left out. No short list of features takes its place: different models use different ones${scope}.`;
  if (!names.length) return `It can be left out, and no single feature has to take its place${scope}.`;
  const which = names.length > 1 ? "at least one of " : "";
  return `If it is left out, every ${model} uses ${which}${names.join(", ")}${scope}.`;
}

// What is irrelevant is in no group: it stands in for nothing.
export function sameGroup(names, label) {
  if (names.length) return `Same group among all equally good models: ${names.join(", ")}.`;
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
    for (const row of this.rows) for (const word of ["selected", "substitute", "grouped"]) row.mark(word, false);
    this.node.replaceChildren();
    this.asked = null;
    if (again) return;
    const row = this.rows[j];
    row.mark("selected");
    this.about = make("div", {});
    this.asked = null; // the constraints its stand-ins are for
    this.first = make("p", {}, "Looking for what can take its place …", elapsed());
    const second = make("p", {}, "Looking for its group …", elapsed());
    const key = make("p", { class: "hint key", "aria-label": "How rows are marked" },
      make("span", { class: "tint substitute" }, "takes its place"), make("span", { class: "tint grouped" }, "same group"));
    this.node.replaceChildren(make("h2", {}, row.name), this.about, this.first, second, key);
    this.#describe(row);
    await Promise.all([this.#showSubstitutes(row), this.#showGroup(row, second)]);
  }

  // What was asked has changed, and so has what is said of the feature.
  follow() {
    if (this.selected === null) return;
    const row = this.rows[this.selected];
    this.#describe(row);
    if (this.asked && !same(this.asked, this.#others(row))) this.#showSubstitutes(row);
  }

  #others(row) {
    return ofOthers(this.explorer.history.accepted, row.name);
  }

  #describe(row) {
    const { now } = row;
    const own = row.hasOneWeight ? `weight ${shown(now.low)} to ${shown(now.high)}` : "with a weight for each class";
    const how = this.explorer.start.by_class ? "largest" : "sum";
    const together = row.before.curve ? "how far its curve goes up and down" : `the ${how} of ${now.columns.length} columns`;
    const weight = row.hasSeveral ? together : own;
    const about = `${now.class}: ${WORDS[now.class]}. Relevance ${shown(now.min)} to ${shown(now.max)}, ${weight}.`;
    const columns = now.columns.length
      ? [make("ul", { class: "parts" }, ...row.columns.map((text) => make("li", {}, text)))] : [];
    this.about.replaceChildren(make("p", {}, about), ...columns,
      make("p", { class: "hint" }, row.certainty.join("; ")));
  }

  async #showSubstitutes(row) {
    const constraints = (this.asked = this.#others(row));
    const text = this.first;
    try {
      const found = await this.explorer.question("substitutes", { feature: row.name, constraints });
      if (this.asked !== constraints) return;
      text.textContent = standIns(found, constraints);
      for (const other of this.rows) other.mark("substitute", found.names.includes(other.name));
      this.explorer.listing.refresh();
    } catch (error) {
      if (this.asked === constraints) text.textContent = `This could not be found out: ${error.message}`;
    }
  }

  async #showGroup(row, text) {
    try {
      this.groups ??= (await this.explorer.question("groups")).labels;
      if (this.selected !== row.j) return;
      const label = this.groups[row.j];
      const group = this.rows.filter((other) => other !== row && label > 0 && this.groups[other.j] === label);
      text.textContent = sameGroup(group.map((other) => other.name), label);
      for (const other of group) other.mark("grouped");
      this.explorer.listing.refresh();
    } catch (error) {
      text.textContent = `Its group could not be found out: ${error.message}`;
    }
  }
}
