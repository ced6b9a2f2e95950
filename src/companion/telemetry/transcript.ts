import { recordOf } from "../hook/signal.ts";
import { readClaudeLine } from "./claude-code.ts";
import { readCodexLine } from "./codex.ts";
import { readCopilotLine } from "./copilot.ts";
import { readGeminiLine } from "./gemini.ts";
import type { Read, ReadLine } from "./report.ts";

const readers: Readonly<Record<string, ReadLine>> = {
  "claude-code": readClaudeLine,
  codex: readCodexLine,
  gemini: readGeminiLine,
  copilot: readCopilotLine,
};

export const isReadable = (client: string): boolean => Object.hasOwn(readers, client);

/**
 * Reads a further piece of a transcript. What a reader has to remember from line to line is in the context, so that it
 * can go on after a restart. Lines that are no JSON are somebody's half-written last words.
 */
export function readPiece(client: string, text: string, context: Read["context"]): Read {
  const reader = readers[client];
  let read: Read = { reports: [], context };
  if (reader === undefined) return read;
  for (const line of text.split("\n")) {
    const record = recordOf(parse(line));
    if (record === undefined) continue;
    const next = reader(record, read.context);
    read = { reports: [...read.reports, ...next.reports], context: next.context };
  }
  return read;
}

function parse(line: string): unknown {
  try {
    return line.trim() === "" ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
