import { beforeAll, expect, test } from "vitest";
import { type ChangedFile, showHidden, type TaskDiff } from "../../src/contract/task-diff.ts";
import { drawDiff } from "../../src/transports/cli/diff.ts";
import { makeRepository } from "../mission/repository.ts";
import { crewdeck, crewdeckJson, ensureBuilt, openHome } from "./program.ts";

beforeAll(ensureBuilt);

test("[CL57] task diff shows what a task changed, whole or one file of it, and refuses what it cannot show", async () => {
  const home = openHome();
  const r = makeRepository();
  const call = (tool: string, input: object) =>
    crewdeckJson<Record<string, string>>(home, "call", tool, "--input", JSON.stringify(input));
  const { mission_id } = await call("start_mission", { name: "Passkeys", objective: "Sign in" });
  const ask = { mission_id, name: "Begin", goal: "Stand", areas: ["src"], repository_path: r.dir };
  const { task_id = "" } = await call("start_task", ask);
  const early = await crewdeck(home, ["task", "diff", task_id]);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("no receipt yet")]);
  r.write("src/key.ts", "export const key = 1;\n\tif (\u001b[2Jred)\n");
  r.write("a.txt", "b");
  await call("complete_task", { task_id, status: "success", outcome: { summary: "Done." } });
  expect(await crewdeck(home, ["task", "diff", task_id])).toEqual({
    code: 0,
    stderr: "",
    stdout: [
      "a.txt  modified  +1 -1  outside its scope",
      "    1       - a",
      "          1 + b  (no line end)",
      "",
      "src/key.ts  added  +2 -0",
      "          1 + export const key = 1;",
      "          2 +     if (\\u001b[2Jred)",
      "",
      "2 changed files, +3 -1",
      "",
    ].join("\n"),
  });
  const one = await crewdeckJson<TaskDiff>(home, "task", "diff", task_id, "--path", "src/key.ts");
  expect(one).toMatchObject({ task_id, files: [{ path: "src/key.ts", hunks: [{ lines: [{ new: 1 }, { new: 2 }] }] }] });
  const rest = await crewdeckJson<TaskDiff>(home, "task", "diff", task_id, "--after", "a.txt");
  expect(rest.files.map(({ path }) => path)).toEqual(["src/key.ts"]);
  const unknown = await crewdeck(home, ["task", "diff", task_id, "--path", "other.ts", "--json"]);
  expect([unknown.code, JSON.parse(unknown.stdout)]).toMatchObject([1, { code: "NOT_FOUND" }]);
});

const file: ChangedFile = {
  path: "a.txt",
  change: "modified",
  state: "shown",
  missing: [],
  before: "file",
  after: "file",
  unexpected: false,
  stale: false,
  added_lines: 0,
  deleted_lines: 0,
  line_ends: null,
  lossy: false,
  hunks: [],
  left_out_lines: 0,
};
const draw = (files: readonly Partial<ChangedFile>[], more: Partial<TaskDiff> = {}, isColoured = false): string[] =>
  drawDiff(
    {
      task_id: "tk_1",
      level: "verified",
      kind: "git",
      is_complete: true,
      is_stale: false,
      files: files.map((part) => ({ ...file, ...part })),
      files_count: files.length,
      files_left: 0,
      ...more,
    },
    { isColoured },
  );

test.each([
  { what: "binary", part: { state: "binary" }, says: "  Binary: there are no lines to compare." },
  { what: "too large", part: { state: "too_large" }, says: "  More than 1 MiB: too large to be compared." },
  {
    what: "changed since",
    part: { state: "gone", missing: ["after"] },
    says: "  Changed since: what the task left here is no longer there.",
  },
  {
    what: "gone before",
    part: { state: "gone", missing: ["before"] },
    says: "  What was here before is no longer there.",
  },
  {
    what: "gone on both sides",
    part: { state: "gone", missing: ["before", "after"] },
    says: "  Neither what was here before nor what the task left is there any more.",
  },
  { what: "another mode", part: { after: "executable" }, says: "  Was a plain file, became an executable file." },
  {
    what: "other line ends",
    part: { line_ends: "lf_to_crlf" },
    says: "  Every line end changed from LF to CRLF; the lines are compared without them.",
  },
  { what: "no text", part: { lossy: true }, says: "  Some bytes are no UTF-8; they are shown as \ufffd." },
  { what: "empty", part: { change: "added", before: null }, says: "  An empty file." },
  { what: "long", part: { left_out_lines: 7 }, says: "  7 more lines: crewdeck task diff tk_1 --path FILE" },
] as const)("[CL57] a file that is $what says so", ({ part, says }) => {
  expect(draw([part])[1]).toBe(says);
});

test("[CL57] what is not known, nothing at all, and further pages are said", () => {
  expect(draw([], { kind: "none" })).toEqual(["What the task changed is unknown."]);
  expect(draw([])).toEqual(["The task changed no files."]);
  expect(draw([{}], { is_complete: false })[0]).toBe("The receipt is incomplete: more files may have changed.");
  expect(draw([{ state: "gone", missing: ["before"] }], { kind: "checksum" })[1]).toBe(
    "  Without git, what was here before is not kept.",
  );
  expect(draw([{}], { files_left: 2, files_count: 3 }).slice(-2)).toEqual([
    "3 changed files, +0 -0 so far",
    "2 more files: crewdeck task diff tk_1 --after FILE, the last above",
  ]);
});

test("[CL57] colour is only around lines that changed, and nothing of a file or its name steers the terminal", () => {
  const lines = [
    { kind: "same", old: 1, new: 1, text: "same" },
    { kind: "deleted", old: 2, new: null, text: "\u001b[31mred\u0007\u202e" },
  ] as const;
  const hunks = [{ old_start: 1, old_lines: 2, new_start: 1, new_lines: 1, lines }];
  const part = { path: "a\u001b[2J.txt", hunks };
  const shown = ["    1     1   same", "    2       - \\u001b[31mred\\u0007\\u202e"];
  expect(draw([part]).slice(0, 3)).toEqual(["a[2J.txt  modified  +0 -0", ...shown]);
  expect(draw([part], {}, true).slice(1, 3)).toEqual([shown[0], `\u001b[31m${shown[1]}\u001b[0m`]);
  expect(showHidden("\t\u{e0001}x\r")).toBe("\t\\udb40\\udc01x\\u000d");
});
