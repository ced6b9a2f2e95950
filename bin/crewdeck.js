#!/usr/bin/env node
import { start } from "./start.js";

/** What a client starts again and again answers at once: its row names all that is loaded for it. */
const quick = {
  mcp: () => import("../dist/program/bridge.js"),
  hook: () => import("../dist/program/hook.js"),
};
const commandLine = () => import("../dist/program/cli.js");

const argv = process.argv.slice(2);
const asksForHelp = argv.some((arg) => ["--help", "-h", "--version"].includes(arg));
const load = asksForHelp || !Object.hasOwn(quick, argv[0] ?? "") ? commandLine : quick[argv[0]];
await start(load, load === commandLine ? argv : argv.slice(1));
