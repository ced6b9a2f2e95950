import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { InstanceId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { tokenText } from "../../contract/token-text.ts";
import type { Hand, Turn } from "../../domain/errand.ts";
import type {
  Budget,
  EndInstance,
  InstancePorts,
  InstanceType,
  LaunchAsk,
  LaunchedInstance,
  LaunchInstance,
  LaunchPlan,
  ProcessAsk,
  ProcessReport,
  SayToInstance,
} from "../../domain/instance/port.ts";
import type { GitHost } from "../git/host.ts";
import { makeWorktrees } from "../git/make.ts";
import { discardFresh } from "../git/marked.ts";
import { programFile } from "../program-line.ts";
import { readTail } from "../regular-file.ts";
import { commitPathsOf } from "./commit-paths.ts";
import { lendFile } from "./lend.ts";
import { AgentFolders, type Places, removeFile, writeOwn } from "./places.ts";
import { endProcess, readEnded, readStarted, reportOf } from "./process.ts";
import {
  type AgentProgram,
  type CommandLine,
  findConversation,
  isInstalled,
  lineOf,
  makeOf,
  presets,
} from "./programs.ts";
import { followLog, followSession, type Terminal } from "./terminal.ts";
import { Tmux } from "./tmux.ts";
import { type CountLines, isCounted, UsageReader } from "./usage.ts";
import { Watcher } from "./watcher.ts";

interface LauncherOptions {
  readonly dataDir: string;
  readonly host: GitHost;
  readonly programs: Readonly<Record<string, AgentProgram>>;
  readonly mostAtOnce: number;
  readonly quietMs?: number;
  readonly budget?: Budget | null;
  /** Reads what programs write down about what they use. */
  readonly countLines: CountLines;
}

const words: Record<InstanceType, string> = { coding: "work", review: "review", planning: "planning" };
const startLimitMs = 15_000;

/** Starts and ends the programs of agents, in a terminal or without one, and finds them again. */
export class Launcher {
  readonly folders: AgentFolders;
  readonly tmux: Tmux;
  readonly #options: LauncherOptions;
  readonly #address: Promise<string>;
  readonly #watcher: Watcher;
  readonly #usage: UsageReader;
  /** Says where agents reach this server. What is to be started before that waits for it. */
  listensAt: (url: string) => void = () => undefined;

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.folders = new AgentFolders(options.dataDir);
    this.tmux = new Tmux(this.folders.root);
    this.#watcher = new Watcher(this.tmux);
    this.#usage = new UsageReader(options.countLines);
    this.#address = new Promise((resolve) => {
      this.listensAt = resolve;
    });
  }

  get ports(): Omit<InstancePorts, "readWorkTree"> {
    return {
      mostAtOnce: this.#options.mostAtOnce,
      listPrograms: () => this.#names().map((name) => ({ name, isInstalled: this.#isInstalled(name) })),
      planLaunch: async (ask) => this.#plan(ask),
      readOutput: (id, lines) => this.#readOutput(id, lines),
      budget: this.#options.budget ?? null,
      quietMs: this.#options.quietMs ?? 15 * 60_000,
      readProcesses: (asks) => this.#readProcesses(asks),
    };
  }

  get hands() {
    const launch: Hand<LaunchInstance, LaunchedInstance> = {
      run: (ask, turn) => this.#launch(ask, turn),
      undo: (ask, turn) => this.#takeBack(ask, turn),
    };
    const end: Hand<EndInstance, { readonly exitCode: number | null }> = {
      run: (ask, turn) => this.#end(ask, turn.signal),
    };
    const say: Hand<SayToInstance, { readonly isHeard: boolean }> = { run: (ask, turn) => this.#say(ask, turn) };
    return { "instance.launch": launch, "review.launch": launch, "instance.end": end, "instance.say": say };
  }

  async #readProcesses(asks: readonly ProcessAsk[]): Promise<ReadonlyMap<InstanceId, ProcessReport>> {
    const now = Date.now();
    const reports = new Map<InstanceId, ProcessReport>();
    for (const ask of asks) {
      const places = this.folders.of(ask.id);
      const report = reportOf(places, now);
      if (!report) continue;
      const conversation = this.folders.conversationOf(ask.id);
      const env = { ...process.env, ...this.#options.programs[ask.program]?.env };
      const used = this.#usage.read({ ...ask, logFile: places.logFile, conversation, env });
      const counted = { isCounted: isCounted(ask.program, ask.mode), ...(used ? { used } : {}) };
      reports.set(ask.id, { ...report, ...counted });
    }
    this.#usage.keep(new Set(asks.map(({ id }) => id)));
    const running = [...reports].flatMap(([id, { state }]) => (state === "running" ? [id] : []));
    const sights = await this.#watcher.look(running, (id) => this.folders.of(id).logFile);
    for (const [id, sight] of sights) {
      const report = reports.get(id);
      if (report?.state === "running") reports.set(id, { ...report, ...sight });
    }
    return reports;
  }

  #plan({ type, wanted, author }: LaunchAsk): LaunchPlan {
    const program = this.#choose(type, wanted, author);
    const mode = this.#options.programs[program]?.mode ?? (Tmux.isThere() ? "tmux" : "headless");
    if (mode === "tmux" && !Tmux.isThere()) {
      throw new Refusal("TMUX_NOT_AVAILABLE", "tmux is configured for this agent and not installed.");
    }
    const id = this.folders.newId(words[type]);
    const path = this.folders.worktreeOf(id);
    return { id, program, mode, path, secret: this.folders.secretOf(id), isCounted: isCounted(program, mode) };
  }

  #choose(type: InstanceType, wanted: string | null, author: string | null): string {
    const known = this.#names();
    if (wanted !== null) {
      if (!known.includes(wanted)) {
        throw new Refusal(
          "SPAWNER_ERROR",
          "No agent of that name is configured.",
          `Configured are: ${known.join(", ")}.`,
        );
      }
      if (this.#isInstalled(wanted)) return wanted;
      throw new Refusal(
        "SPAWNER_ERROR",
        `The program of agent ${wanted} is not installed.`,
        "Install it, or see that PATH finds it.",
      );
    }
    const installed = known.filter((name) => this.#isInstalled(name));
    const other = type === "review" ? installed.find((name) => makeOf(name) !== makeOf(author)) : undefined;
    const chosen = other ?? installed[0];
    if (chosen !== undefined) return chosen;
    throw new Refusal(
      "SPAWNER_ERROR",
      "No agent program is installed.",
      "Install Claude Code, Codex, Gemini CLI or opencode, or name another program under `agents` in config.json.",
    );
  }

  #names(): string[] {
    return [...new Set([...Object.keys(presets), ...Object.keys(this.#options.programs)])];
  }

  #isInstalled(name: string): boolean {
    const program = this.#options.programs[name]?.command?.[0] ?? presets[name]?.program;
    return program !== undefined && isInstalled(program);
  }

  async #launch(ask: LaunchInstance, turn: Turn): Promise<LaunchedInstance> {
    const { host } = this.#options;
    const made = ask.worktree === null ? null : await makeWorktrees(host).run(ask.worktree, turn);
    const places = this.folders.of(ask.instanceId);
    const startedAt = await this.#start({ ...ask, path: made?.path ?? ask.path }, places, turn.signal);
    return { made, startedAt };
  }

  async #start(ask: LaunchInstance, places: Places, signal: AbortSignal): Promise<number> {
    // A server that was killed after it had started the program finds it again here.
    const before = readStarted(places, ask.turn);
    if (before) return before.startedAt;
    mkdirSync(places.folder, { recursive: true, mode: 0o700 });
    const { line, env } = await this.#prepare(ask, places);
    if (line.workTreeFile) lendFile(ask.path, line.workTreeFile);
    const stdinFile = line.readsStdin ? places.promptFile : null;
    const hasTerminal = ask.mode === "tmux";
    const launch = { turn: ask.turn, command: line.words, cwd: ask.path, env, hasTerminal, stdinFile };
    writeOwn(places.launchFile, JSON.stringify(launch));
    const runner = [process.execPath, join(dirname(programFile), "agent-runner.js"), places.folder];
    if (hasTerminal) {
      await this.tmux.kill(ask.instanceId);
      await this.tmux.start(ask.instanceId, runner, places.folder);
    } else startDetached(runner, places.folder);
    for (const deadline = Date.now() + startLimitMs; Date.now() < deadline; await pause(20, undefined, { signal })) {
      const ended = readEnded(places, ask.turn);
      if (ended?.problem) throw notStarted(ask.program);
      const started = readStarted(places, ask.turn);
      if (started) return started.startedAt;
    }
    throw notStarted(ask.program);
  }

  async #prepare(ask: LaunchInstance, places: Places): Promise<{ line: CommandLine; env: Record<string, string> }> {
    const { instanceId, parentId, tokenId, program } = ask;
    writeOwn(places.promptFile, ask.prompt);
    const { dataDir, programs } = this.#options;
    const own = {
      INSTANCE_ID: instanceId,
      ...(parentId === null ? {} : { PARENT_INSTANCE_ID: parentId }),
      COVIBE_BASE_URL: await this.#address,
      COVIBE_MCP_TOKEN: tokenText(tokenId, this.folders.secretOf(instanceId)),
      COVIBE_AGENT: program,
      CREWDECK_HOME: dataDir,
      CREWDECK_PROMPT_FILE: places.promptFile,
    };
    const configured = programs[program];
    const lineAsk = {
      ...ask,
      allow: configured?.allow,
      promptFile: places.promptFile,
      folder: places.folder,
      commitPaths: await commitPathsOf(ask.path),
      conversation: this.folders.conversationOf(instanceId),
      saidConversation: findConversation(program, readLog(places)),
      bridge: [process.execPath, programFile, "mcp"],
      variables: Object.keys(own),
    };
    const line = configured?.command
      ? lineOf(configured, lineAsk)
      : (presets[program] ?? notKnown(program)).line(lineAsk);
    return { line, env: { ...inherited(), ...line.env, ...configured?.env, ...own } };
  }

  async #takeBack(ask: LaunchInstance, turn: Turn): Promise<void> {
    await this.#end({ instanceId: ask.instanceId, graceMs: 0 }, turn.signal);
    const { worktree } = ask;
    if (worktree === null) return;
    const { host } = this.#options;
    await makeWorktrees(host).undo?.(worktree, turn);
    await host.work(worktree.repositoryPath, turn.signal, (repository) =>
      discardFresh(repository, worktree.path, { branch: worktree.branch, commit: worktree.commit ?? "" }),
    );
  }

  async #end({ instanceId, graceMs }: EndInstance, signal: AbortSignal): Promise<{ exitCode: number | null }> {
    const places = this.folders.of(instanceId);
    const exitCode = await endProcess(places, graceMs, signal);
    removeFile(places.launchFile);
    const screen = Tmux.isThere() ? await this.tmux.capture(instanceId) : undefined;
    if (screen !== undefined) {
      writeOwn(places.logFile, screen);
      await this.tmux.kill(instanceId);
    }
    return { exitCode };
  }

  /** The end of what a program has put out, of a terminal what it shows. */
  async #readOutput(id: InstanceId, lines?: number): Promise<string> {
    if (!isInstanceName(id)) return "";
    const screen = Tmux.isThere() ? await this.tmux.capture(id, lines) : undefined;
    return screen ?? readLog(this.folders.of(id));
  }

  /** Shows what a program puts out as it comes, and takes keys for it where it has a terminal. */
  openTerminal = async (
    name: string,
    events: { data(text: string): void; exit(code: number | null): void },
  ): Promise<Terminal | undefined> => {
    if (!isInstanceName(name)) return undefined;
    const id = InstanceId.parse(name);
    const places = this.folders.of(id);
    const session = Tmux.isThere() ? await followSession(this.tmux, id, places, events) : undefined;
    return session ?? (existsSync(places.folder) ? followLog(places, events) : undefined);
  };

  /** Says something to a program that runs in a terminal. A server that is killed meanwhile does not say it twice. */
  async #say({ instanceId, text }: SayToInstance, { key }: Turn): Promise<{ isHeard: boolean }> {
    const places = this.folders.of(instanceId);
    const mark = join(places.folder, `said-${createHash("sha256").update(key).digest("hex").slice(0, 16)}`);
    if (existsSync(mark)) return { isHeard: true };
    const isRunning = reportOf(places, 0)?.state === "running";
    if (!isRunning || !Tmux.isThere() || !(await this.tmux.has(instanceId))) return { isHeard: false };
    // What is typed into a question would answer it.
    if (await this.#watcher.isAsked(instanceId)) return { isHeard: false };
    writeOwn(mark, "");
    await this.tmux.paste(instanceId, text);
    return { isHeard: true };
  }
}

