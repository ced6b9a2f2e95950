#!/usr/bin/env node
/** The companion's commands under the name that other tools know: the rest of the command line is `crewdeck`. */
import { start } from "./start.js";

await start(() => import("../dist/program/cli.js"), process.argv.slice(2), "covibe-local");
