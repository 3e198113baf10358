// The explorer: bars that answer what-if questions. One module for the page and for notebooks.
//
// A page holds its own constraints and brings them along with every question, so the server needs
// no memory of it. `Explorer` draws; a transport carries questions: HTTP with server-sent events on
// the page, messages of the widget in a notebook.

const SVG = "http://www.w3.org/2000/svg";
const COLORS = { strong: "#0072B2", weak: "#E69F00", irrelevant: "#999999", forbidden: "#C0392B" };
const WORDS = { strong: "must be used", weak: "can be used", irrelevant: "need not be used", forbidden: "must not be used" };
const EITHER = "could be either: with other shuffled columns it may pass what noise reaches, or not";
const OPEN = { "fill-opacity": 0.28, stroke: "#555", "stroke-width": 1.2, "stroke-dasharray": "4 2.5" };
const NOTHING = () => ({ forbid: [], keep: [], bounds: {} });
const FORMAT = "allrelevant.question/1";

// -- small helpers -----------------------------------------------------------------------------

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  set(node, attributes);
  node.append(...children);
  return node;
}

function draw(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  set(node, attributes);
  node.append(...children);
  return node;
}

function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === false || value === null || value === undefined) node.removeAttribute(key);
    else node.setAttribute(key, value === true ? "" : value);
  }
}

const percent = (part) => `${(100 * part).toFixed(3)}%`;
const round = (value) => Number(value.toPrecision(4));
const shown = (value) => (value === null ? "unknown" : value.toFixed(3));
const small = (p) => (p < 1e-4 ? "< 0.0001" : String(Number(p.toPrecision(2))));
const copy = (constraints) => JSON.parse(JSON.stringify(constraints));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function isEmpty(constraints) {
  return !constraints.forbid.length && !constraints.keep.length && !Object.keys(constraints.bounds).length;
}

function inWords(constraints) {
  const parts = [];
  if (constraints.forbid.length) parts.push(`without ${constraints.forbid.join(", ")}`);
  if (constraints.keep.length) parts.push(`always with ${constraints.keep.join(", ")}`);
  for (const [name, [low, high]] of Object.entries(constraints.bounds)) {
    const least = low ? `at least ${shown(low)}` : "";
    const most = high === null ? "" : `at most ${shown(high)}`;
    parts.push(`${name} ${[least, most].filter(Boolean).join(" and ")}`);
  }
  return parts.join("; ");
}

function save(content, name, kind) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: kind });
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// -- transports --------------------------------------------------------------------------------

class Lost extends Error {}
class Refused extends Error {}

class HttpTransport {
  async send(name, body, signal) {
    const request = body === undefined
      ? { signal }
      : { signal, method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    let response;
    try {
      response = await fetch(`api/${name}`, request);
    } catch (error) {
      throw error.name === "AbortError" ? error : new Lost(error.message);
    }
    if (response.status === 403 || response.status === 421) {
      throw new Refused("This address is no longer valid: open the one the command printed last.");
    }
    if (!response.ok) {
      const said = await response.json().catch(() => ({}));
      throw new Error(said.error ?? `the server answered ${response.status}`);
    }
    return response;
  }

  async get(name, parameters) {
    const query = parameters ? `?${new URLSearchParams(parameters)}` : "";
    return (await this.send(name + query)).json();
  }

  async post(name, body) {
    const response = await this.send(name, body);
    const kind = response.headers.get("content-type") ?? "";
    return kind.startsWith("application/json") ? response.json() : response.text();
  }

  async stream(body, onEvent, signal) {
    const response = await this.send("ask", body, signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    let complete = false;
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const parts = (rest + value).split("\n\n");
        rest = parts.pop();
        for (const part of parts) {
          const event = JSON.parse(part.slice("data: ".length));
          complete ||= event.kind !== "bar";
          onEvent(event);
        }
      }
    } catch (error) {
      throw error.name === "AbortError" || signal.aborted ? new DOMException("", "AbortError") : new Lost(error.message);
    }
    if (!complete) throw new Lost("the answer ended too early");
  }
}

class WidgetTransport {
  constructor(model) {
    this.model = model;
    this.next = 0;
    this.waiting = new Map();
    model.on("msg:custom", (message) => this.waiting.get(message.id)?.(message));
  }

