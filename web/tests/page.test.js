import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";
import { asFile, nothing } from "../constraints.js";
import { Explorer } from "../page.js";
import { cellsOf, headOf, listed, samplesInWords } from "../samples.js";
import { Another, Lost } from "../transport.js";
import { FakeNode, install } from "./fake-dom.js";

before(install);
beforeEach(() => mock.timers.reset());

const DONE = [{ kind: "done" }];
const IMPOSSIBLE = [{ kind: "impossible", clash: ["forbid a"] }];
const BROKEN = [{ kind: "bar", j: 0, class: "strong", min: 0.2, max: 0.3 }, { kind: "failed", message: "tired" }];
const without = (...forbid) => ({ ...nothing(), forbid });

function startOf(fingerprint, names = ["a", "b", "c"]) {
  const feature = { class: "weak", borderline: false, min: 0, max: 0.4, low: 0, high: 0.4, noise: 0.1, noise_at: 0.1, p: null, weight: 0.1, columns: [] };
  return {
    tolerance: [0.1, 0.1],
    title: fingerprint, fingerprint, quality: "", costs: {}, samples: true, common_noise: 0.1, noise_label: "noise ends here",
    features: names.map((name) => ({ ...feature, name })), order: names.map((_, j) => j),
  };
}

// A server that answers by rule, and keeps what it was asked.
class FakeServer {
  constructor(answer = () => DONE) {
    Object.assign(this, { answer, asked: [], posted: [], gone: false, start: startOf("old"), labels: [1, 1, 0] });
  }

  async get(name) {
    if (this.gone) throw new Lost("away");
    return { ping: { fingerprint: this.start.fingerprint }, start: this.start, groups: { labels: this.labels }, substitutes: { names: [], replaceable: true } }[name];
  }

  async post(name, body) {
    if (body.fit !== this.start.fingerprint) throw new Another("another fit");
    if (name !== "needed") this.posted.push([name, body]);
    if (name === "needed") return { needed: [0.2, 0, null] };
    if (name === "samples") return { rows: [], n: 9, open: 9 - 3 * body.constraints.forbid.length };
    return this.get(name);
  }

  async stream({ constraints, fit, tolerance }, onEvent, signal) {
    this.tolerance = tolerance;
    if (this.gone) throw new Lost("away");
    if (fit !== this.start.fingerprint) throw new Another("another fit");
    this.asked.push(constraints);
    assert.ok(this.asked.length < 20, "asked for ever");
    await null;
    for (const event of this.answer(constraints, tolerance)) if (!signal.aborted) onEvent(event);
  }
}

