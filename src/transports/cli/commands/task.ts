import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import { drawDiff } from "../diff.ts";
import type { Shell } from "../shell.ts";

/** `task diff`: what a finished task changed, line by line. */
export function addTasks(shell: Shell): void {
  const group = shell.add({ name: "task", summary: "What a single task has done", examples: ["task diff tk_…"] });
  const diff = shell
    .add(
      {
        name: "diff <id>",
        summary: "Show line by line what a finished task changed",
        examples: ["task diff tk_…", "task diff tk_… --path src/index.ts", "task diff tk_… --json"],
      },
      group,
    )
    .option("--path <file>", "only this file, with more of its lines")
    .option("--after <file>", "only files whose names come after this one");
  shell.does<{ path?: string; after?: string }>(diff, async (context, { path, after }, [task_id = ""]) => {
    const api = await openApi(context);
    const found = await api.call("task_diff", { task_id, path, after });
    const isColoured = process.stdout.isTTY === true && !context.env["NO_COLOR"];
    answer(context, found, () => drawDiff(found, { isColoured }));
    return undefined;
  });
}
