import { readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { readOn } from "../regular-file.ts";
import type { UsageAsk } from "./usage.ts";

/** So many of a folder's files are looked at, the newest by their names. */
const mostFiles = 500;

/** Where programs keep their own records of an instance's conversations. `docs/clients.md` says where that was seen. */
export const listRecords = (client: string, ask: UsageAsk): string[] => places[client]?.(ask) ?? [];

const places: Readonly<Record<string, (ask: UsageAsk) => string[]>> = {
  /** A folder named after the work tree, a file named after the conversation, and a folder of that name for its sub-agents. */
  "claude-code"({ path, conversation, env }) {
    const root = env["CLAUDE_CONFIG_DIR"] ?? join(homedir(), ".claude");
    const own = join(root, "projects", path.replaceAll(/[^A-Za-z0-9]/g, "-"), conversation);
    return [`${own}.jsonl`, ...listNames(join(own, "subagents"), ".jsonl").map((name) => join(own, "subagents", name))];
  },
  /** Folders by day. Which are of this work tree, which is the instance's alone, stands in their first line. */
  codex({ path, env }) {
    const root = join(env["CODEX_HOME"] ?? join(homedir(), ".codex"), "sessions");
    const files = listDays(root).flatMap((day) => listNames(day, ".jsonl").map((name) => join(day, name)));
    const own = realPathOf(path);
    let fresh = mostFresh;
    return files.reverse().filter((file) => {
      if (!folders.has(file) && fresh-- <= 0) return false;
      return folderOf(file) === own;
    });
  },
  /** A folder for each project under a name of its own choice; a file's name ends in the first part of the conversation's. */
  gemini({ conversation, env }) {
    const root = join(env["GEMINI_CLI_HOME"] ?? homedir(), ".gemini", "tmp");
    const [own = ""] = conversation.split("-");
    return listNames(root).flatMap((project) => {
      const chats = join(root, project, "chats");
      return listNames(chats, ".jsonl").flatMap((name) => (name.includes(own) ? [join(chats, name)] : []));
    });
  },
};

/** An instance may work for more than a day, and days begin elsewhere at other times. */
const mostDays = 8;

const listDays = (root: string): string[] =>
  ["year", "month", "day"]
    .reduce<string[]>(
      (folders) => folders.flatMap((folder) => listNames(folder).map((name) => join(folder, name))).slice(-mostDays),
      [root],
    )
    .slice(-mostDays);

/** In the order of their names, which for these programs is that of time. */
function listNames(folder: string, ending = ""): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .sort()
      .slice(-mostFiles);
  } catch {
    return [];
  }
}

const realPathOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};

/** So many first lines are read at a time, the newest first. */
const mostFresh = 50;
const mostKnown = 10_000;
const longestFirstLine = 256 * 1024;
const folders = new Map<string, string>();

/** The folder that a conversation of Codex was begun in; it stays so. Empty where that is not said. */
function folderOf(file: string): string {
  const known = folders.get(file);
  if (known !== undefined) return known;
  const bytes = readOn(file, 0, longestFirstLine)?.bytes ?? Buffer.alloc(0);
  const end = bytes.indexOf(0x0a);
  // It is just being written.
  if (end < 0 && bytes.length < longestFirstLine) return "";
  const folder = folderIn(bytes.toString("utf8", 0, Math.max(0, end)));
  if (folders.size >= mostKnown) folders.clear();
  folders.set(file, folder);
  return folder;
}

function folderIn(line: string): string {
  try {
    const { payload } = JSON.parse(line) as { payload?: { cwd?: unknown } };
    return typeof payload?.cwd === "string" ? payload.cwd : "";
  } catch {
    return "";
  }
}
