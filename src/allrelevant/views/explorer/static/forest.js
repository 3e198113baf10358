// Made from the modules in web/ by `make script`: change those.

// words.js
var percent = (part) => `${(100 * part).toFixed(3)}%`;
var round = (value) => Number(value.toPrecision(4));
var shown = (value) => value === null ? "unknown" : value.toFixed(3);
var small = (p) => p < 1e-4 ? "< 0.0001" : String(Number(p.toPrecision(2)));
var listed = (n, all) => `${n} of ${all} are listed`;
function nobody(text, kind) {
  const scope = kind === "all classes" ? "" : ` among those shown (${kind})`;
  return text.trim() ? `No feature has “${text.trim()}” in its name${scope}.` : `There is none${scope}.`;
}
function summary(features) {
  const count = (word) => features.filter((feature) => feature.class === word).length;
  const either = features.filter((feature) => feature.borderline).length;
  const kinds = ["strong", "weak", "irrelevant"].map((word) => `${count(word)} ${word}`);
  if (count("forbidden")) kinds.push(`${count("forbidden")} forbidden`);
  return `${features.length} features: ${kinds.join(", ")}${either ? `; ${either} could be either` : ""}`;
}

// constraints.js
var nothing = () => ({ forbid: [], keep: [], bounds: {} });
function namesIn({ forbid, keep, bounds }) {
  return [.../* @__PURE__ */ new Set([...forbid, ...keep, ...Object.keys(bounds)])];
}

// dom.js
var SVG = "http://www.w3.org/2000/svg";
function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}
function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}
function button(text, action, attributes = {}) {
  return make("button", { type: "button", onclick: action, ...attributes }, text);
}
function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === false || value === null || value === void 0) node.removeAttribute(key);
    else node.setAttribute(key, value === true ? "" : value);
  }
}
function filled(node, attributes, children) {
  set(node, attributes);
  node.append(...children);
  return node;
}

// listing.js
var FEW = 40;
var CHUNK = 200;
var RANKS = { strong: 0, weak: 1, forbidden: 2, irrelevant: 3 };
var SORTS = { relevance: "relevance", name: "name", class: "class" };
var KINDS = { all: "all classes", strong: "strong", weak: "weak", irrelevant: "irrelevant", either: "could be either", forbidden: "forbidden" };
function sorted(rows, by) {
  if (by === "name") return [...rows].sort((a, b) => a.name.localeCompare(b.name, void 0, { numeric: true }));
  if (by === "class") return [...rows].sort((a, b) => RANKS[a.now.class] - RANKS[b.now.class]);
  if (by === "importance") return [...rows].sort((a, b) => (b.now.importance ?? 0) - (a.now.importance ?? 0));
  return rows;
}
function sifted(rows, { text, kind, folded, named }) {
  const wanted = text.trim().toLowerCase();
  const isKind = ({ now }) => kind === "all" || (kind === "either" ? now.borderline : now.class === kind);
  const isFolded = (row) => folded && kind === "all" && !wanted && row.now.class === "irrelevant" && !row.isMarked && !named.includes(row.name);
  const found = rows.filter((row) => isKind(row) && row.name.toLowerCase().includes(wanted));
  const shown2 = found.filter((row) => !isFolded(row));
  return { shown: shown2, folded: found.length - shown2.length };
}
var Listing = class {
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
      type: "search",
      placeholder: "Find a feature",
      "aria-label": "Find a feature",
      oninput: () => this.#take({ text: this.search.value, most: CHUNK })
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
    const { shown: shown2, folded } = sifted(sorted(this.ordered, this.by), { ...this, named });
    const some = shown2.slice(0, this.most);
    if (some.length !== this.shown.length || some.some((row, k) => row !== this.shown[k])) {
      const place = document.activeElement;
      this.list.replaceChildren(...some.map((row) => row.node));
      if (place && place !== document.activeElement && this.list.contains?.(place)) place.focus({ preventScroll: true });
    }
    this.shown = some;
    this.#say(shown2.length, folded);
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
};
function choice(text, options, onpick) {
  const select = make(
    "select",
    { onchange: () => onpick(select.value) },
    ...Object.entries(options).map(([value, words]) => make("option", { value }, words))
  );
  const node = make("label", { class: "choice" }, text, select);
  node.select = select;
  return node;
}

