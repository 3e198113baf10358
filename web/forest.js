// The page of a forest: what was found, to sort, sift and look into. Nothing is asked of anybody.

import { nothing } from "./constraints.js";
import { button, make, set } from "./dom.js";
import { Listing } from "./listing.js";
import { axis, Bar, hatching, scaleOf } from "./picture.js";
import { shown, small, summary } from "./words.js";

const MEANINGS = {
  strong: "something is lost without it",
  weak: "it tells something, and others can stand in for it",
  irrelevant: "no test tells it from noise",
};
const EITHER = "could be either: found by one test and not by the next, or nearly found";
const NARROW = "(max-width: 860px)";

class ForestRow {
  constructor(page, j, feature) {
    this.page = page;
    this.j = j;
    this.name = feature.name;
    this.now = this.before = feature;
    this.marks = new Set();
    this.built = null;
  }

  get scale() {
    return this.page.scale;
  }

  get node() {
    this.built ??= this.#build();
    return this.built;
  }

  get isMarked() {
    return this.marks.size > 0;
  }

  mark(word, on) {
    if (on) this.marks.add(word);
    else this.marks.delete(word);
    this.built?.classList.toggle(word, on);
  }

  #build() {
    const { name, now } = this;
    const either = now.borderline ? ", could be either" : "";
    const range = `relevance ${shown(now.min)} to ${shown(now.max)}`;
    this.label = make("button", {
      class: "name", type: "button", title: name, "aria-label": `${name}, ${now.class}${either}, ${range}`,
      onclick: () => this.page.select(this.j, this.page.selected !== this.j),
    }, name);
    const kind = make("span", {
      class: `kind ${now.class}${now.borderline ? " either" : ""}`, title: now.borderline ? EITHER : MEANINGS[now.class],
    }, now.class + (now.borderline ? " ?" : ""));
    const bar = new Bar([]);
    bar.update(this);
    for (const part of [bar.past, bar.marker]) part.remove(); // there is no before, and no one model
    const node = make("li", { class: "row", "data-name": name }, this.label, make("span", { class: "what" }, kind), bar.node);
    node.classList.add(...this.marks);
    return node;
  }
}

export class ForestPage {
  constructor(root, start) {
    this.root = root;
    this.start = start;
    this.constraints = nothing();
    this.kinds = { all: "all classes", strong: "strong", weak: "weak", irrelevant: "irrelevant", either: "could be either" };
    this.sorts = { relevance: "relevance", importance: "importance", name: "name", class: "class" };
    this.selected = null;
    this.scale = scaleOf(start.features);
    this.rows = start.features.map((feature, j) => new ForestRow(this, j, feature));
    this.details = make("section", { class: "details", "aria-label": "Details", "aria-live": "polite" });
    this.status = make("p", { class: "status", role: "status" });
    this.listing = new Listing(this);
    this.#layOut();
    this.fill();
    this.narrow = typeof matchMedia === "undefined" ? null : matchMedia(NARROW);
    this.narrow?.addEventListener("change", () => this.#place());
    if (!this.narrow?.matches && start.order.length) this.select(start.order[0], true);
  }

  // What is listed has changed.
  fill() {
    if (this.listing) this.status.textContent = [summary(this.start.features), this.listing.told].filter(Boolean).join(" ");
  }

  #layOut() {
    const { start, rows, listing, root, status } = this;
    this.aside = make("aside", {}, this.details, ...this.#groups());
    const toolbar = make("div", { class: "toolbar", role: "toolbar", "aria-label": "Tools" }, listing.search, listing.kinds, listing.sorts);
    const top = make("div", { class: "top" }, toolbar, make("div", { class: "asked" }, status));
    const key = make("div", { class: "key-and-axis" }, this.#legend(), axis(this.scale, []));
    const lead = "A bar is what a feature brings, as the rise of the loss without it: at least, and at most in any test. Choose a feature to see how predictions follow it.";
    root.replaceChildren(hatching(),
      make("header", {}, make("h1", {}, start.title), make("p", { class: "lead" }, lead, start.quality ? ` The model: ${start.quality}.` : "")),
      top, make("div", { class: "columns" }, make("div", { class: "chart" }, key, listing.node), this.aside));
    root.style.setProperty("--names", `${Math.max(...rows.map((row) => row.name.length)) * 0.6 + 1}em`);
    if (typeof ResizeObserver === "undefined") return;
    new ResizeObserver(() => root.style.setProperty("--top", `${top.offsetHeight}px`)).observe(top);
  }

  #legend() {
    const kinds = Object.entries(MEANINGS).map(([word, meaning]) =>
      make("span", { class: `kind ${word}` }, word, make("span", { class: "meaning" }, `: ${meaning}`)));
    if (this.rows.some((row) => row.now.borderline)) kinds.push(make("span", { class: "kind either", title: EITHER }, "? could be either"));
    return make("p", { class: "legend" }, ...kinds, make("span", {}, "┊ noise threshold"));
  }

  // Weak features that stand in for one another; a name leads to its row.
  #groups() {
    const groups = this.start.groups.filter(({ features }) => features.length > 1);
    if (!groups.length) return [];
    const items = groups.map(({ features, importance }) => make("li", {}, ...this.#names(features),
      make("small", { class: "hint" }, ` together ${shown(importance)}`)));
    return [make("section", { class: "groups", "aria-label": "Groups" }, make("h2", {}, "They stand in for one another"), make("ul", { class: "parts" }, ...items))];
  }

