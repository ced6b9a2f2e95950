/** What a task changed, as `task_diff` answers it, and how that is said on a screen and in a terminal. */
export interface TaskDiff {
  readonly task_id: string;
  readonly level: string;
  readonly kind: "git" | "checksum" | "none";
  readonly is_complete: boolean;
  readonly is_stale: boolean;
  readonly files: readonly ChangedFile[];
  readonly files_count: number;
  readonly files_left: number;
}

type Thing = "file" | "executable" | "link" | "submodule" | null;

export interface ChangedFile {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  readonly state: "shown" | "binary" | "too_large" | "gone";
  readonly missing: readonly ("before" | "after")[];
  readonly before: Thing;
  readonly after: Thing;
  readonly unexpected: boolean;
  readonly stale: boolean;
  readonly added_lines: number;
  readonly deleted_lines: number;
  readonly line_ends: "lf_to_crlf" | "crlf_to_lf" | null;
  readonly lossy: boolean;
  readonly hunks: readonly ChangedPart[];
  readonly left_out_lines: number;
}

export interface ChangedPart {
  readonly old_start: number;
  readonly old_lines: number;
  readonly new_start: number;
  readonly new_lines: number;
  readonly lines: readonly ChangedLine[];
}

export interface ChangedLine {
  readonly kind: "same" | "deleted" | "added";
  readonly old: number | null;
  readonly new: number | null;
  readonly text: string;
  readonly end?: "crlf" | "none" | undefined;
  readonly cut?: number | undefined;
}

/** The sign of a line, so that no colour is needed to tell what became of it. */
export const lineSigns = { same: " ", deleted: "-", added: "+" } as const;

/** What a reader should know of a file beside its lines. */
export const sayOfFile = (file: ChangedFile, kind: TaskDiff["kind"]): string[] =>
  file.state === "shown" ? sayShown(file) : [sayHidden(file, kind)];

function sayHidden({ state, missing }: ChangedFile, kind: TaskDiff["kind"]): string {
  if (state === "binary") return "Binary: there are no lines to compare.";
  if (state === "too_large") return "More than 1 MiB: too large to be compared.";
  if (missing.length === 2) return "Neither what was here before nor what the task left is there any more.";
  if (missing.includes("after")) return "Changed since: what the task left here is no longer there.";
  return kind === "checksum"
    ? "Without git, what was here before is not kept."
    : "What was here before is no longer there.";
}

function sayShown({ before, after, line_ends, lossy, hunks, left_out_lines }: ChangedFile): string[] {
  const became = before !== null && after !== null && before !== after;
  const notes = [
    ...(became ? [`Was ${things[before]}, became ${things[after]}.`] : []),
    ...(line_ends === null
      ? []
      : [`Every line end changed from ${ends[line_ends]}; the lines are compared without them.`]),
    ...(lossy ? ["Some bytes are no UTF-8; they are shown as \ufffd."] : []),
  ];
  const isSilent = notes.length === 0 && hunks.length === 0 && left_out_lines === 0;
  return isSilent ? ["An empty file."] : notes;
}

const things = { file: "a plain file", executable: "an executable file", link: "a link", submodule: "a submodule" };
const ends = { lf_to_crlf: "LF to CRLF", crlf_to_lf: "CRLF to LF" };

/** What a line has beside its text. */
export function sayOfLine({ end, cut }: ChangedLine): string {
  const notes = [
    ...(cut === undefined ? [] : [`${cut} more characters`]),
    ...(end === undefined ? [] : [end === "crlf" ? "CRLF" : "no line end"]),
  ];
  return notes.join(", ");
}

/** A line as it can be shown anywhere: what steers a screen, or turns the reading direction, is written as an escape. */
export const showHidden = (text: string): string =>
  text.replace(/(?!\t)[\p{Cc}\p{Cf}\u2028\u2029]/gu, (symbol) =>
    Array.from({ length: symbol.length }, (_, at) => `\\u${symbol.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
