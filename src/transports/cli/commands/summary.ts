import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";

interface Answer {
  readonly summary: { readonly markdown: string } | null;
}

export function addSummary(shell: Shell): void {
  const command = shell
    .add({
      name: "summary",
      summary: "Write the team's last seven days and show them as Markdown",
      examples: ["summary", "summary --last", "summary --json", "summary > week.md"],
    })
    .option("--last", "show the one that was written last, without writing another");
  shell.does<{ last?: true }>(command, async (context, { last }) => {
    const api = await openApi(context);
    const { summary } = await api.ask<Answer>(last ? "GET" : "POST", "/api/summary", last ? undefined : {});
    answer(context, { summary }, () =>
      summary === null
        ? ["No summary was written yet. Write one: crewdeck summary"]
        : summary.markdown.split("\n").map((line) => line.replace(/\p{Cc}|\p{Cf}/gu, "")),
    );
    return undefined;
  });
}