  call(name, body, onEvent, signal) {
    const id = `${this.next++}-${Math.random()}`;
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => {
        this.waiting.delete(id);
        this.model.send({ id, name: "cancel" });
        reject(new DOMException("", "AbortError"));
      });
      this.waiting.set(id, (message) => {
        if (message.event) return onEvent(message.event);
        this.waiting.delete(id);
        return "error" in message ? reject(new Error(message.error)) : resolve(message.answer);
      });
      this.model.send({ id, name, body });
    });
  }

  get(name, parameters = {}) {
    return this.call(name, parameters);
  }

  post(name, body) {
    return this.call(name, body);
  }

  stream(body, onEvent, signal) {
    return this.call("ask", body, onEvent, signal);
  }
}

// -- one feature -------------------------------------------------------------------------------

class Row {
  constructor(explorer, j, feature) {
    this.explorer = explorer;
    this.j = j;
    this.name = feature.name;
    this.before = feature;
    this.now = { ...feature };
    this.node = this.build();
    this.update();
  }

  build() {
    const { explorer } = this;
    this.label = make("button", {
      class: "name", type: "button", title: this.name,
      onclick: () => explorer.select(this.j),
    }, this.name);
    this.kind = make("span", { class: "kind" });
    this.past = draw("rect", { class: "past", y: 3, height: 20, rx: 1 });
    this.bar = draw("rect", { class: "bar", y: 6, height: 14 });
    this.hatch = draw("rect", { class: "hatch", y: 6, height: 14, fill: "url(#hatch)" });
    this.noise = draw("line", { class: "noise", y1: 0, y2: 26 });
    this.marker = draw("svg", { overflow: "visible", y: 13 }, draw("path", { class: "marker", d: "M0 -4 l4 4 -4 4 -4 -4z" }));
    this.handles = ["low", "high"].map((end) => this.handle(end));
    this.picture = draw("svg", { class: "picture", height: 26 },
      draw("rect", { class: "track", width: "100%", y: 12.5, height: 1 }),
      this.past, this.bar, this.hatch, this.noise, this.marker, ...this.handles);
    this.forbid = this.toggle("forbid", "no model may use it");
    this.keep = this.toggle("keep", "every model uses it");
    this.cost = make("input", {
      class: "cost", type: "number", min: 0, step: "any", "aria-label": `cost of ${this.name}`, placeholder: "1",
      onchange: () => explorer.setCost(this.name, this.cost.value),
    });
    return make("li", { class: "row", "data-name": this.name, "data-j": this.j },
      this.label, this.kind, this.picture, make("span", { class: "toggles" }, this.forbid, this.keep), this.cost);
  }

  toggle(word, meaning) {
    return make("button", {
      class: `toggle ${word}`, type: "button", "aria-pressed": "false",
      "aria-label": `${word} ${this.name}: ${meaning}`, title: meaning,
      onclick: () => this.explorer.toggle(word, this.name),
    }, word);
  }

  handle(end) {
    const grip = draw("path", { class: "grip", d: end === "low" ? "M0 1 h-5 v24 h5z" : "M0 1 h5 v24 h-5z" });
    const target = draw("rect", { class: "target", x: end === "low" ? -14 : -4, y: 0, width: 18, height: 26 });
    const node = draw("svg", { overflow: "visible", class: "handle", "data-end": end },
      draw("g", {
        role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-orientation": "horizontal",
        "aria-label": `${end === "low" ? "least" : "most"} relevance of ${this.name}`,
        onkeydown: (event) => this.key(event, end),
        onpointerdown: (event) => this.drag(event, end),
      }, target, grip));
    node.slider = node.firstChild;
    return node;
  }

  // Where a handle is: at its bound where there is one, at the end of the bar otherwise.
  place(end) {
    const { constraints } = this.explorer;
    if (constraints.forbid.includes(this.name)) return 0;
    const [low, high] = constraints.bounds[this.name] ?? [0, null];
    if (end === "low") return low > 0 ? low : this.now.min ?? 0;
    return high === null ? this.now.max ?? this.explorer.scale : high;
  }

  move(end, value, final) {
    const { before, explorer } = this;
    const most = before.max ?? explorer.scale;
    const least = before.min ?? 0;
    const close = 0.004 * explorer.scale;
    const bounds = { ...explorer.constraints.bounds };
    let [low, high] = bounds[this.name] ?? [0, null];
    // A bound that the unconstrained bar keeps anyway is no bound.
    if (end === "low") low = value <= least + close ? 0 : Math.min(value, most, high ?? most);
    else high = value >= most - close ? null : Math.max(value, least, low);
    if (low === 0 && high === null) delete bounds[this.name];
    else bounds[this.name] = [round(low), high === null ? null : round(high)];
    const others = (names) => names.filter((name) => name !== this.name);
    const { forbid, keep } = explorer.constraints;
    explorer.propose({ forbid: others(forbid), keep: others(keep), bounds }, { final, first: this.j, by: `${this.name} ${end}` });
  }

