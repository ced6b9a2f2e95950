import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import type { Shell } from "../shell.ts";
import { cleanText, count, durationText, shorten, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

type Item = AnswerOf<"inbox">["items"][number];

interface Options {
  readonly everyone?: true;
  readonly watch?: true;
}

export function addInbox(shell: Shell): void {
  const command = shell
    .add({
      name: "inbox",
      summary: "Show what waits for a person, the most urgent first, and what to do about it",
      examples: ["inbox", "inbox --everyone", "inbox --watch", "inbox --json"],
    })
    .option("--everyone", "what waits for anyone of the team, not only for you")
    .option("--watch", "show it again whenever it changes, until Ctrl-C");
  shell.does<Options>(command, async (context, { everyone = false, watch = false }) => {
    const api = await openApi(context);
    await showOrWatch(context, watch, async () => {
      const inbox = await api.read("/api/inbox", { everyone });
      return context.isJson ? [toJson(inbox)] : inboxLines(inbox.items, everyone);
    });
    return undefined;
  });
}

const words: Readonly<Record<string, string>> = {
  blocked_start: "Start to be decided",
  ask: "Question",
  handoff: "Handoff",
  issue: "Issue",
  failed_task: "Failed task",
  doubtful_result: "Result to review",
  blocked_task: "Blocked task",
  stale_task: "Untouched task",
  stale_session: "Silent session",
  refused_claim: "Refused claim",
  budget: "Budget spent",
};

function inboxLines(items: readonly Item[], everyone: boolean): string[] {
  const whom = everyone ? "anyone" : "you";
  if (items.length === 0) return [`Nothing waits for ${whom}.`];
  return [
    `${count(items.length, "thing")} ${items.length === 1 ? "waits" : "wait"} for ${whom}.`,
    ...items.flatMap((item) => ["", `${headOf(item, everyone)}`, `  ${cleanText(item.action)}`]),
  ];
}

function headOf({ kind, title, developer, from, since }: Item, everyone: boolean): string {
  const facts = [
    ...(from === null ? [] : [`from ${cleanText(from)}`]),
    ...(everyone ? [`for ${cleanText(developer)}`] : []),
    `${durationText(Date.now() - Date.parse(since))} ago`,
  ];
  const name = title === null ? "" : `: ${shorten(cleanText(title), 100)}`;
  return `${words[kind] ?? cleanText(kind)}${name} (${facts.join(", ")})`;
}
