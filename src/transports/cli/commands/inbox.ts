import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { paint, type Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { cut } from "../table.ts";
import { agoText, cleanText, count, toJson } from "../text.ts";
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
      summary: "Show what needs a person, most urgent first",
      examples: ["inbox", 'answer 1 "Yes, up to a minute old."', "inbox --everyone", "inbox --watch"],
    })
    .option("--everyone", "include the whole team, not only you")
    .option("--watch", "refresh when something changes, until Ctrl-C");
  shell.does<Options>(command, async (context, { everyone = false, watch = false }) => {
    const api = await openApi(context);
    await showOrWatch(context, watch, async () => {
      const inbox = await api.read("/api/inbox", { everyone });
      return context.isJson ? [toJson(inbox)] : inboxLines(inbox.items, everyone, context.screen);
    });
    return undefined;
  });
}

const words: Readonly<Record<string, string>> = {
  blocked_start: "Possible duplicate",
  ask: "Question",
  handoff: "Handoff",
  issue: "Issue",
  failed_task: "Failed task",
  doubtful_result: "Result to review",
  blocked_task: "Blocked task",
  stale_task: "Stale task",
  stale_session: "Stale session",
  refused_claim: "Refused claim",
  budget: "Budget exceeded",
};

/** What `crewdeck answer` can do something about, and what it needs besides the number. */
const answerable: Readonly<Record<string, string>> = {
  ask: " TEXT",
  blocked_start: " TEXT",
  handoff: "",
  refused_claim: "",
};

function inboxLines(items: readonly Item[], everyone: boolean, screen: Screen): string[] {
  const whom = everyone ? "anyone" : "you";
  if (items.length === 0) return [`Nothing needs ${whom}.`];
  return [
    `${count(items.length, "item")} ${items.length === 1 ? "needs" : "need"} ${whom}.`,
    ...items.flatMap((item, at) => {
      const number = `${at + 1}.`.padEnd(3);
      const needs = everyone ? undefined : answerable[item.kind];
      const action = needs === undefined ? cleanText(item.action) : `crewdeck answer ${at + 1}${needs}`;
      return ["", `${number} ${headOf(item, everyone, screen)}`, `    ${paint(screen, "dim", action)}`];
    }),
  ];
}

function headOf({ kind, title, developer, from, since }: Item, everyone: boolean, screen: Screen): string {
  const facts = [
    ...(from === null ? [] : [`from ${cleanText(from)}`]),
    ...(everyone ? [`for ${cleanText(developer)}`] : []),
    agoText(since),
  ];
  const label = words[kind] ?? cleanText(kind);
  const end = ` (${facts.join(", ")})`;
  const room = Math.max(20, screen.width - label.length - end.length - 6);
  const name = title === null ? "" : `: ${cut(cleanText(title), room)}`;
  return `${paint(screen, "bold", label)}${name}${paint(screen, "dim", end)}`;
}
