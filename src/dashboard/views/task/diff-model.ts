import type { ChangedFile, TaskDiff } from "../../../contract/task-diff.ts";
import { ApiFailure, read } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { isAbout } from "./task-model.ts";

/** Which part of a task's changes is read: all files, those after one, or one alone with more of its lines. */
export interface DiffPart {
  readonly path?: string;
  readonly after?: string;
}

/** Null where the task has no receipt. */
export const diffReading = (id: string, part: DiffPart = {}): Reading<TaskDiff | null> => ({
  key: `diff:${id}:${JSON.stringify(part)}`,
  load: (signal) => read("/api/tasks/:id/diff", { id, ...part }, signal).catch(withoutReceipt),
  applyEvent: (diff, event) => (isAbout(event, id) ? readAgain : diff),
});

function withoutReceipt(failure: unknown): null {
  if (failure instanceof ApiFailure && ["INVALID_STATE", "NOT_FOUND"].includes(failure.code)) return null;
  throw failure;
}

/** More files than these, or more lines, are closed until somebody wants to see them. */
const mostOpenFiles = 12;
const mostOpenLines = 120;

export const opensByItself = (file: ChangedFile, among: number): boolean =>
  file.state === "shown" && among <= mostOpenFiles && linesIn(file) + file.left_out_lines <= mostOpenLines;

const linesIn = ({ hunks }: ChangedFile): number => hunks.reduce((sum, { lines }) => sum + lines.length, 0);

/** The words beside a file's name that ask for attention. */
export function marksOf(file: ChangedFile): { text: string; tone?: "danger" | "attention" }[] {
  return [
    ...(file.change === "modified" ? [] : [{ text: file.change }]),
    ...(file.state === "binary" ? [{ text: "binary" }] : []),
    ...(file.state === "too_large" ? [{ text: "too large" }] : []),
    ...(file.unexpected ? [{ text: "out of scope", tone: "danger" as const }] : []),
    ...sayWhatHappened(file).map((text) => ({ text, tone: "attention" as const })),
  ];
}

function sayWhatHappened({ stale, state }: ChangedFile): string[] {
  if (state === "gone") return [stale ? "changed since, deleted" : "deleted"];
  return stale ? ["changed since"] : [];
}

export const say = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** How many lines came and went, and where not every file can be counted, in how many. */
export function sayLines({ files, files_count }: Pick<TaskDiff, "files" | "files_count">): string {
  const counted = files.filter(({ state }) => state === "shown");
  const sum = (key: "added_lines" | "deleted_lines"): number => counted.reduce((total, file) => total + file[key], 0);
  const all = `${say(sum("added_lines"), "line")} added, ${sum("deleted_lines").toLocaleString("en")} deleted`;
  return counted.length === files_count ? all : `${all} in ${counted.length} of them`;
}
