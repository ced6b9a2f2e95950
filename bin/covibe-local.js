#!/usr/bin/env node
"use strict";
/** The companion's commands under the name that other tools know: the rest of the command line is `crewdeck`. */
const { load } = require("./load.js");
const { start } = require("./start.js");

start(() => load("../dist/program/cli.js"), process.argv.slice(2), "covibe-local");