function open(server) {
  const titles = [];
  const explorer = new Explorer(new FakeNode("main"), server, server.start, { onload: ({ title }) => titles.push(title) });
  return { explorer, titles };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const forbidden = ({ asked }) => asked.map(({ forbid }) => forbid.join());
const question = (explorer) => explorer.parts.question.textContent;

// Another fit answers after the page has asked something.
async function replaced({ answer, names, asked = [without("a")] }) {
  const server = new FakeServer();
  const { explorer, titles } = open(server);
  for (const constraints of asked) await explorer.propose(constraints);
  server.asked.length = 0;
  server.start = startOf("new", names);
  server.answer = answer;
  return { server, explorer, titles };
}

test("undo goes back, reset to the start", async () => {
  const server = new FakeServer();
  const { explorer } = open(server);
  for (const j of [0, 1]) {
    explorer.toggle("forbid", j);
    await settle();
  }
  assert.equal(question(explorer), "What if: without a, b");
  explorer.undo();
  await settle();
  assert.equal(question(explorer), "What if: without a");
  explorer.reset();
  await settle();
  explorer.undo();
  await settle();
  assert.deepEqual(forbidden(server), ["a", "a,b", "a", "", "a"]);
});

test("the impossible changes nothing", async () => {
  const server = new FakeServer(({ forbid }) => (forbid.includes("a") ? IMPOSSIBLE : DONE));
  const { explorer } = open(server);
  await explorer.propose(without("b"));
  await explorer.propose(without("b", "a"));
  await settle();
  assert.deepEqual(forbidden(server), ["b", "b,a", "b"]);
  assert.equal(question(explorer), "What if: without b");
  assert.match(explorer.parts.notice.textContent, /^Impossible: .*Nothing was changed/);
  assert.ok(!explorer.root.hasAttribute("aria-busy"));
});

test("while a handle is dragged the impossible is only said", async () => {
  const server = new FakeServer(() => IMPOSSIBLE);
  const { explorer } = open(server);
  await explorer.propose(without("a"), { final: false });
  assert.deepEqual(forbidden(server), ["a"]);
  assert.ok(explorer.history.isEmpty);
  assert.ok(!explorer.parts.notice.hidden);
});

test("a newer question ends the older", async () => {
  const server = new FakeServer();
  const { explorer } = open(server);
  const older = explorer.propose(without("a"));
  await explorer.propose(without("b"));
  await older;
  assert.deepEqual(explorer.history.accepted, without("b"));
  assert.deepEqual(explorer.history.steps, [nothing()]);
});

test("an answer that breaks off takes its step back with it", async () => {
  const server = new FakeServer(({ forbid }) => (forbid.includes("b") ? BROKEN : DONE));
  const { explorer } = open(server);
  await explorer.propose(without("a"));
  await explorer.propose(without("a", "b"));
  await settle();
  assert.deepEqual(forbidden(server), ["a", "a,b", "a"]);
  assert.deepEqual(explorer.history.steps, [nothing()]);
});

test("where nothing can be computed any more the page ends up without constraints", async () => {
  const server = new FakeServer();
  const { explorer } = open(server);
  for (const names of [["a"], ["a", "b"], ["a", "b", "c"]]) await explorer.propose(without(...names));
  server.answer = () => BROKEN;
  await explorer.propose(without("c"));
  await settle();
  assert.deepEqual(forbidden(server).slice(3), ["c", "a,b,c"]);
  assert.equal(question(explorer), "All equally good models");
  assert.equal(explorer.rows[0].now.class, "weak", "the bars are the fit's");
  assert.match(explorer.parts.notice.textContent, /\(without a, b, c\) could not be computed, so it was dropped. tired$/);
});

test("a fit that cannot even be shown is asked once", async () => {
  const server = new FakeServer(() => BROKEN);
  const { explorer } = open(server);
  await explorer.propose(nothing(), { undoing: true });
  await settle();
  assert.equal(server.asked.length, 1);
  assert.match(explorer.parts.notice.textContent, /nothing was changed. tired$/);
});

test("a lost server is tried again, with what was asked last", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const server = new FakeServer();
  const { explorer } = open(server);
  await explorer.propose(without("a"));
  server.gone = true;
  await explorer.propose(without("a", "b"));
  assert.ok(explorer.root.classList.contains("offline"));
  mock.timers.tick(700);
  await settle();
  server.gone = false;
  mock.timers.tick(700);
  await settle();
  assert.deepEqual(forbidden(server), ["a", "a,b"]);
  assert.ok(!explorer.root.classList.contains("offline"));
});

test("another fit is asked once, and what it refuses is dropped", async () => {
  for (const answer of [() => IMPOSSIBLE, () => BROKEN, () => { throw new Error("no such thing"); }]) {
    const { server, explorer } = await replaced({ answer });
    await explorer.connection.watch();
    await settle();
    assert.deepEqual(forbidden(server), ["a"]);
    assert.match(explorer.parts.notice.textContent, /^Another fit answers now. .*\(without a\).* so it was dropped/);
    assert.equal(question(explorer), "All equally good models");
    assert.ok(!explorer.root.hasAttribute("aria-busy"));
    assert.ok(explorer.rows.every((row) => !row.node.classList.contains("stale") && row.now.class === "weak"));
  }
});

test("what another fit does not know is not asked of it", async () => {
  const bounds = { a: [0.1, null], c: [0, 0.2] };
  const asked = [{ forbid: ["b"], keep: [], bounds }];
  const { server, explorer } = await replaced({ answer: () => DONE, names: ["c", "d"], asked });
  await explorer.connection.reconnect();
  assert.deepEqual(server.asked, [{ forbid: [], keep: [], bounds: { c: [0, 0.2] } }]);
  assert.equal(explorer.parts.notice.textContent, "Another fit answers now. It does not know b, a: what was asked of them was dropped.");
  assert.ok(!explorer.parts.notice.hidden);
});

test("nothing of a fit outlives it", async () => {
  const { server, explorer, titles } = await replaced({ answer: () => DONE, asked: [without("a"), without("a", "b")] });
  const { start } = server;
  server.start = startOf("old");
  await explorer.select(1);
  server.start = start;
  assert.deepEqual(explorer.details.groups, [1, 1, 0]);
  explorer.setCost("c", "3");
  const old = explorer.rows[0];
  server.labels = [2, 0, 2];
  await explorer.connection.watch();
  assert.deepEqual(titles, ["old", "new"]);
  assert.ok(explorer.history.isEmpty);
  assert.ok(explorer.parts.undo.disabled);
  assert.deepEqual(explorer.history.accepted, without("a", "b"), "what it can do goes on");
  assert.deepEqual(explorer.costs.values, {});
  assert.equal(explorer.details.selected, null);
  await explorer.select(2);
  assert.deepEqual(explorer.details.groups, [2, 0, 2]);
  assert.ok(explorer.rows[0].node.classList.contains("grouped"));
  old.move("low", 0.2, true);
  assert.equal(server.asked.length, 1, "a drag on the old fit's bar is over");
});

