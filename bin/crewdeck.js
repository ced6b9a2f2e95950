#!/usr/bin/env node
const argv = process.argv.slice(2);
// A client that starts `crewdeck mcp` only to look must not wait for the command line or the server to load.
const isBridge = argv[0] === "mcp" && !argv.some((arg) => ["--help", "-h", "--version"].includes(arg));

const { run } = await (isBridge
  ? import("../dist/transports/bridge/main.js")
  : import("../dist/transports/cli/main.js")
).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || !String(error.url ?? error.message).includes("/dist/")) throw error;
  process.stderr.write("Crewdeck is not built yet. Run `npm run build` first.\n");
  process.exit(1);
});
const code = await run(isBridge ? argv.slice(1) : argv, () => import("../dist/main.js"));
// What was printed must be out before the process ends; nothing that is still open may keep it.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
