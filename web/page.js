// The explorer: it holds what is asked, and brings it along with every question, so the server
// needs no memory of the page.

import { Connection } from "./connection.js";
import { copy, isEmpty, nothing, same, toggled } from "./constraints.js";
import { Costs } from "./costs.js";
import { Details } from "./details.js";
import { Files } from "./files.js";
import { History } from "./history.js";
import { layOut } from "./layout.js";
import { Listing } from "./listing.js";
import { scaleOf } from "./picture.js";
import { Row } from "./rows.js";
import { Samples } from "./samples.js";
import { Tolerance } from "./tolerance.js";
import { Another, Lost, Refused } from "./transport.js";
import { asked, dropped, refusal, renewed, summary, tooNarrow } from "./words.js";

export class Explorer {
  constructor(root, transport, start, { page = "", onload = () => {} } = {}) {
    this.root = root;
    this.transport = transport;
    this.page = page; // lets the server keep a solver warm for us
    this.onload = onload;
    this.connection = new Connection(this);
    this.load(start);
  }

  // Everything that belongs to a fit is made here, so that nothing of it outlives the fit.
  load(start) {
    this.running?.abort();
    this.start = start;
    this.constraints = nothing(); // what the handles show
    this.wantedNow = new Set(); // rows that were asked for
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
    const running = (this.running = new AbortController());
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
    return this.transport.stream(this.body(order), onEvent, running.signal)
      .catch((error) => this.fail(error, running, how));
  }

  // Rows that are not in the list are not asked for: what is irrelevant and folded away stays
  // irrelevant whatever is asked, since constraints only take models away.
  body(order) {
    const { constraints, page, start, tolerance } = this;
    return { constraints, order, only: true, page, fit: start.fingerprint, tolerance: tolerance.factor };
  }

  // Rows that have come into the list after the question was asked.
  fill(shown) {
    const missing = shown.filter((row) => row.marks.has("stale") && !this.wantedNow.has(row.j)).map((row) => row.j);
    if (!missing.length || this.root.hasAttribute("aria-busy")) return;
    for (const j of missing) this.wantedNow.add(j); // nobody is asked for twice
    const running = (this.running = new AbortController());
    this.root.setAttribute("aria-busy", "true");
    const onEvent = (event) => {
      if (running.signal.aborted) return;
      if (event.kind === "bar") this.show(event);
      else if (event.kind === "done") this.finish();
      else this.refuse(event, { undoing: true });
    };
    this.transport.stream(this.body(missing), onEvent, running.signal)
      .catch((error) => this.fail(error, running, { undoing: true }));
  }

  show(event) {
    const row = this.rows[event.j];
    if (!row) throw new Lost("another fit answers"); // reconnecting finds out which
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
    if (before !== null || (isEmpty(constraints) && tolerance.isElsewhere)) {
      const text = tooNarrow(event, tolerance.factor);
      tolerance.show(before ?? 1);
      this.goBack(copy(history.accepted));
      this.tell(text);
      return;
    }
    const again = same(constraints, history.accepted);
    if (again && undoing) history.drop();
    else if (again) history.withdraw(); // it broke off after its first bars
    const isOld = unknown !== null || (again && undoing && !isEmpty(constraints));
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
    this.root.classList.toggle("asks", !empty || isElsewhere); // else there is no before to draw
    this.root.classList.toggle("constrained", !empty); // tolerances up to which features are needed are those of all models
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
}