  #names(features) {
    return features.map((j) => button(this.rows[j].name, () => this.#goTo(j), { class: "link" }));
  }

  #goTo(j) {
    this.select(j, true);
    if (!this.listing.shown.includes(this.rows[j])) this.listing.clear();
    this.rows[j].node.scrollIntoView?.({ block: "nearest" });
    this.rows[j].label.focus();
  }

  select(j, on) {
    this.selected = on ? j : null;
    const group = this.start.groups.find(({ features }) => features.includes(j));
    for (const row of this.rows) {
      row.mark("selected", on && row.j === j);
      row.mark("grouped", Boolean(on && group?.features.includes(row.j) && row.j !== j));
      if (row.built) set(row.label, { "aria-expanded": String(on && row.j === j) });
    }
    this.details.replaceChildren(...(on ? this.#about(this.rows[j], group) : []));
    this.#place();
    this.listing.refresh();
  }

  // Beside the list, or where there is no room for that below the row.
  #place() {
    const inList = this.narrow?.matches && this.selected !== null;
    if (inList) this.rows[this.selected].node.append(this.details);
    else this.aside.prepend(this.details);
  }

  #about({ name, now, j }, group) {
    const facts = [
      ["relevance", `${shown(now.min)} to ${shown(now.max)}`],
      ["noise threshold", now.noise === null ? null : shown(now.noise)],
      ["importance, shuffled in the model of all", now.importance === null ? null : shown(now.importance)],
      ["lost without it, as measured", now.lost === null ? null : `${shown(now.lost)}${now.lost_limit === null ? "" : `; needed beyond ${shown(now.lost_limit)}`}`],
      ["p-value of being relevant", now.p === null ? null : small(now.p)],
      ["p-value of being needed", now.p_strong === null ? null : small(now.p_strong)],
      ["told by the other relevant ones (R²)", now.predictability === null ? null : shown(now.predictability)],
    ].filter(([, value]) => value !== null);
    const others = group ? group.features.filter((other) => other !== j) : [];
    const shape = document.getElementById(`shape-${j}`);
    return [
      make("h2", {}, name),
      make("p", {}, `${now.class}: ${now.borderline ? EITHER : MEANINGS[now.class]}.`),
      make("table", {}, make("tbody", {}, ...facts.map(([word, value]) =>
        make("tr", {}, make("th", { scope: "row" }, word), make("td", {}, value))))),
      ...(others.length ? [make("p", {}, "It stands in for, and is replaced by: ", ...this.#names(others))] : []),
      ...(shape ? [shape.content.cloneNode(true)] : []),
    ];
  }
}

const root = typeof document === "undefined" ? null : document.querySelector("[data-forest]");
if (root) new ForestPage(root, JSON.parse(document.getElementById("found").textContent));
