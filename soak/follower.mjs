import { setTimeout as pass } from "node:timers/promises";
import { WebSocket } from "ws";

/** Listens from the beginning and comes back with its last cursor, however often the connection is lost. */
export class Follower {
  #client;
  #token;
  #from;
  #isOver = false;
  #running;
  /** Every cursor in the order in which it came. */
  cursors = [];
  connections = 0;

  constructor(client, token, from) {
    this.#from = from;
    this.#client = client;
    this.#token = token;
    this.#running = this.#run();
  }

  async stop() {
    this.#isOver = true;
    await this.#running;
  }

  async #run() {
    while (!this.#isOver) {
      await this.#listen();
      await pass(100);
    }
  }

  #listen() {
    return new Promise((resolve) => {
      const socket = new WebSocket(`${this.#client.anyUrl().replace("http", "ws")}/ws`, {
        headers: { authorization: `Bearer ${this.#token}` },
        handshakeTimeout: 10_000,
      });
      const look = setInterval(() => this.#isOver && socket.terminate(), 200);
      let heardAt = Date.now();
      // A frozen server says nothing; others have what it would have said.
      const leave = setInterval(() => Date.now() - heardAt > 20_000 && socket.terminate(), 1_000);
      socket.on("open", () => {
        this.connections += 1;
        socket.send(JSON.stringify({ subscribe: ["*"], after: this.cursors.at(-1) ?? this.#from }));
      });
      socket.on("message", (data) => {
        heardAt = Date.now();
        const { cursor } = JSON.parse(String(data));
        if (cursor !== undefined) this.cursors.push(cursor);
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearInterval(look);
        clearInterval(leave);
        resolve();
      });
    });
  }
}
