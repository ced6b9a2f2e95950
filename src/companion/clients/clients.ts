import { claudeCode } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { vscode } from "./vscode.ts";

export const clients: readonly Client[] = [claudeCode, codex, cursor, gemini, opencode, copilot, vscode];

/** Under its own name or the short one of its program; undefined where there is none. */
export const clientNamed = (name: string): Client | undefined =>
  clients.find((client) => client.name === (name === "claude" ? "claude-code" : name));
