import {
  type ChangedFile,
  type ChangedLine,
  lineSigns,
  sayOfFile,
  sayOfLine,
  showHidden,
  type TaskDiff,
} from "../../contract/task-diff.ts";
import { cleanText, count } from "./text.ts";

interface DiffLook {
  /** Where a person looks at it on a screen that shows colours. */
  readonly isColoured: boolean;
}

/** A diff for a terminal: each file with its marks, then its hunks with the numbers of the lines. */
export function drawDiff(diff: TaskDiff, look: DiffLook): string[] {
  const { files, files_left, files_count, task_id, is_complete, kind } = diff;
  if (files_count === 0) return [kind === "none" ? "What the task changed is unknown." : "The task changed no files."];
  return [
    ...(is_complete ? [] : ["The receipt is incomplete: more files may have changed.", ""]),
    ...files.flatMap((file) => [...drawFile(file, diff, look), ""]),
    `${count(files_count, "changed file")}, +${sum(files, "added_lines")} -${sum(files, "deleted_lines")}${files_left > 0 ? " so far" : ""}`,
    ...(files_left > 0
      ? [`${count(files_left, "more file")}: crewdeck task diff ${task_id} --after FILE, the last above`]
      : []),
  ];
}

const sum = (files: readonly ChangedFile[], key: "added_lines" | "deleted_lines"): number =>
  files.reduce((total, file) => total + file[key], 0);

function drawFile(file: ChangedFile, { kind, task_id }: TaskDiff, look: DiffLook): string[] {
  const marks = [
    file.change,
    `+${file.added_lines} -${file.deleted_lines}`,
    ...(file.unexpected ? ["outside its scope"] : []),
    ...(file.stale ? ["changed since"] : []),
  ];
  const left = file.left_out_lines;
  return [
    `${cleanText(file.path)}  ${marks.join("  ")}`,
    ...sayOfFile(file, kind).map((text) => `  ${text}`),
    ...file.hunks.flatMap(({ lines }, at) => [
      ...(at > 0 ? ["  …"] : []),
      ...lines.map((line) => drawLine(line, look)),
    ]),
    ...(left > 0 ? [`  ${count(left, "more line")}: crewdeck task diff ${task_id} --path FILE`] : []),
  ];
}

function drawLine(line: ChangedLine, { isColoured }: DiffLook): string {
  const note = sayOfLine(line);
  const numbers = [line.old, line.new].map((number) => String(number ?? "").padStart(5)).join(" ");
  const text =
    `${numbers} ${lineSigns[line.kind]} ${showHidden(line.text.replaceAll("\t", "    "))}${note === "" ? "" : `  (${note})`}`.trimEnd();
  const colour = { same: undefined, deleted: 31, added: 32 }[line.kind];
  return isColoured && colour !== undefined ? `\u001b[${colour}m${text}\u001b[0m` : text;
}
