// Where the explorer lives: on the page that has a place for it, or in a notebook's cell.

import { make } from "./dom.js";
import { Explorer } from "./page.js";
import { HttpTransport, WidgetTransport } from "./transport.js";

const BETWEEN_LOOKS = 3000; // milliseconds

async function open(root) {
  const transport = new HttpTransport();
  try {
    const name = Math.random().toString(36).slice(2);
    const onload = ({ title }) => (document.title = title);
    const start = await transport.get("start", { page: name });
    const explorer = new Explorer(root, transport, start, { page: name, onload });
    setInterval(() => explorer.connection.watch(), BETWEEN_LOOKS);
    undoneByKey(window, explorer);
  } catch (error) {
    root.replaceChildren(make("p", { class: "notice", role: "alert" }, error.message));
  }
}

// In a field the same keys take back what was typed; a slider holds no text. Where a notebook keeps cells in a shadow tree,
// those outside see the cell as the target.
function undoneByKey(node, explorer) {
  node.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && event.key === "z";
    const { tagName, type } = event.composedPath()[0];
    if (!isUndo || (tagName === "INPUT" && type !== "range")) return;
    event.preventDefault();
    explorer.undo();
  });
}

const root = typeof document === "undefined" ? null : document.querySelector("[data-explorer]");
if (root) open(root);

export { Explorer };

export default {
  render({ model, el }) {
    el.classList.add("allrelevant-explorer");
    // Arrows move handles, and Ctrl+Z is ours here; JupyterLab would go to another cell.
    el.setAttribute("data-lm-suppress-shortcuts", "true");
    undoneByKey(el, new Explorer(el, new WidgetTransport(model), model.get("start")));
  },
};
