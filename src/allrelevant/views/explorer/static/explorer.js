// Made from the modules in web/ by `make script`: change those.

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
function elapsed() {
  const node = make("span", { class: "elapsed", "aria-hidden": "true" });
  const begun = Date.now();
  const timer = setInterval(() => {
    if (!node.isConnected) clearInterval(timer);
    else node.textContent = ` ${Math.round((Date.now() - begun) / 1e3)} s`;
  }, 1e3);
  timer.unref?.();
  return node;
}
function save(content, name, kind) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: kind });
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1e4);
}

// words.js
var WORDS = {
  strong: "no good model does without it",
  weak: "can be used",
  irrelevant: "need not be used",
  forbidden: "must not be used"
};
var BOUND = "an upper bound: the exact end is smaller, and was not computed";
var EXPLAINS = "passes the conditional test (residuals of a model of the other features), so it need not exceed the noise threshold";
var NOISE_TOO = "every good model uses it, but would use noise as much";
var LITTLE = 5e-4;
var EITHER = "could be either: with other shuffled columns it may pass the noise threshold or not";
var percent = (part) => `${(100 * part).toFixed(3)}%`;
var round = (value) => Number(value.toPrecision(4));
var shown = (value) => value === null ? "unknown" : value.toFixed(3);
var small = (p) => p < 1e-4 ? "< 0.0001" : String(Number(p.toPrecision(2)));
var times = (factor) => `${round(factor)} times`;
var priceInWords = (own) => `to …: every model needs it up to this tolerance (${own} here)`;
function ofColumn({ name, low, high, reference }, byClass) {
  if (reference) return `${name}: no weight, the others are compared with it`;
  if (byClass && low === null) return name;
  return `${name}: ${byClass ? "difference between classes" : "weight"} ${shown(low)} to ${shown(high)}`;
}
function inWords({ forbid, keep, bounds }) {
  const parts = [];
  if (forbid.length) parts.push(`without ${forbid.join(", ")}`);
  if (keep.length) parts.push(`always with ${keep.join(", ")}`);
  for (const [name, [low, high]] of Object.entries(bounds)) {
    const least = low ? `at least ${shown(low)}` : "";
    const most = high === null ? "" : `at most ${shown(high)}`;
    parts.push(`${name} ${[least, most].filter(Boolean).join(" and ")}`);
  }
  return parts.join("; ");
}
function asked(constraints, factor) {
  const what = inWords(constraints);
  const at = factor === 1 ? "" : ` at ${times(factor)} the tolerance`;
  if (what) return `What if: ${what}${at}`;
  return at ? `All models${at}` : "All equally good models";
}
function tooNarrow(event, factor) {
  if (event.kind !== "impossible") return `That could not be computed, so nothing was changed. ${event.message}`;
  return `Impossible: at ${times(factor)} the tolerance no model does what is asked. Nothing was changed.`;
}
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
function refusal(event, constraints) {
  if (event.kind !== "impossible") return `That could not be computed, so nothing was changed. ${event.message}`;
  const { clash = [], tolerance = null } = event;
  const together = clash.length > 1 ? "all of this together" : "this";
  const what = clash.join(", ") || inWords(constraints);
  const worse = tolerance === null ? "" : ` Models that are somewhat worse could, with a tolerance of ${round(tolerance)}.`;
  return `Impossible: no equally good model does ${together}: ${what}. Nothing was changed.${worse}`;
}
function dropped(event, constraints) {
  const what = inWords(constraints);
  if (event.kind === "impossible") {
    return `No equally good model does what was asked before (${what}), so it was dropped.`;
  }
  return `What was asked before (${what}) could not be computed, so it was dropped. ${event.message}`;
}
function renewed(unknown) {
  const them = unknown.length === 1 ? "it" : "them";
  const lacks = ` It does not know ${unknown.join(", ")}: what was asked of ${them} was dropped.`;
  return `Another fit answers now.${unknown.length ? lacks : ""}`;
}
function priced(price) {
  if (price === void 0 || price === 0) return "";
  if (price === null) return "to any";
  return price < 1e-3 ? "to < 0.001" : `to ${Number(price.toPrecision(2))}`;
}
var isStarred = (before, now) => Boolean(before.explains) && !now.borderline && ["strong", "weak"].includes(now.class);
function marks(before, now) {
  return [now.borderline ? "?" : "", now.bound ? "≤" : "", isStarred(before, now) ? "∗" : ""].filter(Boolean);
}
function certainty(before, now, constrained) {
  const parts = before.noise === null ? [] : [`noise threshold ${shown(before.noise)}`];
  if (before.p !== null) parts.push(`p ${small(before.p)}${constrained ? " without constraints" : ""}`);
  if (now.class === "irrelevant" && now.min >= LITTLE) parts.push(NOISE_TOO);
  if (now.borderline) parts.push(EITHER);
  if (now.bound) parts.push(BOUND);
  if (isStarred(before, now) || before.explains && now.borderline) parts.push(EXPLAINS);
  return parts;
}

