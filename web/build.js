// Bundles the modules into the one file that the page and the widget load.
//
// `node build.js` writes it, `node build.js --check` fails where the committed one is another.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const BUNDLE = new URL("../src/allrelevant/views/explorer/static/explorer.js", import.meta.url);

// Not minified: the file is small, and whoever wonders what the page does can read it.
const { outputFiles: [bundle] } = await build({
  entryPoints: ["main.js"],
  absWorkingDir: HERE, // names of modules in the bundle are the same on every machine
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  banner: { js: "// Made from the modules in web/ by `make script`: change those." },
});

if (process.argv.includes("--check")) {
  const committed = await readFile(BUNDLE, "utf8").catch(() => "");
  if (committed !== bundle.text) {
    console.error("static/explorer.js is not what the modules in web/ give: run `make script`.");
    process.exitCode = 1;
  }
} else {
  await writeFile(BUNDLE, bundle.text);
}
