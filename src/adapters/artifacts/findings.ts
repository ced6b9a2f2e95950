import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import type { FindingPorts, Report, ReportsAsk } from "../../domain/finding/port.ts";
import { confinedPath, isOwnFile } from "./confined-path.ts";
import { placesIn } from "./places.ts";
import { writeWhole } from "./write-file.ts";

const mostBytes = 64 * 1024 * 1024;

export const findingPorts = (homeDir: string): FindingPorts => ({
  async *readReports(ask, signal) {
    const text = await readInput(homeDir, ask);
    let count = 0;
    for (const report of listReports(text)) {
      yield report;
      count += 1;
      // A large file must not keep everyone else waiting.
      if (count % 500 === 0) await new Promise((next) => void setImmediate(next));
      signal.throwIfAborted();
    }
  },
  async writePack({ recordId, outPath, content }) {
    const path = confinedPath(homeDir, outPath ?? join(placesIn(homeDir).triage, `${recordId}.json`), "file");
    await writeWhole(path, `${JSON.stringify(content, null, 2)}\n`);
    return path;
  },
});

async function readInput(homeDir: string, { path, root, isConfined }: ReportsAsk): Promise<string> {
  const real = await realpath(resolve(root, path)).catch(() => undefined);
  if (isConfined && (real === undefined || !isInside(root, real))) throw outside();
  if (real === undefined) throw unreadable();
  if (isOwnFile(homeDir, real)) throw own();
  const file = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (!file) throw unreadable();
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw unreadable();
    if (stats.size > mostBytes) throw tooLarge();
    return (await file.readFile("utf8")).replace(/^\uFEFF/, "");
  } finally {
    await file.close();
  }
}

const isInside = (root: string, path: string): boolean => {
  const inside = relative(root, path);
  return inside !== "" && !inside.startsWith("..") && !isAbsolute(inside);
};

function* listReports(text: string): Generator<Report> {
  const whole = parse(text);
  if (whole !== undefined) {
    for (const value of arrayIn(whole.value)) yield { value };
    return;
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const parsed = lines.map(parse);
  if (!parsed.some((one) => one !== undefined)) throw noJson();
  for (const one of parsed) yield one ?? { problem: "The line is not JSON." };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const usualNames = ["alerts", "findings", "records", "items"];
/** What a finding has itself, so that the first list in it is none of findings. */
const ownKeys = [
  "findingArn",
  "security_advisory",
  "securityVulnerability",
  "detail",
  "title",
  "vulnId",
  "vuln",
  "cve",
  "id",
];

/** The list that a file is about. A single finding is a list of one. */
function arrayIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return [value];
  const object = value as Record<string, unknown>;
  const named = usualNames.map((name) => object[name]).find(Array.isArray);
  if (named) return named;
  if (ownKeys.some((key) => Object.hasOwn(object, key))) return [value];
  return Object.values(object).find(Array.isArray) ?? [value];
}

const unreadable = (): Refusal =>
  new Refusal(
    "INVALID_REQUEST",
    "inputPath is not a file that the server can read.",
    "Pass the path of a JSON or JSONL file on the server's machine.",
  );

const noJson = (): Refusal =>
  new Refusal(
    "INVALID_REQUEST",
    "The file holds neither JSON nor one JSON object to a line.",
    "Export the findings as JSON or JSONL.",
  );

const outside = (): Refusal =>
  new Refusal(
    "FORBIDDEN",
    "This server is open to other machines, so it only reads files of the repository.",
    "Put the file into the repository's folder.",
  );

const own = (): Refusal =>
  new Refusal("FORBIDDEN", "inputPath is one of Crewdeck's own files.", "Pass the file that the scanner wrote.");

const tooLarge = (): Refusal =>
  new Refusal("TOO_LARGE", "The file is larger than 64 MiB.", "Split the file and ingest the parts.");
