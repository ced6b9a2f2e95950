import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { InstanceType } from "../../domain/instance/port.ts";

/** A program that works as an agent, as `config.json` has it. */
export interface AgentProgram {
  /** Left out for a program that we know how to start. */
  readonly command?: readonly string[] | undefined;
  readonly prompt: "stdin" | "file" | "argument";
  readonly mode?: "tmux" | "headless" | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Commands that it may run without asking. */
  readonly allow?: readonly string[] | undefined;
}

/** What is started, word by word; nothing of it passes a shell. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly readsStdin: boolean;
  /** A file that the program reads in its work tree, for as long as it runs; git does not see it. */
  readonly workTreeFile?: { readonly path: string; readonly content: string };
}

interface LineAsk {
  readonly type: InstanceType;
  readonly mode: "tmux" | "headless";
  readonly turn: number;
  readonly prompt: string;
  readonly promptFile: string;
  readonly folder: string;
  /** Its work tree, and where git writes for a commit on its branch. */
  readonly path: string;
  readonly commitPaths: readonly string[];
  /** The id of its conversation: of our choice, or as it said itself. */
  readonly conversation: string;
  readonly saidConversation: string | null;
  /** How our MCP server is started. */
  readonly bridge: readonly string[];
  readonly budget?: { readonly dollars: number | null } | null;
  readonly variables: readonly string[];
  /** What it may run beside what every agent needs; nothing unless somebody says so. */
  readonly allow?: readonly string[] | undefined;
}

/** The words of a program that is configured: `{prompt}` and `{promptFile}` stand for what it is told. */
export function lineOf({ command = [], prompt, env }: AgentProgram, ask: LineAsk): CommandLine {
  const isNamed = command.some((word) => word.includes("{prompt}"));
  const fill = (word: string): string =>
    word
      .split("{promptFile}")
      .map((part) => part.split("{prompt}").join(ask.prompt))
      .join(ask.promptFile);
  const words = command.map(fill);
  return {
    words: prompt === "argument" && !isNamed ? [...words, ask.prompt] : words,
    env,
    readsStdin: prompt === "stdin",
  };
}

/** How the programs that we know are started, as each wants it; `docs/clients.md` says where that was seen. */
export const presets: Readonly<Record<string, { readonly program: string; line(ask: LineAsk): CommandLine }>> = {
  claude: { program: "claude", line: claudeLine },
  codex: { program: "codex", line: codexLine },
  gemini: { program: "gemini", line: geminiLine },
  opencode: { program: "opencode", line: opencodeLine },
};

/** Codex runs commands within its sandbox and opencode as its own configuration says; of the others nothing was tried. */
export const takesAllowed = (name: string, command: readonly string[] | undefined): boolean =>
  name === "claude" && command === undefined;

const reads = ["Read", "Grep", "Glob", "Bash(git diff *)", "Bash(git log *)", "Bash(git show *)", "Bash(git status *)"];
const writes = ["Edit", "Write", "Bash(git add *)", "Bash(git commit *)"];

/** In a terminal one fixed sentence names the file: nothing is typed that the program could take for an answer. */
const pointAt = (promptFile: string): string => `Read the file ${promptFile} and do what it says.`;

function claudeLine(ask: LineAsk): CommandLine {
  const { type, mode, turn, conversation, promptFile, folder, bridge } = ask;
  const [command, ...args] = bridge;
  const allowed = (ask.allow ?? []).map((command) => `Bash(${command})`);
  const tools = [...reads, ...(type === "coding" ? writes : []), ...allowed, "mcp__crewdeck__*"];
  const servers = JSON.stringify({ mcpServers: { crewdeck: { command, args } } });
  const common = [
    ...(turn === 1 ? ["--session-id", conversation] : ["--resume", conversation]),
    ...["--mcp-config", servers, "--strict-mcp-config", "--add-dir", folder, "--allowedTools", tools.join(" ")],
  ];
  if (mode === "tmux") {
    const right = type === "coding" ? "acceptEdits" : "default";
    return {
      words: ["claude", ...common, "--permission-mode", right, "--", pointAt(promptFile)],
      env: {},
      readsStdin: false,
    };
  }
  const right = type === "coding" ? "acceptEdits" : "dontAsk";
  const most = ask.budget?.dollars == null ? [] : ["--max-budget-usd", String(ask.budget.dollars)];
  const start = ["claude", "-p", "--output-format", "stream-json", "--verbose"];
  const words = [...start, ...common, ...most, "--permission-mode", right];
  return { words, env: {}, readsStdin: true };
}