// picture.js
var NARROWEST = 3e-3;
function scaleOf(features) {
  const farthest = Math.max(...features.map((row) => Math.max(row.max ?? 0, row.noise_at ?? 0)), 0);
  return (farthest > 1e-9 ? farthest : 1) * 1.04;
}
function ticks(scale) {
  const power = 10 ** Math.floor(Math.log10(scale / 5));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= scale / 6);
  return Array.from({ length: Math.floor(scale / step) + 1 }, (_, k) => k * step);
}
function share(value, scale) {
  return Math.max(0, Math.min(1, (value ?? 0) / scale));
}
function span(low, high, scale) {
  return { x: share(low, scale), width: Math.max(NARROWEST, ((high ?? scale) - (low ?? 0)) / scale) };
}
function hatching() {
  const tile = { width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = draw(
    "pattern",
    { id: "hatch", ...tile },
    draw("line", { x1: 0, y1: 0, x2: 0, y2: 7, stroke: "#7A5400", "stroke-width": 1.6 })
  );
  return draw("svg", { class: "defs", width: 0, height: 0, "aria-hidden": "true" }, draw("defs", {}, pattern));
}
function axis(scale, more = ["what if", "cost"]) {
  const picture = draw("svg", { class: "picture axis", height: 20, "aria-hidden": "true" });
  for (const tick of ticks(scale)) {
    const anchor = tick === 0 ? "start" : tick > 0.95 * scale ? "end" : "middle";
    picture.append(draw("text", { x: percent(tick / scale), y: 14, "text-anchor": anchor }, String(round(tick))));
  }
  return make(
    "div",
    { class: "row head", "aria-hidden": "true" },
    make("span", {}, "feature"),
    make("span", {}, "class"),
    picture,
    ...more.map((word) => make("span", {}, word))
  );
}
var Bar = class {
  constructor(handles) {
    this.past = draw("rect", { class: "past", y: 3, height: 20, rx: 1 });
    this.bar = draw("rect", { class: "bar", y: 6, height: 14 });
    this.hatch = draw("rect", { class: "hatch", y: 6, height: 14, fill: "url(#hatch)" });
    this.noise = draw("line", { class: "noise", y1: 0, y2: 26 });
    const diamond = draw("path", { class: "marker", d: "M0 -4 l4 4 -4 4 -4 -4z" });
    this.marker = draw("svg", { overflow: "visible", y: 13 }, diamond);
    this.node = draw(
      "svg",
      { class: "picture", height: 26 },
      draw("rect", { class: "track", width: "100%", y: 12.5, height: 1 }),
      this.past,
      this.bar,
      this.hatch,
      this.noise,
      this.marker,
      ...handles
    );
  }
  update({ before, now, scale }) {
    const at = (value) => percent(share(value, scale));
    const between = ({ min, max }) => {
      const { x, width } = span(min, max, scale);
      return { x: percent(x), width: percent(width) };
    };
    const striped = now.class === "weak" && !now.borderline;
    const noise = at(before.noise_at);
    set(this.past, between(before));
    set(this.bar, { ...between(now), class: `bar ${now.class}${now.borderline ? " either" : ""}` });
    set(this.hatch, { ...between(now), visibility: striped ? "visible" : "hidden" });
    set(this.noise, { x1: noise, x2: noise, visibility: before.noise === null ? "hidden" : "visible" });
    set(this.marker, { x: at(before.weight) });
  }
};

// forest.js
var MEANINGS = {
  strong: "something is lost without it",
  weak: "it tells something, and others can stand in for it",
  irrelevant: "no test tells it from noise"
};
var EITHER = "could be either: found by one test and not by the next, or nearly found";
var NARROW = "(max-width: 860px)";
var ForestRow = class {
  constructor(page, j, feature) {
    this.page = page;
    this.j = j;
    this.name = feature.name;
    this.now = this.before = feature;
    this.marks = /* @__PURE__ */ new Set();
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
      class: "name",
      type: "button",
      title: name,
      "aria-label": `${name}, ${now.class}${either}, ${range}`,
      onclick: () => this.page.select(this.j, this.page.selected !== this.j)
    }, name);
    const kind = make("span", {
      class: `kind ${now.class}${now.borderline ? " either" : ""}`,
      title: now.borderline ? EITHER : MEANINGS[now.class]
    }, now.class + (now.borderline ? " ?" : ""));
    const bar = new Bar([]);
    bar.update(this);
    for (const part of [bar.past, bar.marker]) part.remove();
    const node = make("li", { class: "row", "data-name": name }, this.label, make("span", { class: "what" }, kind), bar.node);
    node.classList.add(...this.marks);
    return node;
  }
};
var ForestPage = class {
  constructor(root2, start) {
    this.root = root2;
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
    const { start, rows, listing, root: root2, status } = this;
    this.aside = make("aside", {}, this.details, ...this.#groups());
    const toolbar = make("div", { class: "toolbar", role: "toolbar", "aria-label": "Tools" }, listing.search, listing.kinds, listing.sorts);
    const top = make("div", { class: "top" }, toolbar, make("div", { class: "asked" }, status));
    const key = make("div", { class: "key-and-axis" }, this.#legend(), axis(this.scale, []));
    const lead = "A bar is what a feature brings, as the rise of the loss without it: at least, and at most in any test. Choose a feature to see how predictions follow it.";
    root2.replaceChildren(
      hatching(),
      make("header", {}, make("h1", {}, start.title), make("p", { class: "lead" }, lead, start.quality ? ` The model: ${start.quality}.` : "")),
      top,
      make("div", { class: "columns" }, make("div", { class: "chart" }, key, listing.node), this.aside)
    );
    root2.style.setProperty("--names", `${Math.max(...rows.map((row) => row.name.length)) * 0.6 + 1}em`);
    if (typeof ResizeObserver === "undefined") return;
    new ResizeObserver(() => root2.style.setProperty("--top", `${top.offsetHeight}px`)).observe(top);
  }
  #legend() {
    const kinds = Object.entries(MEANINGS).map(([word, meaning]) => make("span", { class: `kind ${word}` }, word, make("span", { class: "meaning" }, `: ${meaning}`)));
    if (this.rows.some((row) => row.now.borderline)) kinds.push(make("span", { class: "kind either", title: EITHER }, "? could be either"));
    return make("p", { class: "legend" }, ...kinds, make("span", {}, "┊ noise threshold"));
  }
  // Weak features that stand in for one another; a name leads to its row.
  #groups() {
    const groups = this.start.groups.filter(({ features }) => features.length > 1);
    if (!groups.length) return [];
    const items = groups.map(({ features, importance }) => make(
      "li",
      {},
      ...this.#names(features),
      make("small", { class: "hint" }, ` together ${shown(importance)}`)
    ));
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
    this.details.replaceChildren(...on ? this.#about(this.rows[j], group) : []);
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
      ["told by the other relevant ones (R²)", now.predictability === null ? null : shown(now.predictability)]
    ].filter(([, value]) => value !== null);
    const others = group ? group.features.filter((other) => other !== j) : [];
    const shape = document.getElementById(`shape-${j}`);
    return [
      make("h2", {}, name),
      make("p", {}, `${now.class}: ${now.borderline ? EITHER : MEANINGS[now.class]}.`),
      make("table", {}, make("tbody", {}, ...facts.map(([word, value]) => make("tr", {}, make("th", { scope: "row" }, word), make("td", {}, value))))),
      ...others.length ? [make("p", {}, "It stands in for, and is replaced by: ", ...this.#names(others))] : [],
      ...shape ? [shape.content.cloneNode(true)] : []
    ];
  }
};
var root = typeof document === "undefined" ? null : document.querySelector("[data-forest]");
if (root) new ForestPage(root, JSON.parse(document.getElementById("found").textContent));
export {
  ForestPage
};