// constraints.js
var FORMAT = "allrelevant.question/1";
var nothing = () => ({ forbid: [], keep: [], bounds: {} });
var copy = (constraints) => JSON.parse(JSON.stringify(constraints));
var same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
function isEmpty({ forbid, keep, bounds }) {
  return !forbid.length && !keep.length && !Object.keys(bounds).length;
}
function namesIn({ forbid, keep, bounds }) {
  return [.../* @__PURE__ */ new Set([...forbid, ...keep, ...Object.keys(bounds)])];
}
function sifted({ forbid, keep, bounds }, names) {
  const isKnown = (name) => names.includes(name);
  const known = {
    forbid: forbid.filter(isKnown),
    keep: keep.filter(isKnown),
    bounds: Object.fromEntries(Object.entries(bounds).filter(([name]) => isKnown(name)))
  };
  return { known, unknown: namesIn({ forbid, keep, bounds }).filter((name) => !isKnown(name)) };
}
function toggled(constraints, word, name) {
  const next = copy(constraints);
  const other = word === "forbid" ? "keep" : "forbid";
  const on = next[word].includes(name);
  next[word] = on ? without(next[word], name) : [...next[word], name];
  next[other] = without(next[other], name);
  delete next.bounds[name];
  return next;
}
function ofOthers({ forbid, keep, bounds }, name) {
  const { [name]: own, ...rest } = bounds;
  return { forbid: without(forbid, name), keep: without(keep, name), bounds: rest };
}
function bounded(constraints, name, end, value, { least, most, close }) {
  const bounds = { ...constraints.bounds };
  let [low, high] = bounds[name] ?? [0, null];
  if (end === "low") low = value <= least + close ? 0 : Math.min(value, most, high ?? most);
  else high = value >= most - close ? null : Math.max(value, least, low);
  if (low === 0 && high === null) delete bounds[name];
  else bounds[name] = [round(low), high === null ? null : round(high)];
  const { forbid, keep } = constraints;
  return { forbid: without(forbid, name), keep: without(keep, name), bounds };
}
function asFile(constraints, title, costs) {
  return JSON.stringify({ format: FORMAT, title, constraints, costs }, null, 2);
}
function fromFile(text, names) {
  const content = JSON.parse(text);
  if (content.format !== FORMAT) throw new Error(`it is not of the form ${FORMAT}`);
  const constraints = { ...nothing(), ...content.constraints };
  const { costs = null } = content;
  const priced2 = Object.keys(costs ?? {}).filter((name) => !names.includes(name));
  const unknown = [...sifted(constraints, names).unknown, ...priced2];
  if (unknown.length) throw new Error(`there is no feature ${unknown[0]} here`);
  if (!Object.values(costs ?? {}).every((cost) => Number.isFinite(cost) && cost >= 0)) {
    throw new Error("a cost is no number of at least 0");
  }
  return { constraints, costs };
}
function without(names, name) {
  return names.filter((one) => one !== name);
}

// transport.js
var Lost = class extends Error {
};
var Another = class extends Error {
};
var Refused = class extends Error {
};
var aborted = () => new DOMException("", "AbortError");
var HttpTransport = class {
  async get(name, parameters) {
    const query = parameters ? `?${new URLSearchParams(parameters)}` : "";
    return (await this.#send(name + query)).json();
  }
  async post(name, body) {
    const response = await this.#send(name, body);
    const kind = response.headers.get("content-type") ?? "";
    return kind.startsWith("application/json") ? response.json() : response.text();
  }
  async stream(body, onEvent, signal) {
    const response = await this.#send("ask", body, signal);
    let complete = false;
    try {
      for await (const event of eventsOf(response.body)) {
        complete ||= event.kind !== "bar";
        onEvent(event);
      }
    } catch (error) {
      throw error.name === "AbortError" || signal.aborted ? aborted() : new Lost(error.message);
    }
    if (!complete) throw new Lost("the answer ended too early");
  }
  async #send(name, body, signal) {
    let response;
    try {
      response = await fetch(`api/${name}`, requestOf(body, signal));
    } catch (error) {
      throw error.name === "AbortError" ? error : new Lost(error.message);
    }
    if (response.status === 403 || response.status === 421) {
      throw new Refused("This address is no longer valid: open the one the command printed last.");
    }
    if (response.status === 409) throw new Another("another fit answers now");
    if (!response.ok) {
      const said = await response.json().catch(() => ({}));
      throw new Error(said.error ?? `the server answered ${response.status}`);
    }
    return response;
  }
};
function requestOf(body, signal) {
  if (body === void 0) return { signal };
  const headers = { "Content-Type": "application/json" };
  return { signal, method: "POST", body: JSON.stringify(body), headers };
}
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part.slice("data: ".length));
  }
}
var WidgetTransport = class {
  constructor(model) {
    this.model = model;
    this.next = 0;
    this.waiting = /* @__PURE__ */ new Map();
    model.on("msg:custom", (message) => this.waiting.get(message.id)?.(message));
  }
  get(name, parameters = {}) {
    return this.#call(name, parameters);
  }
  post(name, body) {
    return this.#call(name, body);
  }
  stream(body, onEvent, signal) {
    return this.#call("ask", body, onEvent, signal);
  }
  #call(name, body, onEvent, signal) {
    const id = `${this.next++}-${Math.random()}`;
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => {
        this.waiting.delete(id);
        this.model.send({ id, name: "cancel" });
        reject(aborted());
      });
      this.waiting.set(id, (message) => {
        if (message.event) return onEvent(message.event);
        this.waiting.delete(id);
        return "error" in message ? reject(new Error(message.error)) : resolve(message.answer);
      });
      this.model.send({ id, name, body });
    });
  }
};

// connection.js
var PATIENCE = 700;
var Connection = class {
  constructor(explorer) {
    this.explorer = explorer;
  }
  offline() {
    this.explorer.root.classList.add("offline");
    this.explorer.setStatus("The connection to the explorer is lost. Trying again …");
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.reconnect(), PATIENCE);
  }
  online() {
    this.explorer.root.classList.remove("offline");
    clearTimeout(this.retry);
  }
  async reconnect() {
    try {
      if (await this.isAnother()) return await this.renew();
      this.online();
      await this.explorer.propose(this.explorer.constraints, { undoing: true });
    } catch (error) {
      this.complain(error);
    }
  }
  // Look whether the server is still there, and still the same.
  async watch() {
    if (this.looking || this.explorer.root.classList.contains("offline") || this.explorer.root.hasAttribute("aria-busy")) return;
    this.looking = true;
    try {
      if (await this.isAnother()) await this.renew();
    } catch (error) {
      this.complain(error);
    } finally {
      this.looking = false;
    }
  }
  // Whether the server was started again with another fit.
  async isAnother() {
    return (await this.explorer.transport.get("ping")).fingerprint !== this.explorer.start.fingerprint;
  }
  // Several may notice at once; what was asked is asked of the other fit once.
  renew() {
    this.renewing ??= this.#renew().finally(() => this.renewing = null);
    return this.renewing;
  }
  // Go on with another fit, as far as it knows the features.
  async #renew() {
    const { explorer } = this;
    const start = await explorer.transport.get("start", { page: explorer.page });
    const { known, unknown } = sifted(explorer.history.accepted, start.features.map((feature) => feature.name));
    explorer.load(start);
    explorer.finish();
    const asking = isEmpty(known) ? null : explorer.propose(known, { undoing: true, unknown });
    if (unknown.length) explorer.tell(renewed(unknown));
    await asking;
  }
  complain(error) {
    if (error instanceof Lost) this.offline();
    else this.explorer.setStatus(error.message);
  }
};

