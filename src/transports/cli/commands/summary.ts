import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import type { Shell } from "../shell.ts";
import { toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type Answer = AnswerOf<"summary_get" | "summary_create">;

interface Options {
  readonly new?: true;
  readonly last?: true;
  readonly watch?: true;
}

export function addSummary(shell: Shell): void {
  const command = shell
    .add({
      name: "summary",
      summary: "Show the latest weekly summary as Markdown",
      examples: ["summary", "summary --new", "summary --watch", "summary --new > week.md"],
    })
    .option("--new", "generate a summary of the last seven days first")
    .option("--last", "show the latest one (the default)")
    .option("--watch", "show later ones too, until Ctrl-C");
  shell.does<Options>(command, async (context, { new: isNew = false, last = false, watch = false }) => {
    const api = await openApi(context);
    let isWriting = isNew && !last;
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
    ? ["No summary yet. Generate one with: crewdeck summary --new"]
    : summary.markdown.split("\n").map((line) => line.replace(/\p{Cc}|\p{Cf}/gu, ""));
