import type { Used } from "../../domain/instance/port.ts";

type Line = Record<string, unknown>;

/** Adds what a program without a terminal has said about its use in further lines of its log. */
export function countLog(program: string, text: string, before: Used | undefined): Used | undefined {
  const count = counters[program];
  let used = before;
  if (count) for (const line of linesOf(text)) used = count(line, used) ?? used;
  return used;
}

type CountLine = (line: Line, before: Used | undefined) => Used | undefined;

const counters: Readonly<Record<string, CountLine>> = {
  /** Each turn ends with what it used and cost. */
  claude(line, before) {
    if (line["type"] !== "result") return undefined;
    const usage = objectIn(line, "usage") ?? {};
    const names = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
    return plus(before, { tokens: sumIn(usage, names), dollars: numberIn(line, "total_cost_usd") });
  },
  /** What a turn reports is that of the whole conversation. */
  codex(line) {
    const usage = line["type"] === "turn.completed" ? objectIn(line, "usage") : undefined;
    return usage && { tokens: sumIn(usage, ["input_tokens", "output_tokens"]), dollars: null };
  },
  opencode(line, before) {
    const part = line["type"] === "step_finish" ? objectIn(line, "part") : undefined;
    const tokens = part && objectIn(part, "tokens");
    if (!part || !tokens) return undefined;
    const cached = sumIn(objectIn(tokens, "cache") ?? {}, ["read", "write"]);
    return plus(before, {
      tokens: sumIn(tokens, ["input", "output", "reasoning"]) + cached,
      dollars: numberIn(part, "cost"),
    });
  },
};

const plus = (before: Used | undefined, more: { tokens: number; dollars: number }): Used => ({
  tokens: (before?.tokens ?? 0) + more.tokens,
  dollars: (before?.dollars ?? 0) + more.dollars,
});

function* linesOf(text: string): Generator<Line> {
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    try {
      yield JSON.parse(line) as Line;
    } catch {
      // Something else that the program has put out.
    }
  }
}

function objectIn(line: Line, name: string): Line | undefined {
  const value = line[name];
  return typeof value === "object" && value !== null ? (value as Line) : undefined;
}

const sumIn = (line: Line, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + numberIn(line, name), 0);

const numberIn = (line: Line, name: string): number => {
  const value = line[name];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
};