// costs.js
function cheapestInWords({ features, cost, gap }, constraints) {
  const scope = isEmpty(constraints) ? "" : ` (${inWords(constraints)})`;
  const proven = gap ? ` (at most ${shown(gap)} from the best)` : "";
  const count = `${features.length} feature${features.length === 1 ? "" : "s"}`;
  return `${count}, cost ${round(cost)}${proven}${scope}: ${features.join(", ")} (✓ in the list)`;
}
var Costs = class {
  constructor(explorer) {
    this.explorer = explorer;
    this.values = { ...explorer.start.costs };
    this.asked = null;
    this.busy = false;
    this.answer = make("p", { class: "cheapest", role: "status" });
    this.node = make(
      "section",
      { "aria-label": "Cheapest set" },
      make("h2", {}, "Cheapest set"),
      make("p", { class: "hint" }, "Type what it costs to measure a feature (1 where empty)."),
      button("Find the cheapest set", () => this.find(), { class: "find-cheapest" }),
      this.answer
    );
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
    const constraints = this.asked = copy(this.explorer.history.accepted);
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
};

// details.js
function standIns({ names, replaceable, found = true }, constraints) {
  const model = isEmpty(constraints) ? "equally good model" : "model that is left";
  const scope = isEmpty(constraints) ? "" : ` (${inWords(constraints)})`;
  if (!replaceable) return `No ${model} does without it${scope}.`;
  if (!names.length && !found) return `It can be left out. No short list of features takes its place: different models use different ones${scope}.`;
  if (!names.length) return `It can be left out, and no single feature has to take its place${scope}.`;
  const which = names.length > 1 ? "at least one of " : "";
  return `If it is left out, every ${model} uses ${which}${names.join(", ")}${scope}.`;
}
function sameGroup(names, label) {
  if (names.length) return `Same group among all equally good models: ${names.join(", ")}.`;
  return label > 0 ? "It has a group of its own." : "It is in no group: what is irrelevant stands in for nothing.";
}
var Details = class {
  constructor(explorer) {
    this.explorer = explorer;
    this.rows = explorer.rows;
    this.selected = null;
    this.groups = null;
    this.node = make("section", { class: "details", "aria-label": "Details" });
  }
  // A second click takes the first one back.
  async select(j) {
    const again = this.selected === j;
    this.selected = again ? null : j;
    for (const row2 of this.rows) for (const word of ["selected", "substitute", "grouped"]) row2.mark(word, false);
    this.node.replaceChildren();
    this.asked = null;
    if (again) return;
    const row = this.rows[j];
    row.mark("selected");
    this.about = make("div", {});
    this.asked = null;
    this.first = make("p", {}, "Looking for what can take its place …", elapsed());
    const second = make("p", {}, "Looking for its group …", elapsed());
    const key = make(
      "p",
      { class: "hint key", "aria-label": "How rows are marked" },
      make("span", { class: "tint substitute" }, "takes its place"),
      make("span", { class: "tint grouped" }, "same group")
    );
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
    const columns = now.columns.length ? [make("ul", { class: "parts" }, ...row.columns.map((text) => make("li", {}, text)))] : [];
    this.about.replaceChildren(
      make("p", {}, about),
      ...columns,
      make("p", { class: "hint" }, row.certainty.join("; "))
    );
  }
  async #showSubstitutes(row) {
    const constraints = this.asked = this.#others(row);
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
};

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

// paper.js
var COLORS = { strong: "#0072B2", weak: "#E69F00", irrelevant: "#999999", forbidden: "#C0392B" };
var OPEN = { "fill-opacity": 0.28, stroke: "#555", "stroke-width": 1.2, "stroke-dasharray": "4 2.5" };
var LEFT = 240;
var PLOT = 600;
var STEP = 22;
var WIDTH = LEFT + PLOT + 20;
var SOFT = { fill: "#555" };
function broken(text, length) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1).length + word.length > length) lines.push("");
    lines[lines.length - 1] += `${word} `;
  }
  return lines;
}
function sheetOf(scale, { lines, bars, notes = 0 }) {
  const top = 34 + 16 * lines;
  const bottom = top + STEP * bars;
  const at = (value) => LEFT + PLOT * (value ?? 0) / scale;
  return {
    scale,
    top,
    bottom,
    at,
    width: WIDTH,
    height: bottom + 62 + 18 * notes,
    span: (low, high) => ({ x: at(low), width: Math.max(1.5, at(high ?? scale) - at(low)) })
  };
}
function asSvg({ start, rows, scale, constraints, factor = 1, rest = 0 }) {
  const heading = isEmpty(constraints) && factor === 1 ? [] : broken(asked(constraints, factor), 110);
  const moved = heading.length > 0;
  const either = rows.some((row) => row.now.borderline);
  const starred = rows.some((row) => isStarred(row.before, row.now));
  const sheet = sheetOf(scale, { lines: heading.length, bars: rows.length, notes: either + starred });
  const { width, height, top, bottom, at } = sheet;
  const common = start.common_noise;
  const picture = draw(
    "svg",
    { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` },
    hatching().firstChild,
    draw("rect", { width: "100%", height: "100%", fill: "#fff" }),
    write(10, 18, start.title, { "font-weight": "bold" }),
    ...heading.map((line, k) => write(10, 36 + 16 * k, line)),
    ...gridOf(sheet),
    ...rows.flatMap((row, k) => barOf(row, top + k * STEP, sheet, { ownNoise: common === null, moved }))
  );
  if (common !== null) {
    const x = at(common);
    picture.append(draw("line", { x1: x, x2: x, y1: top, y2: bottom, stroke: "#000", "stroke-dasharray": "4 2" }));
  }
  picture.append(...legendOf(bottom, `${common === null ? "black tick" : "dashed line"}: ${start.noise_label}${rest ? `; ${rest} more features are not shown` : ""}`, { either, starred, moved }));
  return new XMLSerializer().serializeToString(picture);
}
function write(x, y, words, more = {}) {
  return draw("text", { x, y, "font-family": "sans-serif", "font-size": 12, fill: "#111", ...more }, words);
}
function gridOf({ scale, top, bottom, at }) {
  return ticks(scale).flatMap((tick) => [
    draw("line", { x1: at(tick), x2: at(tick), y1: top, y2: bottom, stroke: "#ddd" }),
    write(at(tick), bottom + 15, String(round(tick)), { "text-anchor": "middle", ...SOFT })
  ]);
}
function barOf({ name, now, before }, y, { at, span: span2 }, { ownNoise, moved }) {
  const inner = { ...span2(now.min, now.max), y: y + 4, height: 12 };
  const parts = [
    write(LEFT - 10, y + 14, name.length > 34 ? `${name.slice(0, 33)}…` : name, { "text-anchor": "end" }),
    ...moved ? [draw("rect", { ...span2(before.min, before.max), y: y + 1, height: 18, fill: "none", stroke: "#999" })] : [],
    draw("rect", { ...inner, fill: COLORS[now.class], ...now.borderline ? OPEN : {} })
  ];
  const [mark] = marks(before, now);
  if (mark) {
    const end = at(Math.max(now.max ?? 0, before.noise_at ?? 0));
    parts.push(write(end + 5, y + 14, mark, { "font-weight": "bold" }));
  }
  if (ownNoise && before.noise_at !== null) {
    const x = at(before.noise_at);
    parts.push(draw("line", { x1: x, x2: x, y1: y, y2: y + 20, stroke: "#000", "stroke-width": 1.6 }));
  }
  if (now.class === "weak" && !now.borderline) parts.push(draw("rect", { ...inner, fill: "url(#hatch)" }));
  return parts;
}
function legendOf(bottom, noise, { either, starred, moved }) {
  const about = `relevance, as a share of the model's weight; ${noise}${moved ? "; outlined: before" : ""}`;
  const parts = [write(LEFT, bottom + 33, about, SOFT)];
  ["strong", "weak", "irrelevant"].forEach((word, k) => parts.push(
    draw("rect", { x: LEFT + 190 * k, y: bottom + 43, width: 18, height: 11, fill: COLORS[word] }),
    write(LEFT + 190 * k + 24, bottom + 53, `${word}: ${WORDS[word]}`, SOFT)
  ));
  if (either) {
    parts.push(
      draw("rect", { x: LEFT, y: bottom + 61, width: 18, height: 11, fill: COLORS.irrelevant, ...OPEN }),
      write(LEFT + 24, bottom + 71, `? ${EITHER}`, SOFT)
    );
  }
  if (starred) parts.push(write(LEFT, bottom + (either ? 89 : 71), `∗ ${EXPLAINS}`, SOFT));
  return parts;
}
async function savePng(svg, name) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject, src: address }));
  const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => save(blob, name, "image/png"), "image/png");
}

