import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import type { Shell } from "../shell.ts";
import { toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type Answer = AnswerOf<"summary_get" | "summary_create">;

interface Options {
  readonly last?: true;
  readonly watch?: true;
}

export function addSummary(shell: Shell): void {
  const command = shell
    .add({
      name: "summary",
      summary: "Write the team's last seven days and show them as Markdown",
      examples: ["summary", "summary --last", "summary --watch", "summary --json", "summary > week.md"],
    })
    .option("--last", "show the one that was written last, without writing another")
    .option("--watch", "show each that is written after it too, until Ctrl-C");
  shell.does<Options>(command, async (context, { last = false, watch = false }) => {
    const api = await openApi(context);
    let isWriting = !last;
    await showOrWatch(context, watch, async () => {
      const summary = await (isWriting ? writeSummary(api) : readLast(api));
      // Only once: whoever watches wants to read, and not a summary every two seconds in everyone's history.
      isWriting = false;
      return context.isJson ? [toJson(summary)] : linesOf(summary);
    });
    return undefined;
  });
}

const writeSummary = (api: Api): Promise<Answer> => api.post("/api/summary", {});
const readLast = (api: Api): Promise<Answer> => api.read("/api/summary", {});

const linesOf = ({ summary }: Answer): string[] =>
  summary === null
    ? ["No summary was written yet. Write one: crewdeck summary"]
    : summary.markdown.split("\n").map((line) => line.replace(/\p{Cc}|\p{Cf}/gu, ""));
