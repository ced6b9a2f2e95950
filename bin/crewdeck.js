#!/usr/bin/env node
"use strict";
const { load } = require("./load.js");
const { start } = require("./start.js");

/** What a client starts again and again answers at once: its row names all that is loaded for it. */
const quick = {
  mcp: () => load("../dist/program/bridge.js"),
  hook: () => load("../dist/program/hook.js"),
};
const commandLine = () => load("../dist/program/cli.js");

const argv = process.argv.slice(2);
const asksForHelp = argv.some((arg) => ["--help", "-h", "--version"].includes(arg));
const loadPart = asksForHelp || !Object.hasOwn(quick, argv[0] ?? "") ? commandLine : quick[argv[0]];
start(loadPart, loadPart === commandLine ? argv : argv.slice(1));