// files.js
var Files = class {
  constructor(explorer) {
    this.explorer = explorer;
  }
  share() {
    const { history, start, costs } = this.explorer;
    save(asFile(history.accepted, start.title, costs.values), "question.json", "application/json");
  }
  async open(input) {
    const { explorer } = this;
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    try {
      const names = explorer.start.features.map(({ name }) => name);
      const { constraints, costs } = fromFile(await file.text(), names);
      if (costs) explorer.costs.load(costs);
      explorer.propose(constraints);
    } catch (error) {
      explorer.tell(`The file cannot be used: ${error.message}.`);
    }
  }
  async report() {
    const { history } = this.explorer;
    try {
      const html = await this.explorer.question("report", { constraints: history.accepted });
      save(html, "report.html", "text/html");
    } catch (error) {
      this.explorer.tell(`No report: ${error.message}`);
    }
  }
  svg() {
    save(this.#picture(), "relevance.svg", "image/svg+xml");
  }
  png() {
    return savePng(this.#picture(), "relevance.png");
  }
  // Features that were searched or folded away are counted.
  #picture() {
    const { start, rows, scale, history, tolerance, listing } = this.explorer;
    const seen = listing.shown;
    return asSvg({ start, rows: seen, rest: rows.length - seen.length, scale, constraints: history.accepted, factor: tolerance.factor });
  }
};

// history.js
var TOGETHER = 1200;
var History = class {
  constructor() {
    this.accepted = nothing();
    this.steps = [];
    this.last = { by: null, at: 0 };
  }
  get isEmpty() {
    return !this.steps.length;
  }
  // `by` says what was moved; going back, or asking again, is no step of its own.
  accept(constraints, { by = null, undoing = false, at = Date.now() } = {}) {
    if (!undoing && !same(constraints, this.accepted)) {
      const together = by !== null && by === this.last.by && at - this.last.at < TOGETHER;
      if (!together) this.steps.push(this.accepted);
      this.last = { by, at };
    }
    this.accepted = copy(constraints);
  }
  // The step before, which is no longer one to go back to.
  back() {
    return copy(this.steps.pop());
  }
  // What was accepted turns out not to be possible: the step before holds again.
  withdraw() {
    this.accepted = this.steps.pop() ?? nothing();
  }
  // Not even what had been accepted earlier is possible any more.
  drop() {
    this.accepted = nothing();
  }
};

// layout.js
function layOut(explorer) {
  const { start, rows, scale, root: root2, details, costs, samples, tolerance, listing } = explorer;
  const parts = {
    status: make("p", { class: "status", role: "status", "aria-live": "polite" }),
    notice: make("p", { class: "notice", role: "alert", hidden: true }),
    question: make("p", { class: "question" }),
    undo: button("Undo", () => explorer.undo(), { class: "undo", disabled: true }),
    reset: button("Reset", () => explorer.reset(), { class: "reset", disabled: true })
  };
  const aside = make("aside", {}, tolerance.hint, details.node, costs.node);
  if (start.samples) aside.append(samples.node);
  const top = make(
    "div",
    { class: "top" },
    toolbar(explorer, parts),
    make("div", { class: "asked" }, parts.question, parts.status),
    parts.notice
  );
  const key = make("div", { class: "key-and-axis" }, legend(explorer), axis(scale));
  const skip = button("Skip the list", () => aside.querySelector("button").focus(), { class: "skip" });
  root2.replaceChildren(
    hatching(),
    header(start),
    top,
    make("div", { class: "columns" }, make("div", { class: "chart" }, skip, key, listing.node), aside)
  );
  root2.style.setProperty("--names", `${Math.max(...rows.map((row) => row.name.length)) * 0.6 + 1.6}em`);
  stick(root2, top, key);
  return parts;
}
function stick(root2, top, key) {
  if (typeof ResizeObserver === "undefined") return;
  const observer = new ResizeObserver(() => {
    root2.style.setProperty("--top", `${top.offsetHeight}px`);
    root2.style.setProperty("--key", `${key.offsetHeight}px`);
  });
  observer.observe(top);
  observer.observe(key);
}
function header({ title, quality, warnings = [], features }) {
  const lead = "Drag the ends of a bar, or forbid or keep a feature: all other bars move to what equally good models can still do.";
  return make(
    "header",
    {},
    make("h1", {}, title),
    make("p", { class: "lead" }, lead, quality ? ` Best simple model: ${quality}.` : ""),
    ...remarks(warnings, features)
  );
}
function remarks(warnings, features) {
  if (!warnings.length) return [];
  const head = make("summary", {}, `Before you rely on this: ${warnings.length} remark${warnings.length > 1 ? "s" : ""}`);
  const said = make("details", { class: "remarks" }, head, make("ul", {}, ...warnings.map((one) => make("li", {}, one))));
  said.open = features.every((one) => one.class === "irrelevant");
  return [said];
}
function toolbar(explorer, { undo, reset }) {
  const { files, listing } = explorer;
  const opener = make("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    onchange: () => files.open(opener)
  });
  return make(
    "div",
    { class: "toolbar", role: "toolbar", "aria-label": "Tools" },
    undo,
    reset,
    listing.search,
    listing.kinds,
    listing.sorts,
    explorer.tolerance.node,
    button("Share", () => files.share(), { class: "share", title: "Save the constraints as a file" }),
    button("Open", () => opener.click(), { title: "Open a file with constraints" }),
    opener,
    button("Report", () => files.report(), { class: "report" }),
    button("SVG", () => files.svg(), { class: "svg" }),
    button("PNG", () => files.png(), { class: "png" })
  );
}
function legend({ start, rows, tolerance }) {
  const kinds = ["strong", "weak", "irrelevant"].map((word) => make("span", { class: `kind ${word}` }, word, make("span", { class: "meaning" }, `: ${WORDS[word]}`)));
  if (rows.some((row) => row.before.borderline)) {
    kinds.push(make("span", { class: "kind either", title: EITHER }, "? could be either"));
  }
  if (rows.some((row) => row.before.bound)) {
    kinds.push(make("span", { class: "kind plain", title: BOUND }, "≤ a bound"));
  }
  if (rows.some((row) => isStarred(row.before, row.before))) {
    kinds.push(make("span", { class: "kind plain", title: EXPLAINS }, "∗ passes the conditional test"));
  }
  return make(
    "p",
    { class: "legend" },
    ...kinds,
    make("span", {}, `┊ ${start.noise_label}`),
    make("span", {}, "◇ one fitted model"),
    make("span", { class: "past-key" }, "▭ before"),
    make("span", { class: "needed-key" }, tolerance.legend)
  );
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
function sifted2(rows, { text, kind, folded, named }) {
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
    const { shown: shown2, folded } = sifted2(sorted(this.ordered, this.by), { ...this, named });
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

// handles.js
function placeOf(end, { name, now, scale, constraints }) {
  if (constraints.forbid.includes(name)) return 0;
  const [low, high] = constraints.bounds[name] ?? [0, null];
  if (end === "low") return low > 0 ? low : now.min ?? 0;
  return high === null ? now.max ?? scale : high;
}
function keyed(key, value, { least, most, scale }) {
  const step = scale / 100;
  const moves = {
    ArrowLeft: -step,
    ArrowDown: -step,
    PageDown: -10 * step,
    ArrowRight: step,
    ArrowUp: step,
    PageUp: 10 * step
  };
  if (key in moves) return Math.max(0, value + moves[key]);
  return { Home: Math.max(0, least), End: Math.max(0, most) }[key] ?? null;
}
var Handle = class {
  constructor(row, end) {
    this.row = row;
    this.end = end;
    const isLow = end === "low";
    const grip = draw("path", { class: "grip", d: isLow ? "M0 1 h-5 v24 h5z" : "M0 1 h5 v24 h-5z" });
    const target = draw("rect", { class: "target", x: isLow ? -14 : -4, y: 0, width: 18, height: 26 });
    this.slider = draw("g", {
      role: "slider",
      tabindex: 0,
      "aria-valuemin": 0,
      "aria-orientation": "horizontal",
      "aria-label": `${isLow ? "least" : "most"} relevance of ${row.name}`,
      onkeydown: (event) => this.#key(event),
      onpointerdown: (event) => this.#drag(event)
    }, target, grip);
    this.node = draw("svg", { overflow: "visible", class: "handle", "data-end": end }, this.slider);
  }
  update() {
    const { name, scale, constraints } = this.row;
    const value = placeOf(this.end, this.row);
    const bound = constraints.bounds[name];
    const isBound = bound && (this.end === "low" ? bound[0] > 0 : bound[1] !== null);
    set(this.node, { x: percent(share(value, scale)), class: `handle${isBound ? " bound" : ""}` });
    set(this.slider, {
      "aria-valuenow": round(value),
      "aria-valuemax": round(scale),
      "aria-valuetext": `${shown(value)}${isBound ? ", bounded" : ""}`
    });
  }
  #key(event) {
    const { row } = this;
    const value = keyed(event.key, placeOf(this.end, row), { ...row.reach, scale: row.scale });
    if (value === null) return;
    event.preventDefault();
    row.move(this.end, value, true);
  }
  #drag(event) {
    event.preventDefault();
    const { row, slider } = this;
    slider.focus();
    slider.setPointerCapture(event.pointerId);
    const box = row.picture.getBoundingClientRect();
    const value = (at) => share(at.clientX - box.left, box.width) * row.scale;
    let last = null;
    let waiting = null;
    const onmove = (at) => {
      last = at;
      waiting ??= requestAnimationFrame(() => {
        waiting = null;
        row.move(this.end, value(last), false);
      });
    };
    const stop = (at) => {
      slider.removeEventListener("pointermove", onmove);
      slider.removeEventListener("pointerup", stop);
      slider.removeEventListener("pointercancel", stop);
      if (waiting !== null) cancelAnimationFrame(waiting);
      if (last !== null) row.move(this.end, value(at), true);
    };
    slider.addEventListener("pointermove", onmove);
    slider.addEventListener("pointerup", stop);
    slider.addEventListener("pointercancel", stop);
  }
};

