import { randomUUID } from "node:crypto";
import { setTimeout as pass } from "node:timers/promises";

/** What says nothing about whether a call had effect: the same call is sent again under the same key. */
const worthRepeating = new Set([
  "SERVER_UNREACHABLE",
  "OUTCOME_UNKNOWN",
  "STALE",
  "RATE_LIMITED",
  "INTERNAL",
  "TOOL_TIMEOUT",
  "STORE_READ_ONLY",
]);
const patienceMs = 15_000;
/** A whole store is looked through for as long as that takes. */
const verifyPatienceMs = 20 * 60_000;

/** Calls tools at whichever server there is, again and again until one has answered. */
export class Client {
  #nodes;
  #token;
  #random;
  calls = 0;
  repeated = 0;

  constructor({ nodes, token, random }) {
    this.#nodes = nodes;
    this.#token = token;
    this.#random = random;
  }

  anyUrl() {
    return this.#nodes[Math.floor(this.#random() * this.#nodes.length)].url;
  }

  /** The answer of a tool, or the code it was refused with. */
  async call(tool, args) {
    const key = randomUUID();
    this.calls += 1;
    for (;;) {
      const answer = await this.#send("POST", `/api/tools/${tool}`, args, key);
      if (answer?.ok) return { value: answer.result };
      if (answer !== undefined && !worthRepeating.has(answer.error.code)) return { code: answer.error.code };
      this.repeated += 1;
      await pass(50 + this.#random() * 200);
    }
  }

  async read(path) {
    for (;;) {
      const answer = await this.#send("GET", path);
      if (answer?.ok) return answer.result;
      if (answer !== undefined && !worthRepeating.has(answer.error.code)) throw new Error(JSON.stringify(answer.error));
      await pass(200);
    }
  }

  async #send(method, path, body, key) {
    try {
      const response = await fetch(`${this.anyUrl()}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(path === "/api/verify" ? verifyPatienceMs : patienceMs),
      });
      return await response.json();
    } catch {
      return undefined;
    }
  }
}
