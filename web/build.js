// Bundles the modules into one file for the explorer's page and widget, and one for the page of forests.
//
// `node build.js` writes them, `node build.js --check` fails where a committed one is another.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const STATIC = new URL("../src/allrelevant/views/explorer/static/", import.meta.url);
const BUNDLES = { "main.js": "explorer.js", "forest.js": "forest.js" };

// Not minified: the files are small, and whoever wonders what a page does can read them.
async function bundled(entry) {
  const { outputFiles: [bundle] } = await build({
    entryPoints: [entry],
    absWorkingDir: HERE, // names of modules in the bundle are the same on every machine
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    banner: { js: "// Made from the modules in web/ by `make script`: change those." },
  });
  return bundle.text;
}

for (const [entry, name] of Object.entries(BUNDLES)) {
  const text = await bundled(entry);
  if (!process.argv.includes("--check")) await writeFile(new URL(name, STATIC), text);
  else if (text !== await readFile(new URL(name, STATIC), "utf8").catch(() => "")) {
    console.error(`static/${name} is not what the modules in web/ give: run \`make script\`.`);
    process.exitCode = 1;
  }
}