  drag(event, end) {
    event.preventDefault();
    const slider = event.currentTarget;
    slider.focus();
    slider.setPointerCapture(event.pointerId);
    const box = this.picture.getBoundingClientRect();
    const value = (at) => Math.max(0, Math.min(1, (at.clientX - box.left) / box.width)) * this.explorer.scale;
    let moved = false;
    let waiting = null;
    const onmove = (at) => {
      moved = true;
      waiting ??= requestAnimationFrame(() => {
        waiting = null;
        this.move(end, value(this.last ?? at), false);
      });
      this.last = at;
    };
    const stop = (at) => {
      slider.removeEventListener("pointermove", onmove);
      slider.removeEventListener("pointerup", stop);
      slider.removeEventListener("pointercancel", stop);
      if (waiting !== null) cancelAnimationFrame(waiting);
      this.last = null;
      if (moved) this.move(end, value(at), true);
    };
    slider.addEventListener("pointermove", onmove);
    slider.addEventListener("pointerup", stop);
    slider.addEventListener("pointercancel", stop);
  }

  key(event, end) {
    const step = this.explorer.scale / 100;
    const moves = { ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step, PageDown: -10 * step, PageUp: 10 * step };
    let value = null;
    if (event.key in moves) value = this.place(end) + moves[event.key];
    else if (event.key === "Home") value = this.before.min ?? 0;
    else if (event.key === "End") value = this.before.max ?? this.explorer.scale;
    else return;
    event.preventDefault();
    this.move(end, Math.max(0, value), true);
  }

  show(values) {
    this.now = { ...this.now, ...values };
    this.node.classList.remove("stale");
    this.update();
  }

  update() {
    const { explorer, now, before } = this;
    const { scale, constraints } = explorer;
    const at = (value) => percent(Math.max(0, Math.min(1, (value ?? 0) / scale)));
    const between = (low, high) => ({ x: at(low), width: percent(Math.max(0.003, ((high ?? scale) - (low ?? 0)) / scale)) });
    set(this.past, between(before.min, before.max));
    set(this.bar, { ...between(now.min, now.max), class: `bar ${now.class}${now.borderline ? " either" : ""}` });
    set(this.hatch, { ...between(now.min, now.max), visibility: now.class === "weak" && !now.borderline ? "visible" : "hidden" });
    const { noise } = before;
    set(this.noise, { x1: at(noise), x2: at(noise), visibility: noise === null ? "hidden" : "visible" });
    set(this.marker, { x: at(before.weight) });
    for (const handle of this.handles) {
      const { end } = handle.dataset;
      const value = this.place(end);
      const bound = constraints.bounds[this.name];
      const set_ = bound && (end === "low" ? bound[0] > 0 : bound[1] !== null);
      set(handle, { x: at(value), class: `handle${set_ ? " bound" : ""}` });
      set(handle.slider, {
        "aria-valuenow": round(value), "aria-valuemax": round(scale),
        "aria-valuetext": `${shown(value)}${set_ ? ", bounded" : ""}`,
      });
    }
    const forbidden = constraints.forbid.includes(this.name);
    this.forbid.setAttribute("aria-pressed", forbidden);
    this.keep.setAttribute("aria-pressed", constraints.keep.includes(this.name));
    this.kind.textContent = now.class + (now.borderline ? " ?" : "");
    set(this.kind, { class: `kind ${now.class}${now.borderline ? " either" : ""}`, title: [`${now.class}: ${WORDS[now.class]}`, ...this.certainty()].join("; ") });
    this.node.classList.toggle("forbidden", forbidden);
    this.label.setAttribute("aria-label", `${this.name}, ${now.class}, ${WORDS[now.class]}${now.borderline ? ", could be either" : ""}, relevance ${shown(now.min)} to ${shown(now.max)}`);
  }

  // How sure the class is; p belongs to the fit, not to a question with constraints.
  certainty() {
    const { now, before, explorer } = this;
    const parts = before.noise === null ? [] : [`noise reaches ${shown(before.noise)}`];
    if (before.p !== null) parts.push(`p ${small(before.p)}${isEmpty(explorer.constraints) ? "" : " without constraints"}`);
    if (now.borderline) parts.push(EITHER);
    return parts;
  }
}

// -- the explorer ------------------------------------------------------------------------------

