import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pass } from "node:timers/promises";

/** One server of the run. It is ended without warning, frozen and started again on the port it had. */
export class Node {
  #program;
  home;
  #database;
  #port = "0";
  #child;
  #isWanted = true;
  url = "";
  /** How long it took to answer again after each kill, in milliseconds. */
  restartsMs = [];

  constructor({ program, home, database }) {
    this.#program = program;
    this.home = home;
    this.#database = database;
  }

  async start() {
    const args = [this.#program, "serve", "--json", "--port", this.#port, "--home", this.home];
    if (this.#database !== undefined) args.push("--database", this.#database);
    for (;;) {
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
      this.#child = child;
      const line = once(createInterface({ input: child.stdout }), "line").then(([text]) => text);
      const note = await Promise.race([line, once(child, "exit").then(() => undefined)]);
      if (note !== undefined) {
        this.url = JSON.parse(note).url;
        this.#port = new URL(this.url).port;
        return;
      }
      // While the database is away a server cannot start; its keeper would try again.
      await pass(200);
    }
  }

  async kill() {
    const begun = performance.now();
    await this.#end("SIGKILL");
    if (!this.#isWanted) return;
    await this.start();
    this.restartsMs.push(Math.round(performance.now() - begun));
  }

  async freeze(ms) {
    const { pid } = this.#child;
    process.kill(pid, "SIGSTOP");
    await pass(ms);
    process.kill(pid, "SIGCONT");
  }

  async stop() {
    this.#isWanted = false;
    await this.#end("SIGTERM");
  }

  async #end(signal) {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
}
