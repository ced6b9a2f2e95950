"use strict";
const { join } = require("node:path");
const { load } = require("./load.js");

/** Runs a part of the program and ends with its exit code. */
async function start(loadPart, argv, name) {
  const { run } = loadBuilt(loadPart);
  const code = await run(argv, async () => load("../dist/program/main.js"), name);
  // What was printed must be out before the process ends; nothing that is still open may keep it.
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
}

function loadBuilt(loadPart) {
  try {
    return loadPart();
  } catch (error) {
    if (error.code !== "ENOENT" || !String(error.path).includes("dist")) throw error;
    const npm = `npm --prefix ${quote(join(__dirname, ".."))}`;
    process.stderr.write(
      `Crewdeck is not built yet.\n  Install, build and start it: ${npm} start\n  Only build it, for any other command: ${npm} run build\n`,
    );
    process.exit(1);
  }
}

/** One word for a shell, whatever the folder is called. */
const quote = (path) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

module.exports = { start };
