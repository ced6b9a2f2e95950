import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Used } from "../../domain/instance/port.ts";
import { readTail } from "../regular-file.ts";

interface UsageAsk {
  readonly program: string;
  /** The folder it works in. */
  readonly path: string;
  readonly conversation: string;
  readonly logFile: string;
}

/** So much of a file is read; what came before is not counted. */
const mostRead = 32 * 1024 * 1024;

/** What programs say that they use: in their own records, or in what they put out. A file that did not change is not read again. */
export class UsageReader {
  readonly #known = new Map<string, { readonly mark: string; readonly used: Used | undefined }>();

  read({ program, path, conversation, logFile }: UsageAsk): Used | undefined {
    const count = counters[program];
    if (!count) return undefined;
    const record = program === "claude" ? transcriptOf(path, conversation) : logFile;
    const fromRecord = this.#count(record, count);
    // A program without a terminal says its cost at the end of a turn.
    const fromLog = program === "claude" ? this.#count(logFile, countClaudeResults) : undefined;
    return fromLog && fromLog.tokens >= (fromRecord?.tokens ?? 0) ? fromLog : fromRecord;
  }

  #count(file: string, count: (lines: Iterable<Line>) => Used | undefined): Used | undefined {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    const mark = `${stat.size} ${stat.mtimeMs}`;
    const known = this.#known.get(file);
    if (known?.mark === mark) return known.used;
    const used = count(linesOf(file));
    this.#known.set(file, { mark, used });
    return used;
  }
}

type Line = Record<string, unknown>;

/** Where Claude Code keeps a conversation: a folder named after the work tree, a file named after the conversation. */
const transcriptOf = (path: string, conversation: string): string =>
  join(
    process.env["CLAUDE_CONFIG_DIR"] ?? join(homedir(), ".claude"),
    "projects",
    path.replaceAll(/[^A-Za-z0-9]/g, "-"),
    `${conversation}.jsonl`,
  );

const counters: Readonly<Record<string, (lines: Iterable<Line>) => Used | undefined>> = {
  claude: countClaude,
  codex: countCodex,
  opencode: countOpencode,
};

/** One line for each block of a message, all with the same counts: of each message the largest. */
function countClaude(lines: Iterable<Line>): Used | undefined {
  const byMessage = new Map<string, number>();
  for (const line of lines) {
    const message = objectIn(line, "message");
    if (line["type"] !== "assistant" || !message) continue;
    const usage = objectIn(message, "usage") ?? {};
    const tokens =
      numberIn(usage, "input_tokens") +
      numberIn(usage, "cache_creation_input_tokens") +
      numberIn(usage, "cache_read_input_tokens") +
      numberIn(usage, "output_tokens");
    const key = `${String(message["id"])} ${String(line["requestId"])}`;
    byMessage.set(key, Math.max(tokens, byMessage.get(key) ?? 0));
  }
  if (byMessage.size === 0) return undefined;
  return { tokens: [...byMessage.values()].reduce((sum, one) => sum + one, 0), dollars: null };
}

/** Each turn ends with what it used and cost. */
function countClaudeResults(lines: Iterable<Line>): Used | undefined {
  let used: Used | undefined;
  for (const line of lines) {
    if (line["type"] !== "result") continue;
    const usage = objectIn(line, "usage") ?? {};
    const tokens =
      numberIn(usage, "input_tokens") +
      numberIn(usage, "cache_creation_input_tokens") +
      numberIn(usage, "cache_read_input_tokens") +
      numberIn(usage, "output_tokens");
    used = { tokens: (used?.tokens ?? 0) + tokens, dollars: (used?.dollars ?? 0) + numberIn(line, "total_cost_usd") };
  }
  return used;
}

/** What a turn reports is that of the whole conversation. */
function countCodex(lines: Iterable<Line>): Used | undefined {
  let used: Used | undefined;
  for (const line of lines) {
    const usage = line["type"] === "turn.completed" ? objectIn(line, "usage") : undefined;
    if (usage) used = { tokens: numberIn(usage, "input_tokens") + numberIn(usage, "output_tokens"), dollars: null };
  }
  return used;
}

function countOpencode(lines: Iterable<Line>): Used | undefined {
  let used: Used | undefined;
  for (const line of lines) {
    const part = line["type"] === "step_finish" ? objectIn(line, "part") : undefined;
    const tokens = part && objectIn(part, "tokens");
    if (!part || !tokens) continue;
    const cache = objectIn(tokens, "cache") ?? {};
    const all = ["input", "output", "reasoning"].reduce((sum, name) => sum + numberIn(tokens, name), 0);
    used = {
      tokens: (used?.tokens ?? 0) + all + numberIn(cache, "read") + numberIn(cache, "write"),
      dollars: (used?.dollars ?? 0) + numberIn(part, "cost"),
    };
  }
  return used;
}

function* linesOf(file: string): Generator<Line> {
  for (const text of readTail(file, mostRead).split("\n")) {
    if (!text.startsWith("{")) continue;
    try {
      yield JSON.parse(text) as Line;
    } catch {
      // Half a line, at one of the ends.
    }
  }
}

function objectIn(line: Line, name: string): Line | undefined {
  const value = line[name];
  return typeof value === "object" && value !== null ? (value as Line) : undefined;
}

const numberIn = (line: Line, name: string): number => {
  const value = line[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
};
