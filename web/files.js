// What can be saved from the page, and opened on it.

import { asFile, fromFile } from "./constraints.js";
import { save } from "./dom.js";
import { asSvg, savePng } from "./paper.js";

export class Files {
  constructor(explorer) {
    this.explorer = explorer;
  }

  share() {
    const { history, start, costs } = this.explorer;
    save(asFile(history.accepted, start.title, costs.values), "question.json", "application/json");
  }

  async open(input) {
    const { explorer } = this;
    const [file] = input.files;
    input.value = ""; // the same file can be opened again
    if (!file) return;
    try {
      const names = explorer.start.features.map(({ name }) => name);
      const { constraints, costs } = fromFile(await file.text(), names);
      if (costs) explorer.costs.load(costs);
      explorer.propose(constraints);
    } catch (error) {
      explorer.tell(`The file cannot be used: ${error.message}.`);
    }
  }

  async report() {
    const { history } = this.explorer;
    try {
      const html = await this.explorer.question("report", { constraints: history.accepted });
      save(html, "report.html", "text/html");
    } catch (error) {
      this.explorer.tell(`No report: ${error.message}`);
    }
  }

  svg() {
    save(this.#picture(), "relevance.svg", "image/svg+xml");
  }

  png() {
    return savePng(this.#picture(), "relevance.png");
  }

  // Features that were searched or folded away are counted.
  #picture() {
    const { start, rows, scale, history, tolerance, listing } = this.explorer;
    const seen = listing.shown;
    return asSvg({ start, rows: seen, rest: rows.length - seen.length, scale, constraints: history.accepted, factor: tolerance.factor });
  }
}
