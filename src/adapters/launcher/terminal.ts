import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { StringDecoder } from "node:string_decoder";
import type { InstanceId } from "../../contract/ids.ts";
import { readOn } from "../regular-file.ts";
import type { Places } from "./places.ts";
import { reportOf } from "./process.ts";
import { bareEnv, type Tmux } from "./tmux.ts";

interface TerminalEvents {
  data(text: string): void;
  /** The program has ended, with this code if anybody saw it. */
  exit(code: number | null): void;
}

/** What somebody who watches a program holds in their hands. */
export interface Terminal {
  readonly isReadOnly: boolean;
  write(text: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

const lookEveryMs = 300;
const mostAtOnce = 1024 * 1024;

/**
 * Follows a session through tmux's control mode: what it shows comes line by line, and keys go in as numbers, so that
 * nothing typed is ever a command, a key name or a format of tmux.
 */
export async function followSession(
  tmux: Tmux,
  id: InstanceId,
  places: Places,
  events: TerminalEvents,
): Promise<Terminal | undefined> {
  const screen = await tmux.capture(id, 2_000);
  if (screen === undefined) return undefined;
  const cursor = await tmux.cursor(id);
  events.data(screen.replace(/\n+$/, "").replaceAll("\n", "\r\n") + moveTo(cursor));
  const client = await tmux.inTurn(() => attach(tmux, id, events));
  const stopLooking = lookForEnd(places, events);
  const say = (command: string): void => void tmux.inTurn(() => client.ask(command));
  return {
    isReadOnly: false,
    write(text) {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 256) {
        const keys = [...bytes.subarray(at, at + 256)].map((byte) => byte.toString(16).padStart(2, "0"));
        say(`send-keys -t =${id}: -H ${keys.join(" ")}`);
      }
    },
    resize: (columns, rows) => say(`refresh-client -C ${columns}x${rows}`),
    close() {
      stopLooking();
      void tmux.inTurn(client.leave);
    },
  };
}

interface ControlClient {
  /** Resolves when tmux has done it. */
  ask(command: string): Promise<void>;
  leave(): Promise<void>;
}

/** How long a turn is kept for tmux to answer; after that others have theirs. */
const answerLimitMs = 2_000;

/** Resolves once tmux knows the client: it answers the command that the client came with. */
async function attach(tmux: Tmux, id: InstanceId, events: TerminalEvents): Promise<ControlClient> {
  const [program = "", ...words] = tmux.words("-C", "attach-session", "-t", `=${id}`);
  const child = spawn(program, words, { cwd: "/", env: bareEnv(), stdio: ["pipe", "pipe", "ignore"] });
  const said = new EventEmitter();
  const hears = (what: "answer" | "end"): Promise<unknown> =>
    once(said, what, { signal: AbortSignal.timeout(answerLimitMs) }).catch(() => undefined);
  let isOver = false;
  const end = (): void => {
    isOver = true;
    said.emit("answer");
    said.emit("end");
  };
  child.once("error", end).once("close", end);
  child.stdin.on("error", () => undefined);
  followOutput(child, events, () => said.emit("answer"));
  await hears("answer");
  return {
    async ask(command) {
      if (isOver) return;
      child.stdin.write(`${command}\n`);
      await hears("answer");
    },
    async leave() {
      if (isOver) return;
      child.stdin.end();
      child.kill();
      await hears("end");
    },
  };
}

/** From the end of the last line to where the program writes next. */
const moveTo = ({ below, column }: { below: number; column: number }): string =>
  `\u001b[0m${below > 0 ? "\r\n".repeat(below) : below < 0 ? `\u001b[${-below}A` : ""}\u001b[${column + 1}G`;

function followOutput({ stdout }: ChildProcess, events: TerminalEvents, onAnswer: () => void): void {
  const text = new StringDecoder("utf8");
  let rest = Buffer.alloc(0);
  stdout?.on("data", (chunk: Buffer) => {
    const all = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, from)) {
      const line = all.subarray(from, end);
      from = end + 1;
      if (answerMarks.some((mark) => line.subarray(0, mark.length).equals(mark))) onAnswer();
      if (!line.subarray(0, 8).equals(outputMark)) continue;
      const shown = text.write(decodeLine(line.subarray(line.indexOf(32, 8) + 1)));
      if (shown !== "") events.data(shown);
    }
    rest = all.subarray(from);
  });
}

const outputMark = Buffer.from("%output ");
const answerMarks = [Buffer.from("%end "), Buffer.from("%error ")];

/** Control characters and backslashes come as three octal digits. */
function decodeLine(line: Buffer): Buffer {
  const plain = line
    .toString("latin1")
    .replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return Buffer.from(plain, "latin1");
}

/** The log of a program without a terminal, as it grows. Nobody can type into it. */
export function followLog(places: Places, events: TerminalEvents): Terminal {
  const text = new StringDecoder("utf8");
  let at = 0;
  const read = (): void => {
    const { bytes, size } = readOn(places.logFile, at, mostAtOnce) ?? nothing;
    // A log that was begun again is followed from its beginning.
    at = size < at ? 0 : at + bytes.length;
    if (bytes.length > 0) events.data(text.write(bytes).replaceAll(/\r?\n/g, "\r\n"));
  };
  read();
  const timer = setInterval(read, lookEveryMs);
  const stopLooking = lookForEnd(places, {
    ...events,
    exit(code) {
      read();
      events.exit(code);
    },
  });
  return {
    isReadOnly: true,
    write: () => undefined,
    resize: () => undefined,
    close() {
      clearInterval(timer);
      stopLooking();
    },
  };
}

const nothing = { bytes: Buffer.alloc(0), size: 0 };

function lookForEnd(places: Places, events: TerminalEvents): () => void {
  const timer = setInterval(() => {
    const report = reportOf(places, 0);
    if (report?.state !== "ended") return;
    clearInterval(timer);
    events.exit(report.exitCode);
  }, lookEveryMs);
  return () => clearInterval(timer);
}
