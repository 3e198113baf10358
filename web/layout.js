// Where things are on the page.

import { button, make } from "./dom.js";
import { axis, hatching } from "./picture.js";
import { BOUND, EITHER, EXPLAINS, isStarred, WORDS } from "./words.js";

// Fill the root, and give the parts whose content changes.
export function layOut(explorer) {
  const { start, rows, scale, root, details, costs, samples, tolerance, listing } = explorer;
  const parts = {
    status: make("p", { class: "status", role: "status", "aria-live": "polite" }),
    notice: make("p", { class: "notice", role: "alert", hidden: true }),
    question: make("p", { class: "question" }),
    undo: button("Undo", () => explorer.undo(), { class: "undo", disabled: true }),
    reset: button("Reset", () => explorer.reset(), { class: "reset", disabled: true }),
  };
  const aside = make("aside", {}, tolerance.hint, details.node, costs.node);
  if (start.samples) aside.append(samples.node);
  const top = make("div", { class: "top" }, toolbar(explorer, parts),
    make("div", { class: "asked" }, parts.question, parts.status), parts.notice);
  const key = make("div", { class: "key-and-axis" }, legend(explorer), axis(scale));
  // By keyboard what is beside a long list would be hundreds of stops away.
  const skip = button("Skip the list", () => aside.querySelector("button").focus(), { class: "skip" });
  root.replaceChildren(hatching(), header(start), top,
    make("div", { class: "columns" }, make("div", { class: "chart" }, skip, key, listing.node), aside));
  // Names get the room they need, while there is any.
  root.style.setProperty("--names", `${Math.max(...rows.map((row) => row.name.length)) * 0.6 + 1.6}em`);
  stick(root, top, key);
  return parts;
}

// What stays in view is as high as it happens to be, and what is below begins there.
function stick(root, top, key) {
  if (typeof ResizeObserver === "undefined") return;
  const observer = new ResizeObserver(() => {
    root.style.setProperty("--top", `${top.offsetHeight}px`);
    root.style.setProperty("--key", `${key.offsetHeight}px`);
  });
  observer.observe(top);
  observer.observe(key);
}

function header({ title, quality, warnings = [], features }) {
  const lead = "Drag the ends of a bar, or forbid or keep a feature: all other bars move to what equally good models can still do.";
  return make("header", {}, make("h1", {}, title),
    make("p", { class: "lead" }, lead, quality ? ` Best simple model: ${quality}.` : ""), ...remarks(warnings, features));
}

// What the fit warns of. Where it is the whole answer nobody has to open it.
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
    type: "file", accept: ".json,application/json", hidden: true,
    onchange: () => files.open(opener),
  });
  return make("div", { class: "toolbar", role: "toolbar", "aria-label": "Tools" }, undo, reset, listing.search, listing.kinds, listing.sorts, explorer.tolerance.node,
    button("Share", () => files.share(), { class: "share", title: "Save the constraints as a file" }),
    button("Open", () => opener.click(), { title: "Open a file with constraints" }), opener,
    button("Report", () => files.report(), { class: "report" }),
    button("SVG", () => files.svg(), { class: "svg" }), button("PNG", () => files.png(), { class: "png" }));
}

function legend({ start, rows, tolerance }) {
  const kinds = ["strong", "weak", "irrelevant"]
    .map((word) => make("span", { class: `kind ${word}` }, word, make("span", { class: "meaning" }, `: ${WORDS[word]}`)));
  if (rows.some((row) => row.before.borderline)) {
    kinds.push(make("span", { class: "kind either", title: EITHER }, "? could be either"));
  }
  if (rows.some((row) => row.before.bound)) {
    kinds.push(make("span", { class: "kind plain", title: BOUND }, "≤ a bound"));
  }
  if (rows.some((row) => isStarred(row.before, row.before))) {
    kinds.push(make("span", { class: "kind plain", title: EXPLAINS }, "∗ passes the conditional test"));
  }
  return make("p", { class: "legend" }, ...kinds, make("span", {}, `┊ ${start.noise_label}`),
    make("span", {}, "◇ one fitted model"), make("span", { class: "past-key" }, "▭ before"),
    make("span", { class: "needed-key" }, tolerance.legend));
}
