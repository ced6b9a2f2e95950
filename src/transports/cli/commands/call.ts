import { readFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import { exitCodes } from "../../../contract/errors.ts";
import type { McpTool } from "../../../contract/listing.ts";
import { toCli } from "../../../contract/projections/cli.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { findEntry, readCatalogue } from "../../catalogue.ts";
import { type Api, openApi } from "../api.ts";
import { print, printJson } from "../context.ts";
import { reportFailure } from "../failure.ts";
import { resolveKnown } from "../record.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { readFlags } from "../tool-flags.ts";

interface Options {
  readonly input?: string;
  readonly idempotencyKey?: string;
}

export function addCall(shell: Shell): void {
  const command = shell
    .add({
      name: "call",
      summary: "Call one tool; the answer is JSON",
      examples: [
        "call agent_list --status online --limit 5",
        'call agent_register --input \'{"name":"Ada","runtime":"codex"}\'',
        "call message_send --input @message.json --idempotency-key 7f3a",
        "call agent_register --help",
      ],
    })
    .argument("[tool]", "the tool's name, as `crewdeck tools --tools all` lists them")
    .argument("[arguments...]", "its arguments as --key value")
    .option("--input <json>", "the arguments as a JSON object, @FILE, or - for stdin; flags are added to it")
    .option("--idempotency-key <key>", "the same key from the same caller has effect once")
    .helpOption(false)
    .allowUnknownOption();
  shell.does<Options>(command, async (context, options, [tool, ...words]) => {
    const entry = tool === undefined ? undefined : findEntry(readCatalogue(), tool);
    if (tool === undefined || isHelp(tool) || words.some(isHelp)) return showHelp(command, entry, tool === undefined);
    try {
      const flags = readFlags(words, entry && toCli(entry));
      const input = await readInput(options.input);
      const api = await openApi(context);
      const args = { ...input, ...(await resolveFlags(api, tool, flags)) };
      printJson(await api.callAny(tool, args, options.idempotencyKey));
      return undefined;
    } catch (error) {
      // The answer of this command is JSON, also when it is a "no".
      return reportFailure({ ...context, isJson: true }, error, familyOf(tool));
    }
  });
}

/** The kinds of records that flags name, by how the flag ends; `--id` is of the tool's own noun. */
const kindsByEnd = [
  { end: /(^|_)task_id$/, noun: /^task_/, kind: "task" },
  { end: /(^|_)(workflow|mission|workstream)_id$/, noun: /^workflow_/, kind: "workflow" },
  { end: /(^|_)(agent|session|sender|recipient)_id$/, noun: /^agent_/, kind: "agent" },
] as const;

/** Ids may be given by their beginning or by a name; what nothing is called is left for the server to refuse. */
async function resolveFlags(api: Api, tool: string, flags: Record<string, unknown>): Promise<Record<string, unknown>> {
  const resolved = { ...flags };
  for (const [key, value] of Object.entries(flags)) {
    const kind = kindsByEnd.find(({ end, noun }) => end.test(key) || (key === "id" && noun.test(tool)))?.kind;
    if (kind !== undefined && typeof value === "string") resolved[key] = await resolveKnown(api, kind, value);
  }
  return resolved;
}

const familyOf = (tool: string): string | undefined => readCatalogue().tools.find(({ name }) => name === tool)?.family;

const isHelp = (word: string): boolean => word === "--help" || word === "-h";

async function readInput(input: string | undefined): Promise<Record<string, unknown>> {
  if (input === undefined) return {};
  const text = input === "-" ? await readAll(process.stdin) : input.startsWith("@") ? readFile(input.slice(1)) : input;
  const value = parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Refusal("INVALID_REQUEST", "--input is a JSON object, @FILE with one in it, or - for stdin.");
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Refusal("INVALID_REQUEST", `${path} cannot be read.`, "Name a file with a JSON object in it.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The flags of one tool, from its published schema. */
function showHelp(command: Command, entry: McpTool | undefined, isIncomplete: boolean): number {
  if (!entry) {
    command.outputHelp();
    return isIncomplete ? exitCodes.usage : exitCodes.done;
  }
  print(`Usage: crewdeck call ${entry.name} [--key value ...]\n\n${entry.description}\n`);
  const rows = toCli(entry).flags.map(({ flag, choices, type, isList, isRequired, description }) => [
    flag,
    `${choices?.join("|") ?? type}${isList ? " ..." : ""}`,
    `${description}${isRequired ? " Required." : ""}`,
  ]);
  for (const line of table(rows)) print(`  ${line}`);
  return exitCodes.done;
}
