// Elements in few words.

export const SVG = "http://www.w3.org/2000/svg";

export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

export function button(text, action, attributes = {}) {
  return make("button", { type: "button", onclick: action, ...attributes }, text);
}

// Attributes that begin with "on" are listeners; false and nothing take an attribute away.
export function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === false || value === null || value === undefined) node.removeAttribute(key);
    else node.setAttribute(key, value === true ? "" : value);
  }
}

function filled(node, attributes, children) {
  set(node, attributes);
  node.append(...children);
  return node;
}

// The seconds that something has taken, where that is long; it ends when it is taken away. Who hears
// the page is not told every second.
export function elapsed() {
  const node = make("span", { class: "elapsed", "aria-hidden": "true" });
  const begun = Date.now();
  const timer = setInterval(() => {
    if (!node.isConnected) clearInterval(timer);
    else node.textContent = ` ${Math.round((Date.now() - begun) / 1000)} s`;
  }, 1000);
  timer.unref?.(); // where there is no page, nothing waits for it
  return node;
}

// Give a file to the person at the page.
export function save(content, name, kind) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: kind });
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  // The browser reads it after the click, and does not say when it is through.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
