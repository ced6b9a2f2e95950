import { toText } from "./listing.ts";

/** One commit's part in a file's history. */
export interface Touch {
  readonly raw: string;
  readonly author: string;
  /** When it was committed, in milliseconds. */
  readonly at: number;
  /** Lines added and deleted; undefined where they were not counted. */
  readonly lines: number | undefined;
}

/** Which files each commit touched. Counting lines as well means comparing contents, which takes ten times as long. */
export const logArgs = (range: string, withLines: boolean): readonly ["log", ...string[]] => [
  "log",
  "--no-renames",
  "--no-color",
  "--no-show-signature",
  "--format=%x01%ct%x02%an",
  "-z",
  ...(withLines ? ["--numstat", "--no-ext-diff", "--no-textconv"] : ["--raw", "--no-abbrev"]),
  range,
  "--",
];

/**
 * Reads what `logArgs` asked for. A header begins with a sign that no other part begins with: paths come only behind
 * counts or behind a part of `--raw`, so that none can pretend to be an author.
 */
export function* readLog(output: string): Generator<Touch> {
  let author = "";
  let at = 0;
  let isPath = false;
  for (let start = 0; start < output.length; ) {
    const found = output.indexOf("\0", start);
    const end = found < 0 ? output.length : found;
    const part = output.charCodeAt(start) === 10 ? output.slice(start + 1, end) : output.slice(start, end);
    start = end + 1;
    if (isPath) {
      isPath = false;
      yield { raw: part, author, at, lines: undefined };
    } else if (part.startsWith("\u0001")) {
      const split = part.indexOf("\u0002");
      at = Number(part.slice(1, split)) * 1_000;
      author = toText(part.slice(split + 1));
    } else if (part.startsWith(":")) isPath = true;
    else {
      const [added = "", deleted = "", ...path] = part.split("\t");
      if (path.length > 0)
        yield { raw: path.join("\t"), author, at, lines: (Number(added) || 0) + (Number(deleted) || 0) };
    }
  }
}