export class Explorer {
  constructor(root, transport, start, page = "") {
    this.root = root;
    this.transport = transport;
    this.constraints = NOTHING(); // what the handles show
    this.accepted = NOTHING(); // the last that was possible and meant to stay
    this.undoable = [];
    this.page = page; // lets the server keep a solver warm for us
    this.costs = {};
    this.substitutes = new Map();
    this.load(start);
  }

  load(start) {
    this.start = start;
    this.fingerprint = start.fingerprint;
    this.costs = { ...start.costs };
    const largest = Math.max(...start.features.map((f) => Math.max(f.max ?? 0, f.noise ?? 0)), 1e-9);
    this.scale = largest * 1.04;
    this.rows = start.features.map((feature, j) => new Row(this, j, feature));
    this.build();
    this.summarise();
  }

  build() {
    const button = (text, action, attributes = {}) => make("button", { type: "button", onclick: action, ...attributes }, text);
    this.status = make("p", { class: "status", role: "status", "aria-live": "polite" });
    this.notice = make("p", { class: "notice", role: "alert", hidden: true });
    this.question = make("p", { class: "question" });
    this.undoButton = button("Undo", () => this.undo(), { class: "undo", disabled: true });
    this.resetButton = button("Reset", () => this.reset(), { class: "reset", disabled: true });
    this.filter = make("input", { type: "search", placeholder: "Find a feature", "aria-label": "Find a feature", oninput: () => this.narrow() });
    this.opener = make("input", { type: "file", accept: ".json,application/json", hidden: true, onchange: () => this.open() });
    const toolbar = make("div", { class: "toolbar", role: "toolbar", "aria-label": "Tools" },
      this.undoButton, this.resetButton, this.filter,
      button("Share", () => this.share(), { class: "share", title: "Save the constraints as a file" }),
      button("Open", () => this.opener.click(), { title: "Open a file with constraints" }), this.opener,
      button("Report", () => this.report(), { class: "report" }),
      button("SVG", () => this.saveSvg(), { class: "svg" }), button("PNG", () => this.savePng(), { class: "png" }));
    this.list = make("ol", { class: "rows", "aria-label": "Features" }, ...this.start.order.map((j) => this.rows[j].node));
    this.details = make("section", { class: "details", "aria-label": "Details" });
    this.cheapest = make("p", { class: "cheapest", role: "status" });
    this.costHint = make("p", { class: "hint" });
    this.explainCosts();
    this.samples = make("div", { class: "samples" });
    const aside = make("aside", {}, this.details,
      make("section", { "aria-label": "Cheapest set" }, make("h2", {}, "Cheapest set"),
        this.costHint,
        button("Find the cheapest set", () => this.findCheapest(), { class: "find-cheapest" }), this.cheapest));
    if (this.start.samples) {
      aside.append(make("section", { "aria-label": "Samples" }, make("h2", {}, "Samples"),
        make("p", { class: "hint" }, "Do all equally good models predict the same for everyone?"),
        button("Show samples", () => this.showSamples(), { class: "show-samples" }), this.samples));
    }
    const either = this.rows.some((row) => row.before.borderline) ? [make("span", { class: "kind either", title: EITHER }, "? could be either")] : [];
    const legend = make("p", { class: "legend" },
      ...["strong", "weak", "irrelevant"].map((word) => make("span", { class: `kind ${word}` }, `${word}: ${WORDS[word]}`)), ...either,
      make("span", {}, "┊ what noise reaches"), make("span", {}, "◇ one fitted model"), make("span", { class: "past-key" }, "▭ before"));
    this.root.replaceChildren(hatching(),
      make("header", {}, make("h1", {}, this.start.title),
        make("p", { class: "lead" }, "Drag the ends of a bar, or forbid or keep a feature: all other bars move to what equally good models can still do.",
          this.start.quality ? ` Best simple model: ${this.start.quality}.` : "")),
      make("div", { class: "top" }, toolbar, this.question, this.notice, this.status), legend,
      make("div", { class: "columns" }, make("div", { class: "chart" }, this.axis(), this.list), aside));
    for (const [name, cost] of Object.entries(this.costs)) {
      const row = this.rows.find((one) => one.name === name);
      if (row) row.cost.value = cost;
    }
    this.describe();
  }