function codexLine(ask: LineAsk): CommandLine {
  const { mode, turn, promptFile, bridge, variables, saidConversation } = ask;
  const [command, ...args] = bridge;
  const server = "mcp_servers.crewdeck";
  const settings = [
    `${server}.command=${JSON.stringify(command)}`,
    `${server}.args=${JSON.stringify(args)}`,
    `${server}.env_vars=${JSON.stringify(variables)}`,
    `${server}.default_tools_approval_mode="approve"`,
  ].flatMap((setting) => ["-c", setting]);
  const right = codexRight(ask);
  if (mode === "tmux") {
    // It keeps to itself what its conversation is called; the newest of a folder that is this instance's alone is it.
    const goesOn = turn > 1 ? ["resume", "--last"] : [];
    const words = ["codex", "--no-daemon", ...right, ...settings, ...goesOn, pointAt(promptFile)];
    return { words, env: {}, readsStdin: false };
  }
  const goesOn = turn > 1 && saidConversation !== null ? ["resume", saidConversation] : [];
  return { words: ["codex", "exec", "--json", ...right, ...settings, ...goesOn, "-"], env: {}, readsStdin: true };
}

/** Its own mode for writing keeps all of git read-only; whoever is to commit may write to that much of it, and no more. */
function codexRight({ type, commitPaths, path }: LineAsk): string[] {
  if (type !== "coding") return ["-s", "read-only"];
  if (commitPaths.length === 0) return ["-s", "workspace-write"];
  const writable = [":tmpdir", ":slash_tmp", path, ...commitPaths].map((one) => `${JSON.stringify(one)}="write"`);
  const files = `permissions.crewdeck.filesystem={":root"="read", ${writable.join(", ")}}`;
  return ["-c", 'default_permissions="crewdeck"', "-c", files];
}

/** Clients that take every schema at once are shown few tools; those of reviews have to be among them here. */
const shownTools = ["--tools", "core,review"];

/** It has no option for servers of one run: they stand in a file of the work tree. */
function geminiLine({ type, mode, turn, promptFile, conversation, bridge, variables }: LineAsk): CommandLine {
  const [command, ...args] = [...bridge, ...shownTools];
  // It keeps secrets of its own environment from servers, unless they are named; the file has their names only.
  const passedOn = Object.fromEntries(variables.map((name) => [name, `$${name}`]));
  const content = JSON.stringify({ mcpServers: { crewdeck: { command, args, env: passedOn, trust: true } } });
  const workTreeFile = { path: ".gemini/settings.json", content };
  const right = ["--approval-mode", type === "coding" ? "auto_edit" : "default"];
  const session = turn === 1 ? ["--session-id", conversation] : ["--resume", conversation];
  const env = { GEMINI_CLI_TRUST_WORKSPACE: "true" };
  if (mode === "tmux")
    return {
      words: ["gemini", ...right, ...session, "-i", pointAt(promptFile)],
      env,
      readsStdin: false,
      workTreeFile,
    };
  return { words: ["gemini", "-o", "stream-json", ...right, ...session], env, readsStdin: true, workTreeFile };
}

function opencodeLine({ turn, bridge, saidConversation }: LineAsk): CommandLine {
  const goesOn = turn > 1 && saidConversation !== null ? ["--session", saidConversation] : [];
  const servers = { mcp: { crewdeck: { type: "local", command: [...bridge, ...shownTools], enabled: true } } };
  const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify(servers) };
  return { words: ["opencode", "run", "--format", "json", ...goesOn], env, readsStdin: true };
}

/** Which of the known programs somebody calls themselves, `claude-code` or `gemini-cli-mcp-client`. */
export const makeOf = (name: string | null): string | null =>
  name === null ? null : (Object.keys(presets).find((known) => name.toLowerCase().startsWith(known)) ?? name);

/** Whether PATH, or the path itself, leads to a program. */
export function isInstalled(program: string, env: NodeJS.ProcessEnv = process.env): boolean {
  if (program.includes("/")) return isAbsolute(program) && isRunnable(program);
  return (env["PATH"] ?? "").split(delimiter).some((folder) => isAbsolute(folder) && isRunnable(join(folder, program)));
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What a program said its conversation is called, in what it has put out so far. */
export function findConversation(program: string, output: string): string | null {
  const pattern = { codex: /"thread_id":"([0-9a-f-]{36})"/, opencode: /"sessionID":"(ses_\w{1,80})"/ }[program];
  return pattern?.exec(output)?.[1] ?? null;
}