// rows.js
var Row = class {
  constructor(explorer, j, feature) {
    this.explorer = explorer;
    this.j = j;
    this.name = feature.name;
    this.before = feature;
    this.now = { ...feature };
    this.built = null;
    this.marks = /* @__PURE__ */ new Set();
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
      class: "name",
      type: "button",
      onclick: () => explorer.select(this.j)
    }, name);
    this.kind = make("span", { class: "kind" });
    this.needed = make("small", { class: "needed", hidden: true });
    this.handles = !this.hasSeveral ? ["low", "high"].map((end) => new Handle(this, end)) : [];
    this.bar = new Bar(this.handles.map((handle) => handle.node));
    this.forbid = this.#toggle("forbid", "no model may use it");
    this.keep = this.#toggle("keep", this.hasSeveral ? "not for several columns" : "every model uses it");
    this.keep.disabled = this.hasSeveral;
    this.cost = make("input", {
      class: "cost",
      type: "number",
      min: 0,
      step: "any",
      "aria-label": `cost of ${name}`,
      placeholder: "1",
      onchange: () => explorer.setCost(name, this.costs = this.cost.value)
    });
    this.cost.value = this.costs;
    return make(
      "li",
      { class: "row", "data-name": name, "data-j": this.j },
      this.label,
      make("span", { class: "what" }, this.kind, this.needed),
      this.picture,
      make("span", { class: "toggles" }, this.forbid, this.keep),
      this.cost
    );
  }
  #toggle(word, meaning) {
    return make("button", {
      class: `toggle ${word}`,
      type: "button",
      "aria-pressed": "false",
      "aria-label": `${word} ${this.name}: ${meaning}`,
      title: meaning,
      onclick: () => this.explorer.toggle(word, this.j)
    }, word);
  }
  // One end goes to a value; what is not final is a drag that goes on.
  move(end, value, final) {
    if (this.explorer.rows[this.j] !== this) return;
    const next = bounded(this.constraints, this.name, end, value, { ...this.reach, close: 4e-3 * this.scale });
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
      title: [`${now.class}: ${meaning}`, ...this.certainty].join("; ")
    });
    this.built.classList.toggle("forbidden", forbidden);
    this.needed.textContent = priced(this.neededUpTo);
    this.needed.hidden = !this.needed.textContent;
    this.label.setAttribute("title", [name, ...this.columns].join("\n"));
    const range = `relevance ${shown(now.min)} to ${shown(now.max)}`;
    this.label.setAttribute(
      "aria-label",
      `${name}, ${now.class}, ${meaning}${either ? ", could be either" : ""}${isStarred(this.before, now) ? ", passes the conditional test" : ""}, ${range}`
    );
  }
};