  axis() {
    const picture = draw("svg", { class: "picture axis", height: 20, "aria-hidden": "true" });
    for (const tick of ticks(this.scale)) {
      const anchor = tick === 0 ? "start" : tick > 0.95 * this.scale ? "end" : "middle";
      picture.append(draw("text", { x: percent(tick / this.scale), y: 14, "text-anchor": anchor }, String(round(tick))));
    }
    return make("div", { class: "row head", "aria-hidden": "true" }, make("span", {}, "feature"), make("span", {}, "class"),
      picture, make("span", {}, "what if"), make("span", {}, "cost"));
  }

  // Asking

  propose(constraints, { final = true, first = null, by = null, undoing = false } = {}) {
    this.constraints = constraints;
    for (const row of this.rows) row.update();
    this.describe();
    this.hideNotice();
    this.running?.abort();
    const running = (this.running = new AbortController());
    for (const row of this.rows) row.node.classList.add("stale");
    this.setStatus("Computing …");
    this.root.setAttribute("aria-busy", "true");
    let waiting = true;
    const onEvent = (event) => {
      if (running.signal.aborted) return;
      if (event.kind === "impossible" || event.kind === "failed") return final ? this.refuse(event) : this.warn(event);
      if (waiting && final) this.accept(constraints, by, undoing);
      waiting = false;
      if (event.kind === "bar") this.rows[event.j].show(event);
      if (event.kind === "done") this.finish();
    };
    this.answering = this.transport
      .stream({ constraints, order: this.wanted(first), page: this.page }, onEvent, running.signal)
      .catch((error) => this.fail(error, running));
    return this.answering;
  }

  // Bars in sight are asked for first, and the one that is being moved before all others.
  wanted(first) {
    const height = window.innerHeight;
    const seen = this.start.order.filter((j) => {
      const box = this.rows[j].node.getBoundingClientRect();
      return box.bottom > 0 && box.top < height && box.height > 0;
    });
    return first === null ? seen : [first, ...seen];
  }

  accept(constraints, by, undoing) {
    if (!undoing && !same(constraints, this.accepted)) {
      const now = Date.now();
      // Several presses of a key on one handle are one step back.
      const together = by !== null && by === this.lastBy && now - this.lastAt < 1200;
      if (!together) this.undoable.push(this.accepted);
      this.lastBy = by;
      this.lastAt = now;
    }
    this.accepted = copy(constraints);
    this.describe();
  }

  finish() {
    this.root.removeAttribute("aria-busy");
    this.online();
    this.summarise();
  }

  refuse(event) {
    const { clash = [], tolerance = null } = event;
    const together = clash.length > 1 ? "all of this together" : "this";
    const worse = tolerance === null ? "" : ` Models that are somewhat worse could, with a tolerance of ${round(tolerance)}.`;
    const text = event.kind === "impossible"
      ? `Impossible: no equally good model does ${together}: ${clash.join(", ") || inWords(this.constraints)}. Nothing was changed.${worse}`
      : `That could not be computed, so nothing was changed. ${event.message}`;
    // Bars may have moved during a drag, so the last possible answer is asked for again.
    this.propose(copy(this.accepted), { undoing: true });
    this.tell(text);
  }

  // While a handle is being dragged it may pass through the impossible.
  warn() {
    this.tell("Impossible: no equally good model is left here.");
    this.root.removeAttribute("aria-busy");
    this.setStatus("");
  }

  fail(error, running) {
    if (error.name === "AbortError" || running.signal.aborted) return;
    this.root.removeAttribute("aria-busy");
    if (error instanceof Lost) this.offline();
    else if (error instanceof Refused) this.setStatus(error.message);
    else this.refuse({ kind: "failed", message: error.message });
  }

  // Connection

