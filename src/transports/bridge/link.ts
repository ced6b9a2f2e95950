import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../../contract/refusal.ts";
import type { Handshake } from "./conversation.ts";
import { type RequestId, toFrame } from "./message.ts";
import type { Pipe, PipeEvents } from "./pipe.ts";

/** Finds or starts a server and connects to it; a Refusal says why that cannot be. */
export type Connect = (events: PipeEvents) => Promise<Pipe>;

export interface LinkEvents {
  /** A frame from the server, except answers to our own greetings. */
  frame(text: string): void;
  /** A link that was up is down. */
  lost(): void;
  drained(): void;
}

const greetingLimitMs = 10_000;
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
  readonly #greetings = new Map<RequestId, () => void>();
  #line: Line | undefined;
  #isUp = false;

  constructor(options: {
    connect: Connect;
    handshake: () => Handshake | undefined;
    newId: () => string;
    events: LinkEvents;
  }) {
    this.#connect = options.connect;
    this.#handshake = options.handshake;
    this.#newId = options.newId;
    this.#events = options.events;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Returns once the server has been greeted and may be sent to. */
  async open(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const line = await this.#dial();
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
    if (isOpen) this.#line?.pipe.resume();
    else this.#line?.pipe.pause();
  }

  close(): void {
    this.#line?.pipe.close();
  }

  async #dial(): Promise<Line> {
    let hasClosed = false;
    let line: Line | undefined;
    const pipe = await this.#connect({
      line: (text) => this.#events.frame(text),
      drained: () => this.#events.drained(),
      closed: () => {
        hasClosed = true;
        if (line) this.#drop(line);
      },
    });
    line = { pipe, isOpen: !hasClosed };
    this.#line = line;
    return line;
  }

  #drop(line: Line): void {
    line.isOpen = false;
    if (this.#line !== line) return;
    this.#line = undefined;
    for (const resolve of this.#greetings.values()) resolve();
    this.#greetings.clear();
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#events.lost();
  }
}
