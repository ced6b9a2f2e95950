import { readFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import type { Command } from "commander";
import type { McpTool } from "../../../contract/listing.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { findEntry, readCatalogue } from "../../catalogue.ts";
import { openApi } from "../api.ts";
import { print, printJson } from "../context.ts";
import { reportFailure } from "../failure.ts";
import type { Shell } from "../shell.ts";
import { table } from "../text.ts";
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
    const asksForHelp = tool === undefined || [tool, ...words].some((word) => word === "--help" || word === "-h");
    const entry = tool === undefined ? undefined : findEntry(readCatalogue(), tool);
    if (asksForHelp) return showHelp(command, entry, tool === undefined);
    try {
      const args = { ...(await readInput(options.input)), ...readFlags(words, entry?.inputSchema) };
      const api = await openApi(context);
      printJson(await api.call(tool, args, options.idempotencyKey));
      return undefined;
    } catch (error) {
      // The answer of this command is JSON, also when it is a "no".
      return reportFailure({ ...context, isJson: true }, error);
    }
  });
}

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
    return isIncomplete && !command.args.includes("--help") ? 2 : 0;
  }
  print(`Usage: crewdeck call ${entry.name} [--key value ...]\n\n${entry.description}\n`);
  const { properties, required = [] } = entry.inputSchema;
  const rows = Object.entries(properties).map(([key, property]) => [
    `  --${key.replaceAll("_", "-")}`,
    property.enum ? property.enum.join("|") : (property.type ?? "json"),
    `${property.description ?? ""}${required.includes(key) ? " Required." : ""}`,
  ]);
  for (const line of tableKeepingIndent(rows)) print(line);
  return 0;
}

const tableKeepingIndent = (rows: readonly string[][]): string[] =>
  table(rows.map(([flag = "", ...rest]) => [flag.trim(), ...rest])).map((line) => `  ${line}`);
