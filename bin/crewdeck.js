#!/usr/bin/env node
/** What a client starts again and again answers at once: its row names all that is loaded for it. */
const quick = {
  mcp: () => import("../dist/program/bridge.js"),
  hook: () => import("../dist/program/hook.js"),
};
const commandLine = () => import("../dist/program/cli.js");

const argv = process.argv.slice(2);
const asksForHelp = argv.some((arg) => ["--help", "-h", "--version"].includes(arg));
const load = asksForHelp || !Object.hasOwn(quick, argv[0] ?? "") ? commandLine : quick[argv[0]];

const { run } = await load().catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND" || !String(error.url ?? error.message).includes("/dist/")) throw error;
  process.stderr.write("Crewdeck is not built yet. Run `npm run build` first.\n");
  process.exit(1);
});
const code = await run(load === commandLine ? argv : argv.slice(1), () => import("../dist/program/main.js"));
// What was printed must be out before the process ends; nothing that is still open may keep it.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