  offline() {
    this.root.classList.add("offline");
    this.setStatus("The connection to the explorer is lost. Trying again …");
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.reconnect(), 700);
  }

  online() {
    this.root.classList.remove("offline");
    clearTimeout(this.retry);
  }

  async reconnect() {
    try {
      const { fingerprint } = await this.transport.get("ping");
      if (fingerprint !== this.fingerprint) {
        const constraints = this.accepted;
        this.load(await this.transport.get("start", { page: this.page }));
        this.constraints = constraints;
      }
      this.online();
      await this.propose(this.constraints, { undoing: true });
    } catch (error) {
      if (error instanceof Lost) this.offline();
      else this.setStatus(error.message);
    }
  }

  async watch() {
    if (this.root.classList.contains("offline") || this.root.hasAttribute("aria-busy")) return;
    try {
      await this.transport.get("ping");
    } catch (error) {
      if (error instanceof Lost) this.offline();
      else this.setStatus(error.message);
    }
  }

  // Constraints

  toggle(word, name) {
    const next = copy(this.constraints);
    const other = word === "forbid" ? "keep" : "forbid";
    const on = next[word].includes(name);
    next[word] = on ? next[word].filter((one) => one !== name) : [...next[word], name];
    next[other] = next[other].filter((one) => one !== name);
    delete next.bounds[name];
    this.propose(next, { first: this.rows.find((row) => row.name === name).j });
  }

  undo() {
    if (this.undoable.length) this.propose(copy(this.undoable.pop()), { undoing: true });
  }

  reset() {
    if (!isEmpty(this.constraints)) this.propose(NOTHING());
  }

  share() {
    const content = { format: FORMAT, title: this.start.title, constraints: this.accepted, costs: this.costs };
    save(JSON.stringify(content, null, 2), "question.json", "application/json");
  }

  async open() {
    const [file] = this.opener.files;
    this.opener.value = "";
    if (!file) return;
    try {
      const content = JSON.parse(await file.text());
      if (content.format !== FORMAT) throw new Error(`it is not of the form ${FORMAT}`);
      const constraints = { ...NOTHING(), ...content.constraints };
      const names = new Set(this.rows.map((row) => row.name));
      const unknown = [...constraints.forbid, ...constraints.keep, ...Object.keys(constraints.bounds)].find((name) => !names.has(name));
      if (unknown !== undefined) throw new Error(`there is no feature ${unknown} here`);
      this.propose(constraints);
    } catch (error) {
      this.tell(`The file cannot be used: ${error.message}.`);
    }
  }

  // Words

  describe() {
    this.question.textContent = isEmpty(this.constraints) ? "All equally good models" : `What if: ${inWords(this.constraints)}`;
    this.undoButton.disabled = !this.undoable.length;
    this.resetButton.disabled = isEmpty(this.constraints);
  }

  summarise() {
    const count = (word) => this.rows.filter((row) => row.now.class === word).length;
    const either = this.rows.filter((row) => row.now.borderline).length;
    this.setStatus(`${this.rows.length} features: ${count("strong")} strong, ${count("weak")} weak, ${count("irrelevant")} irrelevant`
      + (count("forbidden") ? `, ${count("forbidden")} forbidden` : "")
      + (either ? `; ${either} could be either` : ""));
  }

  setStatus(text) {
    this.status.textContent = text;
  }

  tell(text) {
    this.notice.textContent = text;
    this.notice.hidden = false;
  }

  hideNotice() {
    this.notice.hidden = true;
  }

  narrow() {
    const wanted = this.filter.value.trim().toLowerCase();
    for (const row of this.rows) row.node.hidden = !row.name.toLowerCase().includes(wanted);
  }

  // Groups and substitutes

  async select(j) {
    const row = this.rows[j];
    const again = this.selected === j;
    this.selected = again ? null : j;
    this.unlight();
    this.details.replaceChildren();
    if (again) return;
    row.node.classList.add("selected");
    const text = make("p", {}, "Looking for what can take its place …");
    this.details.replaceChildren(make("h2", {}, row.name),
      make("p", {}, `${row.now.class}: ${WORDS[row.now.class]}. Relevance ${shown(row.now.min)} to ${shown(row.now.max)}, `
        + `weight ${shown(row.now.low)} to ${shown(row.now.high)}.`),
      make("p", { class: "hint" }, row.certainty().join("; ")), text);
    await Promise.all([this.showSubstitutes(row, text), this.showGroup(row)]);
  }

  async showSubstitutes(row, text) {
    try {
      const { names, replaceable } = await this.transport.get("substitutes", { feature: row.name });
      if (this.selected !== row.j) return;
      // Stand-ins are those among all models, whatever is forbidden or kept at the moment.
      const scope = isEmpty(this.constraints) ? "" : "Without constraints: ";
      text.textContent = scope + (!replaceable ? "no equally good model does without it."
        : names.length ? `if it is left out, every equally good model uses at least one of ${names.join(", ")}.`
          : "it can be left out, and no single feature has to take its place.");
      for (const other of this.rows) other.node.classList.toggle("substitute", names.includes(other.name));
    } catch (error) {
      text.textContent = `This could not be found out: ${error.message}`;
    }
  }

  async showGroup(row) {
    const text = make("p", {}, "Looking for its group …");
    this.details.append(text);
    try {
      this.groups ??= (await this.transport.get("groups")).labels;
      if (this.selected !== row.j) return;
      const label = this.groups[row.j];
      const group = this.rows.filter((other) => other !== row && label > 0 && this.groups[other.j] === label);
      text.textContent = group.length ? `Same group: ${group.map((other) => other.name).join(", ")}.` : "It has a group of its own.";
      for (const other of group) other.node.classList.add("grouped");
    } catch (error) {
      text.textContent = `Its group could not be found out: ${error.message}`;
    }
  }

  unlight() {
    for (const row of this.rows) row.node.classList.remove("selected", "substitute", "grouped");
  }

  // Costs

  // Groups of columns are paid for once, but have no row of their own.
  explainCosts() {
    const wholes = Object.entries(this.start.groups)
      .filter(([, columns]) => !columns.some((column) => column in this.costs))
      .map(([name]) => `${name} (${round(this.costs[name] ?? 1)})`);
    const once = wholes.length ? ` Paid for once, whichever columns are needed: ${wholes.join(", ")}.` : "";
    this.costHint.textContent = `Type what it costs to measure a feature (1 where empty).${once}`;
  }

  setCost(name, text) {
    const value = Number(text);
    if (text === "" || !(value >= 0)) delete this.costs[name];
    else this.costs[name] = value;
    this.explainCosts();
  }

  async findCheapest() {
    this.cheapest.textContent = "Looking …";
    try {
      const { features, cost, gap } = await this.transport.post("cheapest", { costs: this.costs, constraints: { forbid: this.accepted.forbid } });
      const { forbid, keep, bounds } = this.accepted;
      const scope = (forbid.length ? " without what is forbidden" : "")
        + (keep.length || Object.keys(bounds).length ? " (whatever is kept or bounded)" : "");
      const proven = gap ? ` (at most ${shown(gap)} from the best)` : "";
      this.cheapest.textContent = `${features.length} feature${features.length === 1 ? "" : "s"}, cost ${round(cost)}${proven}${scope}: ${features.join(", ")}`;
      for (const row of this.rows) row.node.classList.toggle("chosen", features.includes(row.name));
    } catch (error) {
      this.cheapest.textContent = `No answer: ${error.message}`;
    }
  }

  // Samples

  async showSamples() {
    this.samples.replaceChildren(make("p", { role: "status" }, "Computing …"));
    try {
      const { rows, n, open } = await this.transport.get("samples");
      const cells = (row) => [row.name, row.labels.join(" or "), `${shown(row.low)} to ${shown(row.high)}`, row.settled ? "settled" : "open"];
      const body = rows.map((row) => make("tr", { class: row.settled ? "settled" : "open" }, ...cells(row).map((text) => make("td", {}, text))));
      const head = make("tr", {}, ...["sample", "label", "decision value", ""].map((text) => make("th", { scope: "col" }, text)));
      const more = rows.length < n ? ` The first ${rows.length} are listed.` : "";
      this.samples.replaceChildren(
        make("p", { role: "status" }, `${open} of ${n} samples depend on which model is used.${more}`),
        make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Samples" },
          make("table", {}, make("thead", {}, head), make("tbody", {}, ...body))));
    } catch (error) {
      this.samples.replaceChildren(make("p", { role: "status" }, `No answer: ${error.message}`));
    }
  }

  // Files

  async report() {
    try {
      const html = await this.transport.post("report", { constraints: this.accepted });
      save(html, "report.html", "text/html");
    } catch (error) {
      this.tell(`No report: ${error.message}`);
    }
  }

  saveSvg() {
    save(this.asSvg(), "relevance.svg", "image/svg+xml");
  }

  async savePng() {
    const image = new Image();
    const address = URL.createObjectURL(new Blob([this.asSvg()], { type: "image/svg+xml" }));
    await new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject, src: address }));
    const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => save(blob, "relevance.png", "image/png"), "image/png");
  }

  // The bars as a picture of its own, in colours for paper.
  asSvg() {
    const left = 240, plot = 600, step = 22, width = left + plot + 20;
    const rows = this.start.order.map((j) => this.rows[j]).filter((row) => !row.node.hidden);
    const heading = isEmpty(this.accepted) ? [] : broken(`What if: ${inWords(this.accepted)}`, 110);
    const top = 34 + 16 * heading.length;
    const bottom = top + step * rows.length;
    const either = rows.some((row) => row.now.borderline);
    const height = bottom + (either ? 80 : 62);
    const at = (value) => left + (plot * (value ?? 0)) / this.scale;
    const write = (x, y, words, more = {}) => draw("text", { x, y, "font-family": "sans-serif", "font-size": 12, fill: "#111", ...more }, words);
    const picture = draw("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` },
      hatching().firstChild, draw("rect", { width: "100%", height: "100%", fill: "#fff" }),
      write(10, 18, this.start.title, { "font-weight": "bold" }), ...heading.map((line, k) => write(10, 36 + 16 * k, line)));
    for (const tick of ticks(this.scale)) {
      picture.append(draw("line", { x1: at(tick), x2: at(tick), y1: top, y2: bottom, stroke: "#ddd" }),
        write(at(tick), bottom + 15, String(round(tick)), { "text-anchor": "middle", fill: "#555" }));
    }
    rows.forEach((row, k) => {
      const y = top + k * step;
      const { now, before } = row;
      const span = (low, high) => ({ x: at(low), width: Math.max(1.5, at(high ?? this.scale) - at(low)) });
      picture.append(
        write(left - 10, y + 14, row.name.length > 34 ? `${row.name.slice(0, 33)}…` : row.name, { "text-anchor": "end" }),
        draw("rect", { ...span(before.min, before.max), y: y + 1, height: 18, fill: "none", stroke: "#999" }),
        draw("rect", { ...span(now.min, now.max), y: y + 4, height: 12, fill: COLORS[now.class], ...(now.borderline ? OPEN : {}) }));
      if (now.borderline) picture.append(write(at(Math.max(now.max ?? 0, before.noise ?? 0)) + 5, y + 14, "?", { "font-weight": "bold" }));
      if (this.start.common_noise === null && before.noise !== null) {
        picture.append(draw("line", { x1: at(before.noise), x2: at(before.noise), y1: y, y2: y + 20, stroke: "#000", "stroke-width": 1.6 }));
      }
      if (now.class === "weak" && !now.borderline) picture.append(draw("rect", { ...span(now.min, now.max), y: y + 4, height: 12, fill: "url(#hatch)" }));
    });
    const noise = this.start.common_noise;
    if (noise !== null) picture.append(draw("line", { x1: at(noise), x2: at(noise), y1: top, y2: bottom, stroke: "#000", "stroke-dasharray": "4 2" }));
    picture.append(write(left, bottom + 33, `relevance, as a share of the model's weight; ${noise === null ? "black tick" : "dashed line"}: what noise reaches; outlined: before`, { fill: "#555" }));
    ["strong", "weak", "irrelevant"].forEach((word, k) => picture.append(
      draw("rect", { x: left + 190 * k, y: bottom + 43, width: 18, height: 11, fill: COLORS[word] }),
      write(left + 190 * k + 24, bottom + 53, `${word}: ${WORDS[word]}`, { fill: "#555" })));
    if (either) {
      picture.append(draw("rect", { x: left, y: bottom + 61, width: 18, height: 11, fill: COLORS.irrelevant, ...OPEN }),
        write(left + 24, bottom + 71, `? ${EITHER}`, { fill: "#555" }));
    }
    return new XMLSerializer().serializeToString(picture);
  }
}

