// Which features are in the list, and in what order.

import { namesIn } from "./constraints.js";
import { button, make, set } from "./dom.js";
import { listed, nobody } from "./words.js";

const FEW = 40; // so many rows need no folding
const CHUNK = 200; // rows that are added at a time
const RANKS = { strong: 0, weak: 1, forbidden: 2, irrelevant: 3 };
const SORTS = { relevance: "relevance", name: "name", class: "class" };
const KINDS = { all: "all classes", strong: "strong", weak: "weak", irrelevant: "irrelevant", either: "could be either", forbidden: "forbidden" };

// Rows in an order that people know; those that are equal stay by relevance.
export function sorted(rows, by) {
  if (by === "name") return [...rows].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  if (by === "class") return [...rows].sort((a, b) => RANKS[a.now.class] - RANKS[b.now.class]);
  if (by === "importance") return [...rows].sort((a, b) => (b.now.importance ?? 0) - (a.now.importance ?? 0));
  return rows;
}

// What the filters leave; what is irrelevant is folded away unless something else is said about it.
export function sifted(rows, { text, kind, folded, named }) {
  const wanted = text.trim().toLowerCase();
  const isKind = ({ now }) => kind === "all" || (kind === "either" ? now.borderline : now.class === kind);
  const isFolded = (row) =>
    folded && kind === "all" && !wanted && row.now.class === "irrelevant" && !row.isMarked && !named.includes(row.name);
  const found = rows.filter((row) => isKind(row) && row.name.toLowerCase().includes(wanted));
  const shown = found.filter((row) => !isFolded(row));
  return { shown, folded: found.length - shown.length };
}

export class Listing {
  constructor(explorer) {
    this.explorer = explorer;
    this.ordered = explorer.start.order.map((j) => explorer.rows[j]);
    this.by = "relevance";
    this.kind = "all";
    this.text = "";
    this.canFold = this.ordered.length > FEW && this.ordered.some((row) => row.now.class === "irrelevant");
    this.folded = this.canFold;
    this.most = CHUNK;
    this.shown = [];
    this.#build();
    this.refresh();
  }

  #build() {
    this.list = make("ol", { class: "rows", "aria-label": "Features", onkeydown: (event) => this.#step(event) });
    this.none = make("p", { class: "none", role: "status" });
    this.all = button("Show all features", () => this.clear(), { class: "show-all", hidden: true });
    this.more = button("", () => this.#take({ most: this.most + CHUNK }), { class: "more", hidden: true });
    this.fold = button("", () => this.#take({ folded: !this.folded }), { class: "fold", hidden: true });
    this.node = make("div", { class: "listing" }, this.list, this.none, this.all, this.more, this.fold);
    this.search = make("input", {
      type: "search", placeholder: "Find a feature", "aria-label": "Find a feature",
      oninput: () => this.#take({ text: this.search.value, most: CHUNK }),
    });
    this.kinds = choice("Show", this.explorer.kinds ?? KINDS, (kind) => this.#take({ kind, most: CHUNK }));
    this.sorts = choice("Sort by", this.explorer.sorts ?? SORTS, (by) => this.#take({ by, most: CHUNK }));
  }

  #take(change) {
    Object.assign(this, change);
    this.refresh();
  }

  clear() {
    this.search.value = "";
    this.kinds.select.value = "all";
    this.#take({ text: "", kind: "all", most: CHUNK });
    this.search.focus();
  }

  // What is listed follows what was asked; nobody loses the place where the keyboard was.
  refresh() {
    const named = namesIn(this.explorer.constraints);
    const { shown, folded } = sifted(sorted(this.ordered, this.by), { ...this, named });
    const some = shown.slice(0, this.most);
    if (some.length !== this.shown.length || some.some((row, k) => row !== this.shown[k])) {
      const place = document.activeElement;
      this.list.replaceChildren(...some.map((row) => row.node));
      if (place && place !== document.activeElement && this.list.contains?.(place)) place.focus({ preventScroll: true });
    }
    this.shown = some;
    this.#say(shown.length, folded);
    this.explorer.fill?.(some);
  }

  #say(n, folded) {
    this.none.textContent = n ? "" : nobody(this.text, KINDS[this.kind]);
    this.all.hidden = n > 0;
    this.more.hidden = n <= this.most;
    this.more.textContent = `Show ${Math.min(CHUNK, n - this.most)} more of ${n - this.most}`;
    this.fold.hidden = !(this.canFold && this.kind === "all" && !this.text.trim() && (folded || !this.folded));
    this.fold.textContent = this.folded ? `Show ${folded} irrelevant feature${folded === 1 ? "" : "s"}` : "Fold irrelevant features";
    set(this.fold, { "aria-expanded": String(!this.folded) });
    this.told = this.text.trim() || this.kind !== "all" ? listed(n, this.ordered.length) : "";
  }

  // Arrows go from row to row where they do not move a handle or change a cost.
  #step(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = by && event.target.closest(".name, .toggle");
    if (!from) return;
    const next = this.shown[this.shown.findIndex((row) => row.node.contains(from)) + by];
    if (!next) return;
    event.preventDefault();
    const word = ["forbid", "keep"].find((one) => from.classList.contains(one));
    const to = word && !next[word].disabled ? next[word] : next.label;
    to.focus();
  }
}

function choice(text, options, onpick) {
  const select = make("select", { onchange: () => onpick(select.value) },
    ...Object.entries(options).map(([value, words]) => make("option", { value }, words)));
  const node = make("label", { class: "choice" }, text, select);
  node.select = select;
  return node;
}
