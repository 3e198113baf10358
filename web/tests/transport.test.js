import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Another, eventsOf, HttpTransport, Lost, Refused, WidgetTransport } from "../transport.js";

const genuine = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = genuine;
});

// Answer requests by a function, and keep what was sent.
function serve(answer) {
  const sent = [];
  globalThis.fetch = async (address, request) => {
    sent.push({ address, ...request });
    return answer(address, request);
  };
  return sent;
}

function bodyOf(...chunks) {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      controller.close();
    },
  });
}

async function all(events) {
  const found = [];
  for await (const event of events) found.push(event);
  return found;
}

const json = (content, init) => new Response(JSON.stringify(content), { headers: { "content-type": "application/json" }, ...init });

test("events are put together wherever they were cut", async () => {
  const whole = 'data: {"kind":"bar","j":1}\n\ndata: {"kind":"done"}\n\n';
  for (let k = 0; k <= whole.length; k += 1) {
    const found = await all(eventsOf(bodyOf(whole.slice(0, k), whole.slice(k))));
    assert.deepEqual(found, [{ kind: "bar", j: 1 }, { kind: "done" }]);
  }
});

test("letters of several bytes may be cut, too", async () => {
  const bytes = new TextEncoder().encode('data: {"name":"größe"}\n\n');
  const found = await all(eventsOf(bodyOf(bytes.slice(0, 18), bytes.slice(18))));
  assert.deepEqual(found, [{ name: "größe" }]);
});

test("get puts parameters into the address", async () => {
  const sent = serve(() => json({ names: [] }));
  await new HttpTransport().get("substitutes", { feature: "a & b" });
  await new HttpTransport().get("ping");
  assert.deepEqual(sent.map(({ address }) => address), ["api/substitutes?feature=a+%26+b", "api/ping"]);
  assert.equal(sent[0].method, undefined);
});

test("post sends JSON, and gives what comes back as what it is", async () => {
  const sent = serve((address) => (address === "api/report" ? new Response("<html>") : json({ cost: 1 })));
  assert.equal(await new HttpTransport().post("report", { constraints: {} }), "<html>");
  assert.deepEqual(await new HttpTransport().post("cheapest", {}), { cost: 1 });
  assert.equal(sent[0].method, "POST");
  assert.equal(sent[0].headers["Content-Type"], "application/json");
  assert.equal(sent[0].body, '{"constraints":{}}');
});

test("a server that cannot be reached is lost", async () => {
  serve(() => {
    throw new TypeError("no network");
  });
  await assert.rejects(new HttpTransport().get("ping"), Lost);
});

test("an address that is not ours any more is refused", async () => {
  for (const status of [403, 421]) {
    serve(() => new Response("", { status }));
    await assert.rejects(new HttpTransport().get("ping"), Refused);
  }
});

test("another fit is told from a question that makes no sense", async () => {
  serve(() => json({ error: "another fit answers now." }, { status: 409 }));
  await assert.rejects(new HttpTransport().post("groups", {}), Another);
});

test("what the server complains about is said", async () => {
  serve(() => json({ error: "there is no feature 'x'" }, { status: 400 }));
  await assert.rejects(new HttpTransport().get("substitutes"), { message: "there is no feature 'x'" });
  serve(() => new Response("oh", { status: 500 }));
  await assert.rejects(new HttpTransport().get("substitutes"), { message: "the server answered 500" });
});

test("a stream gives events as they come", async () => {
  serve(() => new Response(bodyOf('data: {"kind":"bar"}\n\n', 'data: {"kind":"done"}\n\n')));
  const seen = [];
  await new HttpTransport().stream({}, (event) => seen.push(event.kind), new AbortController().signal);
  assert.deepEqual(seen, ["bar", "done"]);
});

test("a stream that ends before it is done is lost", async () => {
  serve(() => new Response(bodyOf('data: {"kind":"bar"}\n\n')));
  await assert.rejects(new HttpTransport().stream({}, () => {}, new AbortController().signal), Lost);
});

test("a stream that was given up is not lost", async () => {
  const running = new AbortController();
  serve((_, { signal }) => new Response(new ReadableStream({
    start: (controller) => signal.addEventListener("abort", () => controller.error(new Error("cut"))),
  })));
  const asking = new HttpTransport().stream({}, () => {}, running.signal);
  setImmediate(() => running.abort());
  await assert.rejects(asking, { name: "AbortError" });
});

// A notebook's model that keeps what it was sent.
function model() {
  const sent = [];
  let tell;
  return {
    sent,
    on: (_, listener) => (tell = listener),
    send: (message) => sent.push(message),
    reply: (k, what) => tell({ id: sent[k].id, ...what }),
  };
}

test("the widget tells answers of several questions apart", async () => {
  const kernel = model();
  const transport = new WidgetTransport(kernel);
  const asked = [transport.get("groups"), transport.post("cheapest", { costs: {} })];
  kernel.reply(1, { answer: "second" });
  kernel.reply(0, { answer: "first" });
  assert.deepEqual(await Promise.all(asked), ["first", "second"]);
  assert.deepEqual(kernel.sent.map(({ name, body }) => [name, body]), [["groups", {}], ["cheapest", { costs: {} }]]);
  assert.equal(transport.waiting.size, 0);
});

test("the widget hears events, errors, and nothing after giving up", async () => {
  const kernel = model();
  const transport = new WidgetTransport(kernel);
  const seen = [];
  const asking = transport.stream({}, (event) => seen.push(event), new AbortController().signal);
  kernel.reply(0, { event: 1 });
  kernel.reply(0, { error: "tired" });
  await assert.rejects(asking, { message: "tired" });
  const running = new AbortController();
  const given = transport.stream({}, (event) => seen.push(event), running.signal);
  running.abort();
  kernel.reply(1, { event: 2 });
  await assert.rejects(given, { name: "AbortError" });
  assert.deepEqual(seen, [1]);
  assert.deepEqual(kernel.sent.at(-1), { id: kernel.sent[1].id, name: "cancel" });
});