// samples.js
var FEW2 = 50;
var QUICK = 800;
var MOST = 500;
var hasLabels = (rows) => rows.some((row) => row.labels?.length);
function listed2(rows) {
  if (rows.length && !hasLabels(rows)) {
    return [...rows].sort((a, b) => b.high - b.low - (a.high - a.low)).slice(0, MOST);
  }
  return [...rows.filter((row) => !row.settled), ...rows.filter((row) => row.settled)].slice(0, MOST);
}
var hasValues = (rows) => rows.some((row) => row.low !== null);
function headOf(rows) {
  if (!hasLabels(rows)) return ["sample", "prediction"];
  return ["sample", "label", ...hasValues(rows) ? ["decision value"] : [], "settled?"];
}
function cellsOf({ name, labels, low, high, settled }) {
  const value = low === null ? [] : [`${shown(low)} to ${shown(high)}`];
  return labels.length ? [name, labels.join(" or "), ...value, settled ? "settled" : "open"] : [name, ...value];
}
function samplesInWords({ rows, n, open: open2 }, constraints) {
  const scope = isEmpty(constraints) ? "" : ` (${inWords(constraints)})`;
  const more = rows.length < n ? ` ${rows.length} are listed, these first.` : "";
  if (rows.length && !hasLabels(rows)) {
    return `From the lowest to the highest prediction for ${n} samples${scope}, those first on which models differ most.${rows.length < n ? ` ${rows.length} are listed.` : ""}`;
  }
  return `${open2} of ${n} samples depend on which model is used${scope}.${more}`;
}
var Samples = class {
  constructor(explorer) {
    this.explorer = explorer;
    this.asked = null;
    this.answer = make("div", { class: "samples" });
    this.node = make(
      "section",
      { "aria-label": "Samples" },
      make("h2", {}, "Samples"),
      make("p", { class: "hint" }, "Do all equally good models predict the same for everyone?"),
      button("Show samples", () => this.show(), { class: "show-samples" }),
      this.answer
    );
  }
  // Some samples at a time, so that the page can tell how far it is.
  async show() {
    const constraints = this.asked = copy(this.explorer.history.accepted);
    const far = make("span", { class: "elapsed", "aria-hidden": "true" });
    this.#say("Computing …", far, elapsed());
    const found = { rows: [], n: Infinity, open: 0 };
    try {
      for (let first = 0, count = FEW2; first < found.n; ) {
        const begun = Date.now();
        const { rows, n, open: open2 } = await this.explorer.question("samples", { constraints, first, count });
        if (this.asked !== constraints) return;
        found.rows.push(...rows);
        found.n = n;
        found.open += open2;
        first += count;
        far.textContent = ` ${Math.min(first, n)} of ${n} samples`;
        if (Date.now() - begun < QUICK) count *= 2;
      }
      found.rows = listed2(found.rows);
      this.#say(samplesInWords(found, constraints), tableOf(found.rows));
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
};
function tableOf(rows) {
  const head = make("tr", {}, ...headOf(rows).map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((row) => make(
    "tr",
    { class: row.settled || !row.labels.length ? "settled" : "open" },
    ...cellsOf(row).map((text) => make("td", {}, text))
  ));
  return make(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "List of samples" },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body))
  );
}

