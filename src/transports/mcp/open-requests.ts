import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { RequestId } from "./rpc.ts";

/** The requests of a connection that still wait for their answer. */
export class OpenRequests {
  readonly #ids = new Set<RequestId>();
  #onNone: () => void = () => undefined;

  received(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    const { method } = message;
    // A subscription is a request that is answered when the connection ends.
    if ("id" in message && method !== "subscriptions/listen") this.#ids.add(message.id);
    if (method === "notifications/cancelled") this.#settle(message.params?.["requestId"] as RequestId);
  }

  sent(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
  }

  /** Calls back once, when nothing waits any more or `limitMs` are over. */
  whenNone(limitMs: number, callback: () => void): void {
    if (this.#ids.size === 0) {
      callback();
      return;
    }
    const timer = setTimeout(callback, limitMs);
    this.#onNone = () => {
      clearTimeout(timer);
      callback();
    };
  }

  #settle(id: RequestId): void {
    if (this.#ids.delete(id) && this.#ids.size === 0) this.#onNone();
  }
}