test("an answer about the old fit that comes late changes nothing", async () => {
  const { server, explorer } = await replaced({ answer: () => DONE });
  let answer;
  server.post = (name) => (name === "groups" ? new Promise((resolve) => (answer = resolve)) : server.get(name));
  const late = explorer.select(0);
  await explorer.connection.watch();
  answer({ labels: [1, 1, 1] });
  await late;
  assert.equal(explorer.details.groups, null);
  assert.ok(explorer.rows.every((row) => !row.node.classList.contains("grouped")));
});

test("a fit of the same size that has taken the place of another never mixes with it", async () => {
  const bars = [0, 1, 2].map((j) => ({ kind: "bar", j, class: "strong", min: 0.9, max: 1 }));
  const { server, explorer, titles } = await replaced({ answer: () => [...bars, ...DONE] });
  const old = explorer.rows;
  const seen = old.map((row) => row.now.max);
  explorer.toggle("forbid", 1);
  await settle();
  await settle();
  assert.deepEqual(old.map((row) => row.now.max), seen, "no bar of the new fit on the old page");
  assert.deepEqual(titles, ["old", "new"]);
  assert.deepEqual(forbidden(server), ["a"], "what was accepted last is asked of the new one, once");
  assert.ok(explorer.rows.every((row) => row.now.max === 1));
});

test("other questions notice another fit, too", async () => {
  const { explorer, titles } = await replaced({ answer: () => DONE });
  await explorer.select(0);
  await settle();
  assert.deepEqual(titles, ["old", "new"]);
  assert.equal(explorer.details.selected, null);
});

const samplesOf = (explorer) => explorer.samples.answer.children[0].textContent;

test("samples are those of the models that obey, and follow what is asked", async () => {
  const server = new FakeServer();
  const { explorer } = open(server);
  await explorer.propose(without("a"));
  assert.equal(server.posted.length, 0, "nobody wanted to see them");
  await explorer.samples.show();
  assert.equal(samplesOf(explorer), "6 of 9 samples depend on which model is used (without a). 0 are listed, these first.");
  await explorer.propose(without("a", "b"));
  await settle();
  assert.equal(samplesOf(explorer), "3 of 9 samples depend on which model is used (without a, b). 0 are listed, these first.");
  explorer.reset();
  await settle();
  assert.equal(samplesOf(explorer), "9 of 9 samples depend on which model is used. 0 are listed, these first.");
  assert.deepEqual(server.posted.map(([, { constraints }]) => constraints.forbid.length), [1, 2, 0]);
});

test("samples are asked about some at a time, and those that are open come first", async () => {
  const server = new FakeServer();
  server.post = async (name, body) => {
    if (name !== "samples") return { needed: [] };
    server.posted.push(body);
    const rows = Array.from({ length: Math.min(body.count, 130 - body.first) }, (_, k) => {
      const at = body.first + k;
      return { name: `${at}`, labels: ["a"], low: 0, high: 1, settled: at !== 120 };
    });
    return { rows, n: 130, open: rows.filter((row) => !row.settled).length };
  };
  const { explorer } = open(server);
  await explorer.samples.show();
  assert.deepEqual(server.posted.map(({ first, count }) => [first, count]), [[0, 50], [50, 100]]);
  assert.equal(samplesOf(explorer), "1 of 130 samples depend on which model is used.");
  const many = Array.from({ length: 600 }, (_, at) => ({ name: at, labels: ["a"], settled: at !== 599 }));
  assert.deepEqual(listed(many).slice(0, 2).map(({ name }) => name), [599, 0]);
  assert.equal(listed(many).length, 500);
});

test("samples of numbers have no labels, and those that models differ on most come first", () => {
  const rows = [[1, 2], [1, 4], [0, 2]].map(([low, high], at) => ({ name: `${at}`, labels: [], low, high, settled: true }));
  assert.deepEqual(listed(rows).map(({ name }) => name), ["1", "2", "0"]);
  assert.deepEqual(headOf(rows), ["sample", "prediction"]);
  assert.deepEqual(cellsOf(rows[1]), ["1", "1.000 to 4.000"]);
  const said = "From the lowest to the highest prediction for 3 samples (without a), those first on which models differ most.";
  assert.equal(samplesInWords({ rows, n: 3, open: 0 }, without("a")), said);
  assert.equal(samplesInWords({ rows, n: 9, open: 0 }, nothing()).slice(-14), "3 are listed.".padStart(14));
});

