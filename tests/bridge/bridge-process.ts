import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { programFile, type TestHome } from "../cli/program.ts";

export interface Frame {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** A real bridge process and the client's end of it. */
export class BridgeProcess {
  readonly child: ChildProcess;
  readonly home: TestHome;
  /** Everything it said, in order. */
  readonly frames: Frame[] = [];
  readonly ended: Promise<number | null>;
  stderr = "";
  #waiters: (() => void)[] = [];
  #nextId = 1;

  constructor(home: TestHome, args: readonly string[] = [], program = programFile) {
    this.home = home;
    const command = program.endsWith("covibe-mcp.js") ? [] : ["mcp"];
    this.child = spawn(process.execPath, [program, ...command, ...args], { env: home.env, stdio: "pipe" });
    onTestFinished(() => void this.child.kill("SIGKILL"));
    let rest = "";
    this.child.stdin?.on("error", () => undefined);
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      // A line that is no JSON ends the test here: nothing else may ever be on stdout.
      this.frames.push(...lines.map((line) => JSON.parse(line) as Frame));
      for (const wake of this.#waiters.splice(0)) wake();
    });
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code) => {
        resolve(code);
        for (const wake of this.#waiters.splice(0)) wake();
      });
    });
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  send(frame: object): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
  }

  /** Sends a request and waits for its answer. */
  ask(method: string, params?: Record<string, unknown>): Promise<Frame> {
    return this.answerTo(this.post(method, params));
  }

  /** Sends a request and answers its id. */
  post(method: string, params?: Record<string, unknown>): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.send(params === undefined ? { id, method } : { id, method, params });
    return id;
  }

  call(name: string, args: Record<string, unknown> = {}): Promise<Frame> {
    return this.ask("tools/call", { name, arguments: args });
  }

  answerTo(id: string | number | null): Promise<Frame> {
    return this.waitFor((frame) => frame.id === id && frame.method === undefined);
  }

  async waitFor(isWanted: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(isWanted);
      if (found) return found;
      if (this.child.exitCode !== null) throw new Error(`the bridge ended with ${this.child.exitCode}: ${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  /** The handshake of the era that has one. */
  async initialize(protocolVersion = "2025-11-25", name = "test"): Promise<Frame> {
    const answer = await this.ask("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name, version: "1" },
    });
    this.send({ method: "notifications/initialized" });
    return answer;
  }

  /** Hangs up and waits for the end. */
  async hangUp(): Promise<number | null> {
    this.child.stdin?.end();
    return this.ended;
  }
}

/** The bridge under the name the team contract gives it. */
export const contractProgram = join(programFile, "..", "covibe-mcp.js");

/** What every request of the stateless era carries. */
export const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