/** Names of folders and sessions are ours alone: nothing else is looked up. */
const isInstanceName = (name: string): boolean => /^(work|review|planning)-[0-9a-z]{8}$/.test(name);

const mostLog = 1024 * 1024;

function readLog({ logFile }: Places): string {
  return readTail(logFile, mostLog);
}

/** A process group of its own that outlives this server. */
function startDetached([program = "", ...args]: readonly string[], cwd: string): ChildProcess {
  const child = spawn(program, args, { cwd, detached: true, stdio: "ignore", env: process.env, windowsHide: true });
  child.on("error", () => undefined);
  child.unref();
  return child;
}

/** What tells a program that it runs inside of another one, or that it is somebody else. */
const foreign =
  /^(COVIBE_|CREWDECK_|MCP_|TMUX|CLAUDECODE$|CLAUDE_CODE_(SESSION|ENTRYPOINT|SSE)|CLAUDE_PROJECT_DIR$|GEMINI_CLI$|OPENCODE(_PID)?$|INSTANCE_ID$|PARENT_INSTANCE_ID$)/;

const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || foreign.test(name) ? [] : [[name, value]],
    ),
  );

const notStarted = (program: string): Refusal =>
  new Refusal(
    "SPAWNER_ERROR",
    `The program of agent ${program} could not be started.`,
    "Check its command in config.json.",
  );

function notKnown(program: string): never {
  throw notStarted(program);
}
