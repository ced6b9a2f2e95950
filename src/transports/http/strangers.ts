import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Connections on which nobody has shown a token yet. Everybody is one for an instant. */
const mostStrangers = 1_000;
/** Who has only just come may be about to say who they are. */
const graceMs = 1_000;

/**
 * Lets strangers go when there are too many, the oldest first: whoever opens connections and says nothing pushes out their
 * own, and never those that have shown a token (SE54).
 */
export class Strangers {
  readonly #since = new Map<Socket, number>();

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.#makeRoom();
      this.#since.set(socket, performance.now());
      socket.once("close", () => this.#since.delete(socket));
    });
  }

  isKnown(socket: Socket): void {
    this.#since.delete(socket);
  }

  #makeRoom(): void {
    // In the order they came.
    for (const [socket, since] of this.#since) {
      if (this.#since.size < mostStrangers || performance.now() - since < graceMs) return;
      this.#since.delete(socket);
      socket.destroy();
    }
  }
}
