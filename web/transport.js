// How questions reach whoever answers them: HTTP with server-sent events on the page, messages of
// the widget in a notebook. Both can `get`, `post` and `stream`.

// Nobody answers; it is worth trying again.
export class Lost extends Error {}

// Another fit answers now; what was asked was of the one before.
export class Another extends Error {}

// We are not welcome; trying again would not help.
export class Refused extends Error {}

const aborted = () => new DOMException("", "AbortError");

export class HttpTransport {
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
}

function requestOf(body, signal) {
  if (body === undefined) return { signal };
  const headers = { "Content-Type": "application/json" };
  return { signal, method: "POST", body: JSON.stringify(body), headers };
}

// Server-sent events of a body, which may be cut anywhere on its way.
export async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) yield JSON.parse(part.slice("data: ".length));
  }
}

export class WidgetTransport {
  constructor(model) {
    this.model = model;
    this.next = 0;
    this.waiting = new Map();
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
    // A notebook may show the widget several times, and all of them hear all answers.
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
}
