// As much of a browser as the script needs to be watched without one.

class ClassList {
  #names = new Set();

  constructor(node) {
    this.node = node;
  }

  set(text) {
    this.#names = new Set(String(text).split(" ").filter(Boolean));
  }

  add(...names) {
    for (const name of names) this.#names.add(name);
  }

  remove(...names) {
    for (const name of names) this.#names.delete(name);
  }

  toggle(name, on) {
    if (on) this.add(name);
    else this.remove(name);
  }

  contains(name) {
    return this.#names.has(name);
  }
}

export class FakeNode {
  constructor(tag) {
    this.tag = tag;
    this.attributes = {};
    this.children = [];
    this.listeners = {};
    this.classList = new ClassList(this);
    this.hidden = false;
    this.value = "";
    this.style = { setProperty() {} };
  }

  get firstChild() {
    return this.children[0] ?? null;
  }

  get textContent() {
    return this.children.map((child) => (child instanceof FakeNode ? child.textContent : child)).join("");
  }

  set textContent(text) {
    this.children = [text];
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  setAttribute(key, value) {
    this.attributes[key] = String(value);
    if (key === "class") this.classList.set(value);
    if (key === "hidden") this.hidden = true;
  }

  removeAttribute(key) {
    delete this.attributes[key];
  }

  hasAttribute(key) {
    return key in this.attributes;
  }

  addEventListener(kind, listener) {
    (this.listeners[kind] ??= new Set()).add(listener);
  }

  removeEventListener(kind, listener) {
    this.listeners[kind]?.delete(listener);
  }

  fire(kind, event = {}) {
    for (const listener of [...(this.listeners[kind] ?? [])]) {
      listener({ currentTarget: this, preventDefault() {}, ...event });
    }
  }

  getBoundingClientRect() {
    return { left: 0, width: 200, top: 0, bottom: 20, height: 20 };
  }

  focus() {}

  setPointerCapture() {}
}

// Frames are drawn when the test says so.
export const frames = [];

export function install() {
  globalThis.document = {
    createElement: (tag) => new FakeNode(tag),
    createElementNS: (_, tag) => new FakeNode(tag),
  };
  globalThis.window = { innerHeight: 800 };
  globalThis.requestAnimationFrame = (draw) => frames.push(draw);
  globalThis.cancelAnimationFrame = (id) => {
    frames[id - 1] = () => {};
  };
}

export function drawFrames() {
  while (frames.length) frames.shift()();
}