// Round numbers from zero to the end of a scale.
function ticks(scale) {
  const step = [1, 2, 5, 10].map((m) => m * 10 ** Math.floor(Math.log10(scale / 5))).find((s) => s >= scale / 6);
  return Array.from({ length: Math.floor(scale / step) + 1 }, (_, k) => k * step);
}

// Words in lines of a given length.
function broken(text, length) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1).length + word.length > length) lines.push("");
    lines[lines.length - 1] += `${word} `;
  }
  return lines;
}

function hatching() {
  const pattern = draw("pattern", { id: "hatch", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    draw("line", { x1: 0, y1: 0, x2: 0, y2: 7, stroke: "#7A5400", "stroke-width": 1.6 }));
  return draw("svg", { class: "defs", width: 0, height: 0, "aria-hidden": "true" }, draw("defs", {}, pattern));
}

// -- where it lives ----------------------------------------------------------------------------

async function open(root) {
  const transport = new HttpTransport();
  try {
    const name = Math.random().toString(36).slice(2);
    const explorer = new Explorer(root, transport, await transport.get("start", { page: name }), name);
    document.title = explorer.start.title;
    setInterval(() => explorer.watch(), 3000);
    window.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && event.target.tagName !== "INPUT") {
        event.preventDefault();
        explorer.undo();
      }
    });
  } catch (error) {
    root.replaceChildren(make("p", { class: "notice", role: "alert" }, error.message));
  }
}

const page = typeof document === "undefined" ? null : document.querySelector("[data-explorer]");
if (page) open(page);

export default {
  render({ model, el }) {
    el.classList.add("allrelevant-explorer");
    new Explorer(el, new WidgetTransport(model), model.get("start"));
  },
};