// tolerance.js
var PATIENCE2 = 200;
var STEP2 = 0.05;
var MOST2 = 2;
var Tolerance = class {
  constructor(explorer) {
    this.explorer = explorer;
    this.factor = 1;
    this.own = explorer.start.tolerance ?? [];
    this.value = make("output", { class: "tolerance-value" });
    this.slider = make("input", {
      type: "range",
      min: 0,
      max: MOST2,
      step: STEP2,
      value: 1,
      class: "tolerance",
      "aria-label": "Tolerance",
      title: "how much worse than the best model a model may be",
      oninput: () => this.#wait(),
      onchange: () => this.#ask()
    });
    this.node = make("label", { class: "tolerance-label", hidden: !this.own.length }, "Tolerance", this.slider, this.value);
    this.hint = make(
      "p",
      { class: "hint elsewhere", hidden: true },
      "The bars are at another tolerance. Groups, stand-ins, sets and samples are of the fit's own."
    );
    this.show(1);
  }
  get isElsewhere() {
    return this.factor !== 1;
  }
  // The factor that holds now; the slider may be on its way to another one.
  show(factor) {
    clearTimeout(this.waiting);
    this.factor = factor;
    this.slider.value = String(factor);
    this.hint.hidden = factor === 1;
    this.#say(factor);
  }
  #say(factor) {
    const both = this.own.map((one) => factor * one);
    const alike = new Set(both.map((one) => one.toPrecision(2))).size === 1;
    const own = (alike ? both.slice(0, 1) : both).map((one) => round(Number(one.toPrecision(3)))).join(" and ");
    const text = factor === 1 ? `${own} (the fit's)` : `${own} (${times(factor)} the fit's)`;
    this.value.textContent = text;
    set(this.slider, { "aria-valuetext": text });
  }
  #wait() {
    clearTimeout(this.waiting);
    this.#say(Number(this.slider.value));
    this.waiting = setTimeout(() => this.#ask(), PATIENCE2);
  }
  #ask() {
    clearTimeout(this.waiting);
    const before = this.factor;
    const factor = Number(this.slider.value);
    if (factor === before) return;
    this.show(factor);
    this.explorer.askAgain(before);
  }
  // Asked for once, after the page is there; nobody waits for it.
  async findPrices() {
    const { rows } = this.explorer;
    if (!this.own.length) return;
    try {
      const { needed } = await this.explorer.question("needed");
      rows.forEach((row, j) => row.setNeeded(needed[j]));
    } catch {
    }
  }
  get legend() {
    return priceInWords(round(Number((this.own[0] ?? 0).toPrecision(3))));
  }
};

