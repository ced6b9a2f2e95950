import { asLiveEvent, type LiveEvent } from "./event.ts";
import { openSocket } from "./page-secret.ts";

/**
 * `live`: what is on screen is true. `connecting`, `reconnecting`: it was a moment ago. `stale`: nobody knows.
 * `ended`: the sign-in was revoked.
 */
export type LinkState = "connecting" | "live" | "reconnecting" | "stale" | "ended";

interface LinkListener {
  onEvent(event: LiveEvent): void;
  onState(state: LinkState): void;
  /** The end of the ledger as it is now. */
  findPlace(): Promise<string | undefined>;
  /** The server knew no place like ours, as after the restore of a backup: everything must be read anew. */
  onReset(): void;
}

const firstRetryMs = 400;
const longestRetryMs = 8_000;
/** Longer without a connection than this and the screen says so. */
const staleAfterMs = 6_000;
const probeEveryMs = 15_000;
const connectTakesMs = 8_000;
const probeTakesMs = 5_000;

/**
 * The one socket of the page. It comes back with the last cursor it has seen, so nothing is missed and nothing comes
 * twice: not after sleep, a restart of the server or a dropped network.
 */
export class LiveLink {
  readonly #listener: LinkListener;
  #cursor: string | undefined;
  #socket: WebSocket | undefined;
  #retryMs = firstRetryMs;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #turnStale: ReturnType<typeof setTimeout> | undefined;
  #state: LinkState = "connecting";
  #probe: ReturnType<typeof setInterval> | undefined;
  #lastTickAt = Date.now();

  constructor(listener: LinkListener) {
    this.#listener = listener;
  }

  get state(): LinkState {
    return this.#state;
  }

  start(cursor: string | undefined): void {
    this.#cursor = cursor;
    this.#connect();
    this.#probe = setInterval(() => void this.#tick(), probeEveryMs);
    window.addEventListener("online", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
  }

  stop(): void {
    clearInterval(this.#probe);
    clearTimeout(this.#retry);
    clearTimeout(this.#turnStale);
    window.removeEventListener("online", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #connect(): void {
    clearTimeout(this.#retry);
    const socket = openSocket("/ws");
    this.#socket = socket;
    const tooLong = setTimeout(() => this.#giveUp(socket), connectTakesMs);
    socket.addEventListener("open", () => {
      clearTimeout(tooLong);
      if (socket !== this.#socket) return;
      this.#retryMs = firstRetryMs;
      socket.send(JSON.stringify({ subscribe: ["*"], ...(this.#cursor ? { after: this.#cursor } : {}) }));
      this.#turn("live");
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#receive(String(data));
    });
    socket.addEventListener("close", ({ code }) => {
      clearTimeout(tooLong);
      if (socket === this.#socket) this.#lose(code);
    });
  }

  #giveUp(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    socket.close();
    this.#lose(1006);
  }

  #receive(text: string): void {
    const message: unknown = JSON.parse(text);
    const event = asLiveEvent(message);
    if (event) {
      this.#cursor = event.cursor;
      this.#listener.onEvent(event);
      return;
    }
    if ((message as { event?: unknown } | null)?.event === "error") void this.#startAnew(this.#socket);
  }

  /** The place is taken before anything is read, so that nothing can fall between the readings and the link. */
  async #startAnew(socket: WebSocket | undefined): Promise<void> {
    const place = await this.#listener.findPlace().catch(() => this.#cursor);
    if (socket === undefined || socket !== this.#socket) return;
    this.#cursor = place;
    this.#giveUp(socket);
    this.#listener.onReset();
  }

  #lose(code: number): void {
    this.#socket = undefined;
    if (code === 4401) {
      this.stop();
      this.#turn("ended");
      return;
    }
    if (this.#state === "live" || this.#state === "connecting") this.#turn("reconnecting");
    // Many decks must not come back in the same instant.
    const waitMs = this.#retryMs * (0.7 + Math.random() * 0.6);
    this.#retryMs = Math.min(this.#retryMs * 2, longestRetryMs);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }

  #turn(state: LinkState): void {
    if (state === this.#state) return;
    this.#state = state;
    clearTimeout(this.#turnStale);
    if (state === "reconnecting") this.#turnStale = setTimeout(() => this.#turn("stale"), staleAfterMs);
    this.#listener.onState(state);
  }

  /** Somebody looks again, or the network is back: no need to wait for the next try. */
  readonly #wake = (): void => {
    if (document.visibilityState === "hidden") return;
    if (this.#socket === undefined) {
      this.#retryMs = firstRetryMs;
      this.#connect();
    } else {
      void this.#tick();
    }
  };

  /** A socket whose other end is gone says nothing; only asking shows it. After sleep it is not even asked. */
  async #tick(): Promise<void> {
    const sinceLastMs = Date.now() - this.#lastTickAt;
    this.#lastTickAt = Date.now();
    const socket = this.#socket;
    if (socket === undefined || socket.readyState !== WebSocket.OPEN) return;
    const hasSlept = sinceLastMs > 3 * probeEveryMs;
    if (!hasSlept && (await isAlive())) return;
    this.#giveUp(socket);
  }
}

async function isAlive(): Promise<boolean> {
  try {
    return (await fetch("/health", { signal: AbortSignal.timeout(probeTakesMs) })).ok;
  } catch {
    return false;
  }
}
