import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "../../contract/refusal.ts";
import type { Conversation } from "./conversation.ts";
import { failureFrame } from "./failure.ts";
import { type Connect, Link } from "./link.ts";
import {
  type ClientRequest,
  errorFrame,
  type Malformed,
  type Notice,
  type RequestId,
  readAnswer,
  readLine,
  resultFrame,
  rpcErrors,
  toFrame,
} from "./message.ts";
import { makePending, type Pending } from "./pending.ts";

interface BridgeOptions {
  readonly conversation: Conversation;
  readonly connect: Connect;
  /** Writes one line to the client. */
  write(frame: string): void;
  /** Opens or stops the flow of lines from the client. */
  setInflow(isOpen: boolean): void;
  log(message: string): void;
}

/** A call that was under way this often when its server died is not tried again. */
const mostSends = 6;

/** How often an idle bridge looks whether its server is up again; well within the minute its agents have (AG7). */
const shortestLookMs = 250;
const longestLookMs = 10_000;

/** So much may wait for answers before the client is asked to wait too. */
const mostPendingBytes = 32 * 1024 * 1024;

/**
 * Stands between a client on stdio and the server. It answers what needs no server, forwards the rest in order, and
 * hides the server's death: whatever was not answered is sent again to the next one, and answered exactly once.
 */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #link: Link;
  readonly #pending = new Map<RequestId, Pending>();
  readonly #instance = randomUUID();
  #pendingBytes = 0;
  #counter = 0;
  #isOpening = false;
  #isServerSlow = false;
  #isClosed = false;
  #onIdle: (() => void) | undefined;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#link = new Link({
      connect: options.connect,
      handshake: () => options.conversation.handshake,
      newId: () => this.#newId("hello"),
      events: {
        frame: (text) => this.#receiveFromServer(text),
        lost: () => this.#survive(),
        drained: () => this.#setServerSlow(false),
      },
      isAwaited: () => this.#pending.size > 0,
    });
  }

  /** One line from the client. */
  receive(line: string): void {
    if (line.trim() === "") return;
    const message = readLine(line);
    if (message.kind === "malformed") this.refuse(message);
    else if (message.kind === "request") this.#take(message);
    else if (message.kind === "notice") this.#hear(message);
    else this.#tell(toFrame(message));
  }

  /** Tells the client that a line was no message, and a server that is there, which keeps count; the connection lives on. */
  refuse({ id, code, message }: Omit<Malformed, "kind">): void {
    this.#options.write(errorFrame(id, code, message, { code: "INVALID_REQUEST", message }));
    this.#tell(toFrame({ kind: "notice", method: "$/malformed", params: {} }));
  }

  /** Lets the server's answers wait while the client does not read. */
  setOutflow(isOpen: boolean): void {
    this.#link.setFlow(isOpen);
  }

  /** Resolves once every request is answered. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#pending.size === 0) resolve();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#pending.clear();
    this.#link.close();
  }

  #take(request: ClientRequest): void {
    const { conversation, write } = this.#options;
    if (request.method === "$/cancelRequest") {
      this.#hear({ ...request, kind: "notice" });
      write(resultFrame(request.id, {}));
      return;
    }
    const before = conversation.handshake;
    const answer = conversation.answer(request);
    if (conversation.handshake !== before) void this.#link.greet();
    if (answer !== undefined) write(answer);
    else if (this.#pending.has(request.id)) this.refuse({ ...idInUse, id: request.id });
    else this.#forward(makePending(request, () => this.#newId("call")));
  }

  #forward(pending: Pending): void {
    this.#pending.set(pending.id, pending);
    this.#pendingBytes += pending.frame.length;
    if (this.#link.isUp) this.#send(pending);
    else void this.#open();
    this.#adjustInflow();
  }

  #hear(notice: Notice): void {
    if (!this.#options.conversation.hear(notice)) return;
    const { requestId, id } = notice.params ?? {};
    const forgotten = notice.method === "notifications/cancelled" ? this.#find(requestId) : undefined;
    if (forgotten) this.#forget(forgotten);
    const cancelled = notice.method === "$/cancelRequest" ? this.#find(id) : undefined;
    if (cancelled) cancelled.cancelFrame = toFrame(notice);
    this.#tell(toFrame(notice));
  }

  #find(id: unknown): Pending | undefined {
    return typeof id === "string" || typeof id === "number" ? this.#pending.get(id) : undefined;
  }

  /** Says something nobody waits for; that alone is not worth a server. */
  #tell(frame: string): void {
    if (this.#link.isUp && !this.#link.send(frame)) this.#setServerSlow(true);
  }

  #send(pending: Pending): void {
    pending.sends += 1;
    this.#tell(pending.frame);
    if (pending.cancelFrame !== undefined) this.#tell(pending.cancelFrame);
  }

  async #open(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    try {
      await this.#link.open();
      for (const pending of this.#pending.values()) this.#send(pending);
    } catch (error) {
      this.#options.log(`no server: ${error instanceof Error ? error.message : String(error)}`);
      const refusal = error instanceof Refusal ? error : unreachable();
      for (const pending of [...this.#pending.values()]) this.#fail(pending, refusal);
    } finally {
      this.#isOpening = false;
    }
  }

  #survive(): void {
    this.#options.log("the connection to the server is lost");
    this.#setServerSlow(false);
    for (const pending of [...this.#pending.values()]) {
      if (pending.sends >= mostSends) this.#fail(pending, givenUp());
    }
    if (this.#pending.size > 0) void this.#open();
    else void this.#comeBack();
  }

  /**
   * Looks for a server that is up again, so that the agents of this connection are alive there (AG24). Nobody waits, so
   * none is started for it.
   */
  async #comeBack(): Promise<void> {
    for (let waitMs = shortestLookMs; ; waitMs = Math.min(waitMs * 2, longestLookMs)) {
      await pause(waitMs, undefined, { ref: false });
      if (this.#isClosed || this.#link.isUp || this.#isOpening) return;
      if (await this.#reopen()) return;
    }
  }

  async #reopen(): Promise<boolean> {
    this.#isOpening = true;
    try {
      await this.#link.open({ startsNone: true });
    } catch {
      // Not yet.
    } finally {
      this.#isOpening = false;
    }
    // What came meanwhile found the link taken.
    if (this.#link.isUp) for (const pending of this.#pending.values()) this.#send(pending);
    else if (this.#pending.size > 0) void this.#open();
    return this.#link.isUp || this.#pending.size > 0;
  }

  #receiveFromServer(text: string): void {
    const message = readAnswer(text);
    if (message.kind === "malformed") this.#options.log(`unreadable frame from the server: ${message.message}`);
    else if (message.kind === "response") this.#receiveAnswer(message.id, text);
    else if (message.method !== "notifications/progress" || this.#isNewProgress(message)) this.#options.write(text);
  }

  #receiveAnswer(id: RequestId, text: string): void {
    const pending = this.#pending.get(id);
    if (this.#link.takeGreeting(id) || !pending) return;
    this.#options.write(text);
    this.#forget(pending);
  }

  /** The progress of a call that was sent again starts anew; the client only ever sees it grow. */
  #isNewProgress({ params }: Pick<Notice, "params">): boolean {
    const { progressToken, progress } = params ?? {};
    for (const pending of this.#pending.values()) {
      if (pending.progressToken !== progressToken || typeof progress !== "number") continue;
      if (progress <= pending.lastProgress) return false;
      pending.lastProgress = progress;
    }
    return true;
  }

  #fail(pending: Pending, refusal: Refusal): void {
    this.#options.write(failureFrame(pending, refusal, this.#options.conversation.isModern));
    this.#forget(pending);
  }

  #forget(pending: Pending): void {
    this.#pending.delete(pending.id);
    this.#pendingBytes -= pending.frame.length;
    this.#adjustInflow();
    if (this.#pending.size === 0) this.#onIdle?.();
  }

  #setServerSlow(isSlow: boolean): void {
    this.#isServerSlow = isSlow;
    this.#adjustInflow();
  }

  #adjustInflow(): void {
    this.#options.setInflow(!this.#isServerSlow && this.#pendingBytes < mostPendingBytes);
  }

  #newId(kind: string): string {
    this.#counter += 1;
    return `bridge:${this.#instance}:${kind}:${this.#counter}`;
  }
}

const idInUse = { code: rpcErrors.invalidRequest, message: "A request with that id is under way." };

const unreachable = (): Refusal =>
  new Refusal("SERVER_UNREACHABLE", "The Crewdeck server cannot be reached and could not be started.");

const givenUp = (): Refusal =>
  new Refusal(
    "OUTCOME_UNKNOWN",
    "The server ended several times while this call was under way; it is not tried again.",
  );
