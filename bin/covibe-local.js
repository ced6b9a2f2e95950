#!/usr/bin/env node
/** The companion's commands under the name that other tools know: the rest of the command line is `crewdeck`. */
const commands = ["setup", "doctor", "watch", "telemetry"];
const word = process.argv.slice(2).find((arg, at, all) => !arg.startsWith("-") && all[at - 1] !== "--home");
const isAsking = process.argv.slice(2).some((arg) => ["--help", "-h", "--version"].includes(arg));
if ((word === undefined && !isAsking) || (word !== undefined && !commands.includes(word))) {
  process.stderr.write(`Usage: covibe-local ${commands.join("|")} [options]\n`);
  process.exit(2);
}
await import("./crewdeck.js");
