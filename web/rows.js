// One feature in the list: its name, class, bar and what can be done to it.

import { bounded, isEmpty } from "./constraints.js";
import { make, set } from "./dom.js";
import { Handle } from "./handles.js";
import { Bar } from "./picture.js";
import { certainty, isStarred, marks, ofColumn, priced, shown, WORDS } from "./words.js";

export class Row {
  constructor(explorer, j, feature) {
    this.explorer = explorer;
    this.j = j;
    this.name = feature.name;
    this.before = feature; // without constraints
    this.now = { ...feature };
    this.built = null;
    this.marks = new Set();
    this.costs = "";
  }

  // Most of thousands of rows are never looked at: a row is built when it is first shown.
  get node() {
    if (!this.built) {
      this.built = this.#build();
      this.built.classList.add(...this.marks);
      this.update();
    }
    return this.built;
  }

  // Say something about a row, such as that its bar is on its way, or take it back.
  mark(word, on = true) {
    if (on) this.marks.add(word);
    else this.marks.delete(word);
    this.built?.classList.toggle(word, on);
  }

  get isMarked() {
    return [...this.marks].some((word) => word !== "stale");
  }

  setCost(text) {
    this.costs = text;
    if (this.built) this.cost.value = text;
  }

  get scale() {
    return this.explorer.scale;
  }

  get constraints() {
    return this.explorer.constraints;
  }

  get picture() {
    return this.bar.node;
  }

  // The ends of the bar without constraints; one that is unknown may be anywhere.
  get reach() {
    return { least: this.before.min ?? 0, most: this.before.max ?? this.scale };
  }

  // A category is one row, whose columns have weights of their own; the pieces of a curve are not shown.
  get hasSeveral() {
    return this.before.curve || this.before.columns.length > 0;
  }

  get columns() {
    return this.now.columns.map((column) => ofColumn(column, this.explorer.start.by_class));
  }

  get hasOneWeight() {
    return !this.hasSeveral && !this.explorer.start.by_class;
  }

  get certainty() {
    return certainty(this.before, this.now, !isEmpty(this.constraints));
  }

  #build() {
    const { explorer, name } = this;
    this.label = make("button", {
      class: "name", type: "button",
      onclick: () => explorer.select(this.j),
    }, name);
    this.kind = make("span", { class: "kind" });
    this.needed = make("small", { class: "needed", hidden: true });
    this.handles = !this.hasSeveral ? ["low", "high"].map((end) => new Handle(this, end)) : [];
    this.bar = new Bar(this.handles.map((handle) => handle.node));
    this.forbid = this.#toggle("forbid", "no model may use it");
    this.keep = this.#toggle("keep", this.hasSeveral ? "not for several columns" : "every model uses it");
    this.keep.disabled = this.hasSeveral;
    this.cost = make("input", {
      class: "cost", type: "number", min: 0, step: "any", "aria-label": `cost of ${name}`, placeholder: "1",
      onchange: () => explorer.setCost(name, (this.costs = this.cost.value)),
    });
    this.cost.value = this.costs;
    return make("li", { class: "row", "data-name": name, "data-j": this.j },
      this.label, make("span", { class: "what" }, this.kind, this.needed), this.picture, make("span", { class: "toggles" }, this.forbid, this.keep), this.cost);
  }

  #toggle(word, meaning) {
    return make("button", {
      class: `toggle ${word}`, type: "button", "aria-pressed": "false",
      "aria-label": `${word} ${this.name}: ${meaning}`, title: meaning,
      onclick: () => this.explorer.toggle(word, this.j),
    }, word);
  }

  // One end goes to a value; what is not final is a drag that goes on.
  move(end, value, final) {
    if (this.explorer.rows[this.j] !== this) return; // a drag can outlive the fit it began with
    const next = bounded(this.constraints, this.name, end, value, { ...this.reach, close: 0.004 * this.scale });
    this.explorer.propose(next, { final, first: this.j, by: `${this.name} ${end}` });
  }

  // Up to which tolerance all models need it, without constraints.
  setNeeded(tolerance) {
    this.neededUpTo = tolerance;
    this.update();
  }

  show(values) {
    this.now = { ...this.now, ...values };
    this.mark("stale", false);
    this.update();
  }

  update() {
    if (!this.built) return;
    const { name, now, constraints } = this;
    const either = now.borderline;
    const meaning = WORDS[now.class];
    const forbidden = constraints.forbid.includes(name);
    this.bar.update(this);
    for (const handle of this.handles) handle.update();
    this.forbid.setAttribute("aria-pressed", forbidden);
    this.keep.setAttribute("aria-pressed", constraints.keep.includes(name));
    this.kind.textContent = [now.class, ...marks(this.before, now)].join(" ");
    set(this.kind, {
      class: `kind ${now.class}${either ? " either" : ""}`,
      title: [`${now.class}: ${meaning}`, ...this.certainty].join("; "),
    });
    this.built.classList.toggle("forbidden", forbidden);
    this.needed.textContent = priced(this.neededUpTo);
    this.needed.hidden = !this.needed.textContent;
    this.label.setAttribute("title", [name, ...this.columns].join("\n"));
    const range = `relevance ${shown(now.min)} to ${shown(now.max)}`;
    this.label.setAttribute("aria-label",
      `${name}, ${now.class}, ${meaning}${either ? ", could be either" : ""}${isStarred(this.before, now) ? ", passes the conditional test" : ""}, ${range}`);
  }
}
