import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A process of the test's own that prints one JSON value on each line. */
export class Program {
  readonly process: ChildProcess;
  readonly lines: unknown[] = [];
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  readonly #errors: string[] = [];
  #onLine: () => void = () => undefined;

  constructor(process: ChildProcess) {
    this.process = process;
    if (process.stdout) {
      createInterface({ input: process.stdout }).on("line", (line) => {
        this.lines.push(parse(line));
        this.#onLine();
      });
    }
    process.stderr?.on("data", (data: Buffer) => this.#errors.push(data.toString()));
    this.ended = new Promise((resolve) => process.on("close", (code, signal) => resolve({ code, signal })));
  }

  get errors(): string {
    return this.#errors.join("");
  }

  /** Resolves once as many lines have come; fails when the process ends before. */
  async waitForLines(count: number): Promise<unknown[]> {
    const enough = new Promise<void>((resolve) => {
      this.#onLine = () => {
        if (this.lines.length >= count) resolve();
      };
      this.#onLine();
    });
    await Promise.race([enough, this.ended]);
    if (this.lines.length < count)
      throw new Error(`the process ended after ${this.lines.length} lines: ${this.errors}`);
    return this.lines;
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended;
  }
}

/** The last line may be cut off where the process was killed. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const pathOf = (name: string): string => fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));

/** Starts one of the programs beside this file; `under` runs it under another command, such as strace. */
export function startProgram(name: string, ask: unknown, under: readonly string[] = []): Program {
  const [command = process.execPath, ...args] = [...under, process.execPath, pathOf(name), JSON.stringify(ask)];
  const program = new Program(spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] }));
  onTestFinished(() => program.kill());
  return program;
}
