import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../../contract/refusal.ts";
import type { Handshake } from "./conversation.ts";
import { type RequestId, toFrame } from "./message.ts";
import type { Pipe, PipeEvents } from "./pipe.ts";

/** Finds a server, or starts one unless that is ruled out, and connects to it; a Refusal says why that cannot be. */
export type Connect = (events: PipeEvents, ask?: Dial) => Promise<Pipe>;

interface Dial {
  /** Only a server that runs already will do. */
  readonly startsNone?: boolean;
}

interface LinkEvents {
  /** A frame from the server, except answers to our own greetings. */
  frame(text: string): void;
  /** A link that was up is down. */
  lost(): void;
  drained(): void;
}

const greetingLimitMs = 10_000;
/** A server that is silent for so long while somebody waits for it is asked for a sign of life. */
const quietLimitMs = 15_000;
/** One that gives none in this time hangs; it is left like one that died. */
const signLimitMs = 15_000;
/** A server that hangs up on every greeting is not worth more tries than this. */
const mostGreetings = 5;

interface Line {
  readonly pipe: Pipe;
  isOpen: boolean;
}

/** The bridge's connection to whichever server lives: opened on demand, greeted with what the client has agreed to. */
export class Link {
  readonly #connect: Connect;
  readonly #handshake: () => Handshake | undefined;
  readonly #newId: () => string;
  readonly #events: LinkEvents;
  readonly #isAwaited: () => boolean;
  readonly #greetings = new Map<RequestId, () => void>();
  #line: Line | undefined;
  #isUp = false;
  #isFlowing = true;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: {
    connect: Connect;
    handshake: () => Handshake | undefined;
    newId: () => string;
    events: LinkEvents;
    /** Whether somebody waits for an answer. */
    isAwaited: () => boolean;
  }) {
    this.#connect = options.connect;
    this.#handshake = options.handshake;
    this.#newId = options.newId;
    this.#events = options.events;
    this.#isAwaited = options.isAwaited;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Returns once the server has been greeted and may be sent to. */
  async open(ask: Dial = {}): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const line = await this.#dial(ask);
      await this.greet();
      if (line.isOpen) {
        this.#isUp = true;
        return;
      }
      if (tries === mostGreetings) throw new Refusal("SERVER_UNREACHABLE", "The server hangs up before it answers.");
      await pause(50 * 2 ** tries);
    }
  }

  /** Tells the server what the client and we have agreed on; its answer is for nobody else. */
  async greet(): Promise<void> {
    const line = this.#line;
    const handshake = this.#handshake();
    if (!line?.isOpen || !handshake) return;
    const id = this.#newId();
    const answered = new Promise<void>((resolve) => {
      this.#greetings.set(id, resolve);
    });
    const timer = setTimeout(() => line.pipe.close(), greetingLimitMs);
    line.pipe.send(toFrame({ kind: "request", id, method: handshake.method, params: handshake.params }));
    await answered;
    clearTimeout(timer);
    if (!line.isOpen) return;
    for (const notice of this.#handshake()?.notices ?? []) line.pipe.send(toFrame(notice));
  }

  /** Answers false when the server is slow: wait for `drained` before sending much more. */
  send(frame: string): boolean {
    return this.#line?.pipe.send(frame) ?? true;
  }

  /** Whether this answers a greeting of ours. */
  takeGreeting(id: RequestId): boolean {
    const resolve = this.#greetings.get(id);
    resolve?.();
    return this.#greetings.delete(id);
  }

  setFlow(isOpen: boolean): void {
    this.#isFlowing = isOpen;
    if (isOpen) this.#line?.pipe.resume();
    else this.#line?.pipe.pause();
  }

  close(): void {
    this.#line?.pipe.close();
  }

  async #dial(ask: Dial): Promise<Line> {
    let hasClosed = false;
    let line: Line | undefined;
    const pipe = await this.#connect(
      {
        line: (text) => {
          if (line) this.#watch(line);
          this.#events.frame(text);
        },
        drained: () => this.#events.drained(),
        closed: () => {
          hasClosed = true;
          if (line) this.#drop(line);
        },
      },
      ask,
    );
    line = { pipe, isOpen: !hasClosed };
    this.#line = line;
    this.#watch(line);
    return line;
  }

  /** Begins to wait anew: whatever the server says shows that it lives. */
  #watch(line: Line): void {
    clearTimeout(this.#patience);
    if (line.isOpen) this.#patience = setTimeout(() => this.#askForSign(line), quietLimitMs).unref();
  }

  /** A machine that sleeps, or a process that was stopped, hangs up on nobody; only asking tells (BR40). */
  #askForSign(line: Line): void {
    if (!this.#isAwaited() || !this.#isFlowing) {
      this.#watch(line);
      return;
    }
    const handshake = this.#handshake();
    const params = handshake?.method === "ping" ? handshake.params : {};
    line.pipe.send(toFrame({ kind: "request", id: this.#newId(), method: "ping", params }));
    this.#patience = setTimeout(() => line.pipe.close(), signLimitMs).unref();
  }

  #drop(line: Line): void {
    line.isOpen = false;
    if (this.#line !== line) return;
    clearTimeout(this.#patience);
    this.#line = undefined;
    for (const resolve of this.#greetings.values()) resolve();
    this.#greetings.clear();
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#events.lost();
  }
}
