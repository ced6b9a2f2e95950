import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { writeOwn } from "./places.ts";
import { isInstalled } from "./programs.ts";

/** Nothing of the person's own configuration: what it names could run, and what it binds could surprise. */
const configuration = [
  "set -g remain-on-exit on",
  "set -g status off",
  "set -g history-limit 20000",
  "set -g default-terminal screen-256color",
  "set -g allow-rename off",
  "set -g automatic-rename off",
  "set -g set-titles off",
  "set -g escape-time 0",
  "set -g window-size latest",
  "set -g update-environment ''",
  "",
].join("\n");

/** A socket's name may not be long. */
const longestSocket = 100;

/** The terminals of one home, on a socket of their own. */
export class Tmux {
  readonly socket: string;
  readonly #configFile: string;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    const inside = join(folder, "tmux.sock");
    this.socket = inside.length <= longestSocket ? inside : besideOf(folder);
    this.#configFile = join(folder, "tmux.conf");
  }

  /**
   * One act after the other. tmux 3.3a ends, and every agent with it, when it has something to tell all clients in control
   * mode (one left, a session began, a size changed) while a further one has only half introduced itself.
   */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(act);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  static isThere = (): boolean => isInstalled("tmux");

  /** The words that a person's terminal is given to attach. */
  attachWords = (session: string): string[] => [...this.words("attach-session", "-t", `=${session}`)];

  words(...args: readonly string[]): string[] {
    return ["tmux", "-S", this.socket, "-f", this.#configFile, ...args];
  }

  /**
   * Starts a session. The command is several words, so tmux runs it without a shell; no folder is passed, because tmux
   * would read formats such as #(…) in its name. Whatever starts goes to its own folder itself.
   */
  async start(session: string, command: readonly string[], cwd: string): Promise<void> {
    writeOwn(this.#configFile, configuration);
    const size = ["-x", "150", "-y", "45"];
    await this.run(["new-session", "-d", "-s", session, ...size, "--", ...command], { cwd });
  }

  async has(session: string): Promise<boolean> {
    return (await this.run(["has-session", "-t", `=${session}`], { mayFail: true })) !== undefined;
  }

  /** All that is on the screen and above it. */
  async capture(session: string, lines = 20_000): Promise<string | undefined> {
    return this.run(["capture-pane", "-p", "-e", "-J", "-S", `-${lines}`, "-t", `=${session}:`], { mayFail: true });
  }

  /** What is on the screen right now. */
  async screen(session: string): Promise<string | undefined> {
    return this.run(["capture-pane", "-p", "-J", "-t", `=${session}:`], { mayFail: true });
  }

  /** How far below the last line that shows something its cursor stands, and in which column. */
  async cursor(session: string): Promise<{ below: number; column: number }> {
    const target = ["-t", `=${session}:`];
    const at = await this.run(["display-message", "-p", ...target, "#{cursor_x} #{cursor_y}"], { mayFail: true });
    const screen = await this.run(["capture-pane", "-p", ...target], { mayFail: true });
    const [column = 0, row = 0] = (at ?? "").trim().split(" ").map(Number);
    const lines = (screen ?? "").replace(/\s+$/, "").split("\n").length;
    return { below: row - (lines - 1), column };
  }

  /** Types a text and Enter. It goes by a buffer: nothing in it is a key, a command or a format. */
  async paste(session: string, text: string): Promise<void> {
    const buffer = `crewdeck-${session}`;
    await this.run(["load-buffer", "-b", buffer, "-"], { input: text });
    await this.run(["paste-buffer", "-p", "-r", "-d", "-b", buffer, "-t", `=${session}:`]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await this.run(["send-keys", "-t", `=${session}:`, "Enter"]);
  }

  async kill(session: string): Promise<void> {
    await this.run(["kill-session", "-t", `=${session}`], { mayFail: true });
  }

  run(args: readonly string[], ask: Ask & { mayFail: true }): Promise<string | undefined>;
  run(args: readonly string[], ask?: Omit<Ask, "mayFail">): Promise<string>;
  run(args: readonly string[], ask: Ask = {}): Promise<string | undefined> {
    return this.inTurn(() => this.#call(args, ask));
  }

  async #call(args: readonly string[], { input, cwd = "/", mayFail = false }: Ask): Promise<string | undefined> {
    const [program = "", ...words] = this.words(...args);
    const child = spawn(program, words, { cwd, env: bareEnv(), stdio: ["pipe", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    const code = await new Promise<number | null>((resolve) => {
      child.once("error", () => resolve(null));
      child.once("close", resolve);
    });
    if (code === 0) return Buffer.concat(chunks).toString("utf8");
    if (mayFail) return undefined;
    throw new Refusal(
      "SPAWNER_ERROR",
      "tmux could not do what was asked of it.",
      "See that tmux works on this machine.",
      {
        detail: Buffer.concat(errors).toString("utf8").slice(-500),
      },
    );
  }
}

interface Ask {
  readonly input?: string;
  readonly cwd?: string;
  readonly mayFail?: boolean;
}

/** Its server lives on and hands this to whatever it starts: nothing of ours is in it. */
export const bareEnv = (): NodeJS.ProcessEnv => {
  const { PATH, HOME, LANG, LC_ALL, TMPDIR } = process.env;
  return {
    PATH,
    HOME,
    LANG: LANG ?? "C.UTF-8",
    ...(LC_ALL ? { LC_ALL } : {}),
    ...(TMPDIR ? { TMPDIR } : {}),
    TERM: "xterm-256color",
  };
};

function besideOf(folder: string): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const beside = join(tmpdir(), `crewdeck-${userInfo().uid}-${name}`);
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  return join(beside, "tmux.sock");
}
