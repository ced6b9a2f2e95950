import type { ChangedFile, ChangedLine } from "./task-diff.ts";

const signs = { same: " ", deleted: "-", added: "+" } as const;

/** A changed file as `git diff` writes it, so that people and programs know it at sight. */
export function unifiedDiff(file: ChangedFile): string[] {
  const { path, change, state, hunks, left_out_lines } = file;
  const head = [
    `diff --git a/${path} b/${path}`,
    ...(change === "added" ? [`new file mode ${modes[file.after ?? "file"]}`] : []),
    ...(change === "deleted" ? [`deleted file mode ${modes[file.before ?? "file"]}`] : []),
  ];
  if (state !== "shown") return [...head, `Binary files a/${path} and b/${path} differ`];
  if (hunks.length === 0) return head;
  return [
    ...head,
    `--- ${change === "added" ? "/dev/null" : `a/${path}`}`,
    `+++ ${change === "deleted" ? "/dev/null" : `b/${path}`}`,
    ...hunks.flatMap((hunk) => [
      `@@ -${hunk.old_start},${hunk.old_lines} +${hunk.new_start},${hunk.new_lines} @@`,
      ...hunk.lines.flatMap(lineOf),
    ]),
    ...(left_out_lines === 0 ? [] : [`# ${left_out_lines} more lines`]),
  ];
}

const modes = { file: "100644", executable: "100755", link: "120000", submodule: "160000" } as const;

const lineOf = ({ kind, text, end }: ChangedLine): string[] => [
  `${signs[kind]}${text}${end === "crlf" ? "\r" : ""}`,
  ...(end === "none" ? ["\\ No newline at end of file"] : []),
];
