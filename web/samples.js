// Whose prediction depends on which of the equally good models is used.

import { copy, isEmpty, same } from "./constraints.js";
import { button, elapsed, make } from "./dom.js";
import { inWords, shown } from "./words.js";

const FEW = 50; // samples that are asked about at first, and
const QUICK = 800; // milliseconds within which twice as many are next
const MOST = 500; // rows of the list

// Numbers have no labels, and nothing to be settled.
const hasLabels = (rows) => rows.some((row) => row.labels?.length);

// Those that models disagree on come first, of numbers those on which they differ most.
export function listed(rows) {
  if (rows.length && !hasLabels(rows)) {
    return [...rows].sort((a, b) => (b.high - b.low) - (a.high - a.low)).slice(0, MOST);
  }
  return [...rows.filter((row) => !row.settled), ...rows.filter((row) => row.settled)].slice(0, MOST);
}

// With more than two classes there is no one decision value.
const hasValues = (rows) => rows.some((row) => row.low !== null);

export function headOf(rows) {
  if (!hasLabels(rows)) return ["sample", "prediction"];
  return ["sample", "label", ...(hasValues(rows) ? ["decision value"] : []), "settled?"];
}

export function cellsOf({ name, labels, low, high, settled }) {
  const value = low === null ? [] : [`${shown(low)} to ${shown(high)}`];
  return labels.length ? [name, labels.join(" or "), ...value, settled ? "settled" : "open"] : [name, ...value];
}

export function samplesInWords({ rows, n, open }, constraints) {
  const scope = isEmpty(constraints) ? "" : ` (${inWords(constraints)})`;
  const more = rows.length < n ? ` ${rows.length} are listed, these first.` : "";
  if (rows.length && !hasLabels(rows)) {
    return `From the lowest to the highest prediction for ${n} samples${scope}, those first on which models differ most.${rows.length < n ? ` ${rows.length} are listed.` : ""}`;
  }
  return `${open} of ${n} samples depend on which model is used${scope}.${more}`;
}

export class Samples {
  constructor(explorer) {
    this.explorer = explorer;
    this.asked = null; // the constraints whose samples are shown
    this.answer = make("div", { class: "samples" });
    this.node = make("section", { "aria-label": "Samples" }, make("h2", {}, "Samples"),
      make("p", { class: "hint" }, "Do all equally good models predict the same for everyone?"),
      button("Show samples", () => this.show(), { class: "show-samples" }), this.answer);
  }

  // Some samples at a time, so that the page can tell how far it is.
  async show() {
    const constraints = (this.asked = copy(this.explorer.history.accepted));
    const far = make("span", { class: "elapsed", "aria-hidden": "true" });
    this.#say("Computing …", far, elapsed());
    const found = { rows: [], n: Infinity, open: 0 };
    try {
      for (let first = 0, count = FEW; first < found.n;) {
        const begun = Date.now();
        const { rows, n, open } = await this.explorer.question("samples", { constraints, first, count });
        if (this.asked !== constraints) return;
        found.rows.push(...rows);
        found.n = n;
        found.open += open;
        first += count;
        far.textContent = ` ${Math.min(first, n)} of ${n} samples`;
        if (Date.now() - begun < QUICK) count *= 2;
      }
      found.rows = listed(found.rows);
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
}

function tableOf(rows) {
  const head = make("tr", {}, ...headOf(rows).map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((row) => make("tr", { class: row.settled || !row.labels.length ? "settled" : "open" },
    ...cellsOf(row).map((text) => make("td", {}, text))));
  // A region that scrolls has to be reached by keyboard, too.
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "List of samples" },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}
