import { openSocket } from "../../data/page-secret.ts";

/** `ended`: the program has ended, what it showed stays. `none`: there is nothing to show. */
export type TerminalState = "connecting" | "live" | "reconnecting" | "ended" | "none";

interface TerminalListener {
  onData(text: string): void;
  /** A new connection shows the screen from its beginning. */
  onScreen(ask: { isReadOnly: boolean }): void;
  onState(state: TerminalState): void;
}

interface Said {
  readonly type?: unknown;
  readonly data?: unknown;
  readonly read_only?: unknown;
}

const firstRetryMs = 500;
const longestRetryMs = 8_000;
const pingEveryMs = 20_000;
/** The server closes with these where coming back would change nothing. */
const final: readonly number[] = [4401, 4404];

/** The socket of one agent's terminal. It comes back by itself until the page is left. */
export class TerminalLink {
  readonly #id: string;
  readonly #listener: TerminalListener;
  #socket: WebSocket | undefined;
  #size = { cols: 80, rows: 24 };
  #retryMs = firstRetryMs;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setInterval> | undefined;
  #hasEnded = false;

  constructor(id: string, listener: TerminalListener) {
    this.#id = id;
    this.#listener = listener;
  }

  start(size: { cols: number; rows: number }): void {
    this.#size = size;
    this.#connect();
    this.#ping = setInterval(() => this.#send({ type: "ping" }), pingEveryMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#ping);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  type(data: string): void {
    this.#send({ type: "input", data });
  }

  resize(size: { cols: number; rows: number }): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return;
    this.#size = size;
    this.#send({ type: "resize", ...size });
  }

  #connect(): void {
    const socket = openSocket(`/ws/terminal/${encodeURIComponent(this.#id)}`);
    this.#socket = socket;
    socket.addEventListener("open", () => socket === this.#socket && this.#send({ type: "connect", ...this.#size }));
    socket.addEventListener("message", ({ data }) => socket === this.#socket && this.#receive(String(data)));
    socket.addEventListener("close", ({ code }) => socket === this.#socket && this.#lose(code));
  }

  #receive(text: string): void {
    const said = JSON.parse(text) as Said;
    if (said.type === "connected") {
      this.#retryMs = firstRetryMs;
      this.#hasEnded = false;
      // What was sent on opening came before anybody listened to it.
      this.#send({ type: "resize", ...this.#size });
      this.#listener.onScreen({ isReadOnly: said.read_only === true });
      this.#listener.onState("live");
    } else if (said.type === "data" && typeof said.data === "string") this.#listener.onData(said.data);
    else if (said.type === "exit") {
      this.#hasEnded = true;
      this.#listener.onState("ended");
    }
  }

  #lose(code: number): void {
    this.#socket = undefined;
    const isFinal = final.includes(code);
    if (isFinal) this.#listener.onState("none");
    if (isFinal || this.#hasEnded) return;
    this.#listener.onState("reconnecting");
    this.#timer = setTimeout(() => this.#connect(), this.#retryMs * (0.7 + Math.random() * 0.6));
    this.#retryMs = Math.min(this.#retryMs * 2, longestRetryMs);
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