// page.js
var Explorer = class {
  constructor(root2, transport, start, { page = "", onload = () => {
  } } = {}) {
    this.root = root2;
    this.transport = transport;
    this.page = page;
    this.onload = onload;
    this.connection = new Connection(this);
    this.load(start);
  }
  // Everything that belongs to a fit is made here, so that nothing of it outlives the fit.
  load(start) {
    this.running?.abort();
    this.start = start;
    this.constraints = nothing();
    this.wantedNow = /* @__PURE__ */ new Set();
    this.history = new History();
    this.scale = scaleOf(start.features);
    this.rows = start.features.map((feature, j) => new Row(this, j, feature));
    this.details = new Details(this);
    this.costs = new Costs(this);
    this.samples = new Samples(this);
    this.files = new Files(this);
    this.tolerance = new Tolerance(this);
    this.listing = new Listing(this);
    this.parts = layOut(this);
    this.describe();
    this.summarise();
    this.onload(start);
    this.tolerance.findPrices();
  }
  // Asking
  // How: what is not `final` is a drag that goes on, and `by` says of what; `first` is the bar to
  // ask for first; `undoing` is for what was asked before, with the names that are `unknown` where
  // that was of another fit; `before` is the tolerance before this one.
  propose(constraints, how = {}) {
    const { final = true, first = null } = how;
    this.constraints = constraints;
    for (const row of this.rows) row.update();
    this.describe();
    this.parts.notice.hidden = true;
    this.running?.abort();
    const running = this.running = new AbortController();
    for (const row of this.rows) row.mark("stale");
    this.setStatus("Computing …");
    this.root.setAttribute("aria-busy", "true");
    let waiting = true;
    const onEvent = (event) => {
      if (running.signal.aborted) return;
      if (event.kind === "impossible" || event.kind === "failed") {
        if (final) this.refuse(event, how);
        else this.warn();
        return;
      }
      if (waiting && final) this.accept(constraints, how);
      waiting = false;
      if (event.kind === "bar") this.show(event);
      if (event.kind === "done") this.finish();
    };
    const order = this.wanted(first);
    this.wantedNow = new Set(order);
    return this.transport.stream(this.body(order), onEvent, running.signal).catch((error) => this.fail(error, running, how));
  }
  // Rows that are not in the list are not asked for: what is irrelevant and folded away stays
  // irrelevant whatever is asked, since constraints only take models away.
  body(order) {
    const { constraints, page, start, tolerance } = this;
    return { constraints, order, only: true, page, fit: start.fingerprint, tolerance: tolerance.factor };
  }
  // Rows that have come into the list after the question was asked.
  fill(shown2) {
    const missing = shown2.filter((row) => row.marks.has("stale") && !this.wantedNow.has(row.j)).map((row) => row.j);
    if (!missing.length || this.root.hasAttribute("aria-busy")) return;
    for (const j of missing) this.wantedNow.add(j);
    const running = this.running = new AbortController();
    this.root.setAttribute("aria-busy", "true");
    const onEvent = (event) => {
      if (running.signal.aborted) return;
      if (event.kind === "bar") this.show(event);
      else if (event.kind === "done") this.finish();
      else this.refuse(event, { undoing: true });
    };
    this.transport.stream(this.body(missing), onEvent, running.signal).catch((error) => this.fail(error, running, { undoing: true }));
  }
  show(event) {
    const row = this.rows[event.j];
    if (!row) throw new Lost("another fit answers");
    row.show(event);
  }
  // Bars in sight are asked for first, then those in the list, and the one that is being moved before
  // all others.
  wanted(first) {
    const height = window.innerHeight;
    const rows = this.listing.shown;
    const isSeen = (row) => {
      const box = row.node.getBoundingClientRect();
      return box.bottom > 0 && box.top < height && box.height > 0;
    };
    const seen = rows.filter(isSeen);
    const wanted = [...seen, ...rows.filter((row) => !seen.includes(row))].map((row) => row.j);
    return first === null ? wanted : [first, ...wanted.filter((j) => j !== first)];
  }
  accept(constraints, { by, undoing }) {
    this.history.accept(constraints, { by, undoing });
    this.describe();
  }
  finish() {
    this.root.removeAttribute("aria-busy");
    if (isEmpty(this.constraints) && !this.tolerance.isElsewhere) {
      for (const row of this.rows) if (row.marks.has("stale")) row.show(row.before);
    }
    this.connection.online();
    this.listing.refresh();
    this.summarise();
    this.details.follow();
    this.samples.follow();
    this.costs.follow();
  }
  // Go back to what was accepted last. Where that is what was refused just now it must not be asked
  // for again, or page and server would go on so for ever: the step before is next, then nothing.
  refuse(event, { undoing = false, unknown = null, before = null }) {
    const { history, constraints, tolerance } = this;
    if (before !== null || isEmpty(constraints) && tolerance.isElsewhere) {
      const text2 = tooNarrow(event, tolerance.factor);
      tolerance.show(before ?? 1);
      this.goBack(copy(history.accepted));
      this.tell(text2);
      return;
    }
    const again = same(constraints, history.accepted);
    if (again && undoing) history.drop();
    else if (again) history.withdraw();
    const isOld = unknown !== null || again && undoing && !isEmpty(constraints);
    const text = isOld ? dropped(event, constraints) : refusal(event, constraints);
    this.goBack(copy(history.accepted));
    this.tell(unknown === null ? text : `${renewed(unknown)} ${text}`);
  }
  // Bars may have moved, so the answer is asked for again; without constraints it is known.
  goBack(constraints) {
    if (!isEmpty(constraints) || this.tolerance.isElsewhere) {
      this.propose(constraints, { undoing: true });
      return;
    }
    this.running?.abort();
    this.constraints = constraints;
    for (const row of this.rows) row.show(row.before);
    this.describe();
    this.finish();
  }
  // While a handle is being dragged it may pass through the impossible.
  warn() {
    this.tell("Impossible: no equally good model is left here.");
    this.root.removeAttribute("aria-busy");
    this.setStatus("");
  }
  fail(error, running, how) {
    if (error.name === "AbortError" || running.signal.aborted) return;
    this.root.removeAttribute("aria-busy");
    if (error instanceof Lost) this.connection.offline();
    else if (error instanceof Another) return this.connection.reconnect();
    else if (error instanceof Refused) this.setStatus(error.message);
    else this.refuse({ kind: "failed", message: error.message }, how);
  }
  // Any other question of the fit that is shown; an answer about another one is nobody's.
  async question(name, body = {}) {
    const fit = this.start.fingerprint;
    try {
      return await this.transport.post(name, { ...body, fit });
    } catch (error) {
      if (error instanceof Another && fit === this.start.fingerprint) this.connection.reconnect();
      throw error;
    }
  }
  // What people do
  toggle(word, j) {
    this.propose(toggled(this.constraints, word, this.rows[j].name), { first: j });
  }
  undo() {
    if (!this.history.isEmpty) this.propose(this.history.back(), { undoing: true });
  }
  reset() {
    this.tolerance.show(1);
    if (!isEmpty(this.constraints)) this.propose(nothing());
    else this.goBack(nothing());
  }
  // The same question at another tolerance than before.
  askAgain(before) {
    this.propose(copy(this.history.accepted), { undoing: true, before });
  }
  select(j) {
    return this.details.select(j);
  }
  setCost(name, text) {
    this.costs.set(name, text);
  }
  // Words
  describe() {
    const { question, undo, reset } = this.parts;
    const empty = isEmpty(this.constraints);
    const { factor, isElsewhere } = this.tolerance;
    question.textContent = asked(this.constraints, factor);
    this.root.classList.toggle("asks", !empty || isElsewhere);
    this.root.classList.toggle("constrained", !empty);
    undo.disabled = this.history.isEmpty;
    reset.disabled = empty && !isElsewhere;
  }
  summarise() {
    const parts = [summary(this.rows.map((row) => row.now)), this.listing.told];
    this.setStatus(parts.filter(Boolean).join("; "));
  }
  setStatus(text) {
    this.parts.status.textContent = text;
  }
  tell(text) {
    this.parts.notice.textContent = text;
    this.parts.notice.hidden = false;
  }
};

// main.js
var BETWEEN_LOOKS = 3e3;
async function open(root2) {
  const transport = new HttpTransport();
  try {
    const name = Math.random().toString(36).slice(2);
    const onload = ({ title }) => document.title = title;
    const start = await transport.get("start", { page: name });
    const explorer = new Explorer(root2, transport, start, { page: name, onload });
    setInterval(() => explorer.connection.watch(), BETWEEN_LOOKS);
    undoneByKey(window, explorer);
  } catch (error) {
    root2.replaceChildren(make("p", { class: "notice", role: "alert" }, error.message));
  }
}
function undoneByKey(node, explorer) {
  node.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key === "z";
    const { tagName, type } = event.composedPath()[0];
    if (!isUndo || tagName === "INPUT" && type !== "range") return;
    event.preventDefault();
    explorer.undo();
  });
}
var root = typeof document === "undefined" ? null : document.querySelector("[data-explorer]");
if (root) open(root);
var main_default = {
  render({ model, el }) {
    el.classList.add("allrelevant-explorer");
    el.setAttribute("data-lm-suppress-shortcuts", "true");
    undoneByKey(el, new Explorer(el, new WidgetTransport(model), model.get("start")));
  }
};
export {
  Explorer,
  main_default as default
};
