import { once } from "node:events";
import { endProgram, startNode } from "./programs.mjs";
import { checkAnswer, initializeParams, request } from "./rpc.mjs";

/** A client that does next to nothing itself: one line a message, answers found by id. */
export class StdioClient {
  #waiting = new Map();
  #rest = "";
  #lastId = 0;

  constructor(args, env) {
    this.child = startNode(args, { env });
    this.child.stdout.setEncoding("utf8").on("data", (text) => this.#take(text));
    this.child.once("exit", (code) => this.#fail(new Error(`the server ended with ${code}`)));
    this.child.stdin.on("error", () => undefined);
  }

  request(method, params) {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.child.stdin.write(`${JSON.stringify(request(id, method, params))}\n`);
    });
  }

  async open() {
    const answer = await this.request("initialize", initializeParams);
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return answer;
  }

  async call(name, args) {
    return checkAnswer(await this.request("tools/call", { name, arguments: args }));
  }

  /** Hangs up as clients do, and waits until the other side has ended. */
  async close() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, "exit");
    this.child.stdin.end();
    const impatience = setTimeout(() => void endProgram(this.child), 5_000);
    await gone;
    clearTimeout(impatience);
  }

  #take(text) {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop();
    for (const line of lines) {
      const answer = JSON.parse(line);
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    }
  }

  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
