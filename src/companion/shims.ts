import { programFile } from "../adapters/program-line.ts";
import type { Companion } from "./places.ts";

/**
 * Small files that configurations of clients name instead of this installation: it may be updated, moved or removed, and
 * they stay. A hook that finds nothing to run says nothing.
 */
export const shimsOf = (companion: Companion, homeDir: string): readonly { file: string; text: string }[] => [
  { file: companion.hookFile, text: shimText("hook", homeDir, "exit 0") },
  { file: companion.mcpFile, text: shimText("mcp", homeDir, notFound) },
  { file: companion.watchShim, text: shimText("watch", homeDir, notFound) },
];

const notFound = '{ echo "Crewdeck is not at $program any more. Run crewdeck setup again." >&2; exit 1; }';

const shimText = (command: string, homeDir: string, otherwise: string): string =>
  [
    "#!/bin/sh",
    "# Written by `crewdeck setup`: clients call this file, so that their configuration survives updates.",
    `node=${quote(process.execPath)}; [ -x "$node" ] || node=node`,
    `program=${quote(programFile)}; [ -f "$program" ] || ${otherwise}`,
    // Clients that pass on few variables would find another home.
    `[ -n "$CREWDECK_HOME" ] || { CREWDECK_HOME=${quote(homeDir)}; export CREWDECK_HOME; }`,
    `exec "$node" "$program" ${command} "$@"`,
    "",
  ].join("\n");

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
