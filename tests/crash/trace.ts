import { readFileSync } from "node:fs";

/** What a process did to its files and what it printed, in the order the kernel saw it. */
export type Step =
  | { readonly kind: "write"; readonly file: string; readonly offset: number; readonly data: Buffer }
  | { readonly kind: "truncate"; readonly file: string; readonly size: number }
  | { readonly kind: "sync"; readonly file: string }
  | { readonly kind: "remove"; readonly file: string }
  | { readonly kind: "print"; readonly text: string };

/** The command that records a program; only its main thread, which is where SQLite works and stdout is written. */
export const recorder = (traceFile: string): string[] => [
  "strace",
  ...["-y", "-xx", "-s", "70000", "-o", traceFile],
  ...["-e", "trace=pwrite64,write,fsync,fdatasync,ftruncate,unlink"],
];

export function readTrace(traceFile: string): Step[] {
  return readFileSync(traceFile, "latin1")
    .split("\n")
    .flatMap((line) => parseLine(line) ?? []);
}

function parseLine(line: string): Step | undefined {
  const call = line.slice(0, line.indexOf("("));
  if (!/^\w+$/.test(call) || !/ = \d+$/.test(line)) return undefined;
  const file = unhex(between(line, "<", ">")).toString();
  switch (call) {
    case "pwrite64":
      return { kind: "write", file, offset: lastNumber(line), data: unhex(between(line, '"', '"')) };
    case "write":
      return line.startsWith("write(1<")
        ? { kind: "print", text: unhex(between(line, '"', '"')).toString() }
        : undefined;
    case "ftruncate":
      return { kind: "truncate", file, size: lastNumber(line) };
    case "fsync":
    case "fdatasync":
      return { kind: "sync", file };
    case "unlink":
      return { kind: "remove", file: unhex(between(line, '"', '"')).toString() };
    default:
      return undefined;
  }
}

function between(line: string, open: string, close: string): string {
  const start = line.indexOf(open) + 1;
  return start === 0 ? "" : line.slice(start, line.indexOf(close, start));
}

/** The last argument of a call: `…, 4096, 24) = 4096`. */
const lastNumber = (line: string): number => Number(/(\d+)\) = \d+$/.exec(line)?.[1]);

const unhex = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex");