test("what is said of the selected feature follows what is asked", async () => {
  const bar = { kind: "bar", j: 0, class: "strong", min: 0.2, max: 0.3, low: 0.2, high: 0.3 };
  const { explorer } = open(new FakeServer(() => [bar, ...DONE]));
  await explorer.select(0);
  const said = () => explorer.details.about.children[0].textContent;
  assert.equal(said(), "weak: can be used. Relevance 0.000 to 0.400, weight 0.000 to 0.400.");
  assert.match(explorer.details.first.textContent, /^It can be left out/);
  await explorer.propose(without("b"));
  await settle();
  assert.equal(said(), "strong: no good model does without it. Relevance 0.200 to 0.300, weight 0.200 to 0.300.");
  assert.match(explorer.details.first.textContent, /^It can be left out, .* \(without b\)\.$/);
});

test("costs that were shared come back when the file is opened", async () => {
  const { explorer } = open(new FakeServer());
  explorer.setCost("c", "7");
  const text = asFile(without("a"), "title", { b: 2.5 });
  await explorer.files.open({ files: [{ text: async () => text }] });
  await settle();
  assert.deepEqual(explorer.costs.values, { b: 2.5 });
  assert.deepEqual(explorer.rows.map((row) => row.cost.value), ["", 2.5, ""]);
  assert.equal(question(explorer), "What if: without a");
});

test("a bar that the page does not have is another fit's", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const server = new FakeServer(() => [{ kind: "bar", j: 7 }]);
  const { explorer } = open(server);
  await explorer.propose(without("a"));
  assert.ok(explorer.root.classList.contains("offline"), "reconnecting will find out");
});

test("the same fit is not loaded again", async () => {
  const server = new FakeServer();
  const { explorer, titles } = open(server);
  await explorer.connection.watch();
  assert.deepEqual(titles, ["old"]);
  assert.equal(server.asked.length, 0);
});

test("another tolerance is asked for, and taken back where it is impossible", async () => {
  const server = new FakeServer((constraints, tolerance) =>
    tolerance < 0.5 && constraints.forbid.length ? IMPOSSIBLE : DONE);
  const { explorer } = open(server);
  explorer.toggle("forbid", 0);
  await settle();
  explorer.tolerance.slider.value = "0.25";
  explorer.tolerance.slider.fire("change");
  await settle();
  assert.equal(explorer.tolerance.factor, 1);
  assert.equal(server.tolerance, 1);
  assert.equal(question(explorer), "What if: without a");
  assert.match(explorer.parts.notice.textContent, /at 0.25 times/);
  explorer.tolerance.slider.value = "1.5";
  explorer.tolerance.slider.fire("change");
  await settle();
  assert.equal(server.tolerance, 1.5);
  assert.equal(question(explorer), "What if: without a at 1.5 times the tolerance");
  explorer.reset();
  await settle();
  assert.equal(question(explorer), "All equally good models");
});

test("a tolerance that cannot be computed ends at that of the fit", async () => {
  const server = new FakeServer((_, tolerance) => (tolerance === 1 ? DONE : [{ kind: "failed", message: "tired" }]));
  const { explorer } = open(server);
  explorer.tolerance.show(0.5);
  explorer.askAgain(0.75);
  await settle();
  await settle();
  assert.equal(explorer.tolerance.factor, 1);
  assert.equal(explorer.rows[0].needed.textContent, "to 0.2");
});

test("rows that come into the list later are asked for then, and only once", async () => {
  const names = Array.from({ length: 50 }, (_, j) => `x${j}`);
  const server = new FakeServer();
  server.start = startOf("old", names);
  server.start.features.forEach((feature, j) => (feature.class = j < 3 ? "weak" : "irrelevant"));
  const orders = [];
  const answer = server.stream.bind(server);
  server.stream = (body, ...rest) => {
    orders.push(body.order.length);
    server.answer = () => [...body.order.map((j) => ({ kind: "bar", j, class: "weak", min: 0, max: 0.2 })), ...DONE];
    return answer(body, ...rest);
  };
  const { explorer } = open(server);
  explorer.toggle("forbid", 0);
  await settle();
  explorer.listing.fold.fire("click");
  await settle();
  assert.deepEqual(orders, [3, 47]);
  assert.ok(explorer.rows.every((row) => !row.marks.has("stale")));
  explorer.listing.fold.fire("click");
  explorer.listing.fold.fire("click");
  await settle();
  assert.deepEqual(orders, [3, 47]);
});
