// The explorer: it holds what is asked, and brings it along with every question, so the server
// needs no memory of the page.

import { copy, isEmpty, nothing, toggled } from "./constraints.js";
import { Costs } from "./costs.js";
import { Details } from "./details.js";
import { Files } from "./files.js";
import { History } from "./history.js";
import { layOut } from "./layout.js";
import { scaleOf } from "./picture.js";
import { Row } from "./rows.js";
import { Samples } from "./samples.js";
import { Lost, Refused } from "./transport.js";
import { inWords, refusal, summary } from "./words.js";

const PATIENCE = 700; // milliseconds until a lost server is tried again

export class Explorer {
  constructor(root, transport, start, page = "") {
    this.root = root;
    this.transport = transport;
    this.page = page; // lets the server keep a solver warm for us
    this.constraints = nothing(); // what the handles show
    this.history = new History();
    this.load(start);
  }

  load(start) {
    this.start = start;
    this.scale = scaleOf(start.features);
    this.rows = start.features.map((feature, j) => new Row(this, j, feature));
    this.details = new Details(this);
    this.costs = new Costs(this);
    this.samples = new Samples(this.transport);
    this.files = new Files(this);
    this.parts = layOut(this);
    this.describe();
    this.summarise();
  }

  // Asking

  propose(constraints, { final = true, first = null, by = null, undoing = false } = {}) {
    this.constraints = constraints;
    for (const row of this.rows) row.update();
    this.describe();
    this.parts.notice.hidden = true;
    this.running?.abort();
    const running = (this.running = new AbortController());
    for (const row of this.rows) row.node.classList.add("stale");
    this.setStatus("Computing …");
    this.root.setAttribute("aria-busy", "true");
    let waiting = true;
    const onEvent = (event) => {
      if (running.signal.aborted) return;
      if (event.kind === "impossible" || event.kind === "failed") {
        if (final) this.refuse(event);
        else this.warn();
        return;
      }
      if (waiting && final) this.accept(constraints, { by, undoing });
      waiting = false;
      if (event.kind === "bar") this.rows[event.j].show(event);
      if (event.kind === "done") this.finish();
    };
    const body = { constraints, order: this.wanted(first), page: this.page };
    return this.transport.stream(body, onEvent, running.signal).catch((error) => this.fail(error, running));
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

  accept(constraints, how) {
    this.history.accept(constraints, how);
    this.describe();
  }

  finish() {
    this.root.removeAttribute("aria-busy");
    this.online();
    this.summarise();
  }

  refuse(event) {
    const text = refusal(event, this.constraints);
    // Bars may have moved during a drag, so the last possible answer is asked for again.
    this.propose(copy(this.history.accepted), { undoing: true });
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

  // What people do

  toggle(word, j) {
    this.propose(toggled(this.constraints, word, this.rows[j].name), { first: j });
  }

  undo() {
    if (!this.history.isEmpty) this.propose(this.history.back(), { undoing: true });
  }

  reset() {
    if (!isEmpty(this.constraints)) this.propose(nothing());
  }

  select(j) {
    return this.details.select(j);
  }

  setCost(name, text) {
    this.costs.set(name, text);
  }

  narrow(text) {
    const wanted = text.trim().toLowerCase();
    for (const row of this.rows) row.node.hidden = !row.name.toLowerCase().includes(wanted);
  }

  // Connection

  offline() {
    this.root.classList.add("offline");
    this.setStatus("The connection to the explorer is lost. Trying again …");
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.reconnect(), PATIENCE);
  }

  online() {
    this.root.classList.remove("offline");
    clearTimeout(this.retry);
  }

  async reconnect() {
    try {
      const { fingerprint } = await this.transport.get("ping");
      if (fingerprint !== this.start.fingerprint) {
        const constraints = this.history.accepted;
        this.load(await this.transport.get("start", { page: this.page }));
        this.constraints = constraints;
      }
      this.online();
      await this.propose(this.constraints, { undoing: true });
    } catch (error) {
      this.complain(error);
    }
  }

  async watch() {
    if (this.root.classList.contains("offline") || this.root.hasAttribute("aria-busy")) return;
    try {
      await this.transport.get("ping");
    } catch (error) {
      this.complain(error);
    }
  }

  complain(error) {
    if (error instanceof Lost) this.offline();
    else this.setStatus(error.message);
  }

  // Words

  describe() {
    const { question, undo, reset } = this.parts;
    const empty = isEmpty(this.constraints);
    question.textContent = empty ? "All equally good models" : `What if: ${inWords(this.constraints)}`;
    undo.disabled = this.history.isEmpty;
    reset.disabled = empty;
  }

  summarise() {
    this.setStatus(summary(this.rows.map((row) => row.now)));
  }

  setStatus(text) {
    this.parts.status.textContent = text;
  }

  tell(text) {
    this.parts.notice.textContent = text;
    this.parts.notice.hidden = false;
  }
}
