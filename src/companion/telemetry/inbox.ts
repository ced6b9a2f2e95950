import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { usageSources } from "../../contract/words.ts";
import { recordOf, textAt } from "../hook/signal.ts";
import type { Target } from "../server.ts";
import { type Sent, sendReport } from "./send.ts";

export interface Flushed {
  readonly recorded: number;
  readonly repeated: number;
  readonly refused: number;
  /** Files that wait for the next time. */
  readonly waiting: number;
  readonly tokens: number;
  readonly problems: readonly string[];
}

const nothing: Flushed = { recorded: 0, repeated: 0, refused: 0, waiting: 0, tokens: 0, problems: [] };

const mostFiles = 1_000;
const largestFile = 16 * 1024 * 1024;

/** Reports that wait in an inbox: files that are named .json or .jsonl, oldest name first. */
export function listInbox(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.jsonl?$/.test(name) && !name.startsWith("."))
      .sort()
      .slice(0, mostFiles)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/**
 * Sends every report of an inbox. A file goes once the server has answered for all of it; a kill before that sends it
 * again, which counts nothing twice. What the server cannot read is set aside, for somebody to look at.
 */
export async function flushInbox(folder: string, targetFor: (source: string) => Promise<Target>): Promise<Flushed> {
  let flushed = nothing;
  for (const file of listInbox(folder)) flushed = add(flushed, await flushFile(folder, file, targetFor));
  return flushed;
}

async function flushFile(
  folder: string,
  file: string,
  targetFor: (source: string) => Promise<Target>,
): Promise<Flushed> {
  const name = basename(file);
  const reports = readReports(file);
  if (typeof reports === "string")
    return setAside(folder, file, { ...nothing, refused: 1, problems: [`${name}: ${reports}`] });
  let flushed = nothing;
  for (const report of reports) {
    const sent: Sent = await targetFor(report.source)
      .then((target) => sendReport(target, report, "inbox"))
      .catch((error: Error) => ({ outcome: "unsent", reason: error.message, tokens: 0 }));
    if (sent.outcome === "unsent") {
      return add(flushed, { ...nothing, waiting: 1, problems: [`${name}: ${sent.reason ?? "not sent"}`] });
    }
    flushed = add(flushed, {
      ...nothing,
      [sent.outcome]: 1,
      tokens: sent.outcome === "recorded" ? sent.tokens : 0,
      problems: sent.reason === undefined ? [] : [`${name}: ${sent.reason}`],
    });
  }
  if (flushed.refused > 0) return setAside(folder, file, flushed);
  rmSync(file, { force: true });
  return flushed;
}

function setAside(folder: string, file: string, flushed: Flushed): Flushed {
  const place = join(folder, "refused");
  mkdirSync(place, { recursive: true });
  renameSync(file, join(place, basename(file)));
  return flushed;
}

interface InboxReport {
  readonly source: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly session_id?: string;
  readonly task_id?: string;
  readonly submitted_cost_usd?: number;
}

/** The reports of a file, or why there are none: one as it came, a list of them, or one on each line. */
function readReports(file: string): InboxReport[] | string {
  const stats = lstatSync(file);
  if (!stats.isFile()) return "it is not a plain file";
  if (stats.size > largestFile) return "it is larger than 16 MiB";
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  try {
    const values = file.endsWith(".jsonl")
      ? text.split("\n").flatMap((line): unknown[] => (line.trim() === "" ? [] : [JSON.parse(line)]))
      : [JSON.parse(text) as unknown].flat();
    const reports = values.map((value) => reportOf(value, basename(file)));
    return reports.includes(undefined) ? "a report in it is not an object" : reports.flatMap((report) => report ?? []);
  } catch {
    return "it is not valid JSON";
  }
}

/** With a note who wrote it, or without: then the file's name may say so, and else the server tells it by its keys. */
function reportOf(value: unknown, name: string): InboxReport | undefined {
  const fields = recordOf(value);
  if (fields === undefined) return undefined;
  const payload = recordOf(fields["payload"]);
  const named = usageSources.find(
    (source) => name === source || name.startsWith(`${source}-`) || name.startsWith(`${source}.`),
  );
  const source = usageSources.find((one) => one === fields["source"]);
  if (payload === undefined || source === undefined) return { source: source ?? named ?? "proxy", payload: fields };
  const cost = fields["submitted_cost_usd"];
  const [session_id, task_id] = [textAt(fields, "session_id"), textAt(fields, "task_id")];
  return {
    source,
    payload,
    ...(session_id === undefined ? {} : { session_id }),
    ...(task_id === undefined ? {} : { task_id }),
    ...(typeof cost === "number" ? { submitted_cost_usd: cost } : {}),
  };
}

const add = (one: Flushed, other: Flushed): Flushed => ({
  recorded: one.recorded + other.recorded,
  repeated: one.repeated + other.repeated,
  refused: one.refused + other.refused,
  waiting: one.waiting + other.waiting,
  tokens: one.tokens + other.tokens,
  problems: [...one.problems, ...other.problems].slice(0, 20),
});
