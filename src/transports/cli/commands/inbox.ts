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
  agent_waiting: "Agent needs you",
  agent_failed: "Agent ended",
  review_limit: "Review limit reached",
  collision: "Conflict",
  pull_request: "Pull request",
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
  const whom = everyone ? "someone" : "you";
  if (items.length === 0) return [`Nothing needs ${everyone ? "anyone" : "you"}.`];
  return [
    `${count(items.length, "item")} ${items.length === 1 ? "needs" : "need"} ${whom}.`,
    ...items.flatMap((item, at) => {
      const number = `${at + 1}.`.padEnd(3);
      const needs = everyone ? undefined : answerable[item.kind];
      const action = needs === undefined ? cleanText(item.action) : `crewdeck answer ${at + 1}${needs}`;
      const [first, ...rest] = headOf(item, everyone, screen);
      return ["", `${number} ${first}`, ...rest.map((line) => `    ${line}`), `    ${paint(screen, "dim", action)}`];
    }),
  ];
}

/** What it is and since when; on a narrow screen the rest stands below. */
function headOf({ kind, title, developer, from, agent, since }: Item, everyone: boolean, screen: Screen): string[] {
  const facts = [...whoIn(from, agent), ...(everyone ? [`for ${cleanText(developer)}`] : []), agoText(since)].join(
    ", ",
  );
  const label = words[kind] ?? cleanText(kind);
  const name = title === null ? "" : `: ${cleanText(title)}`;
  const said = (text: string) => `${paint(screen, "bold", label)}${text}`;
  const room = screen.width - indent - label.length;
  const left = room - facts.length - 3;
  if (left >= Math.min(name.length, leastTitle))
    return [`${said(cut(name, left))}${paint(screen, "dim", ` (${facts})`)}`];
  return [said(cut(name, room)), paint(screen, "dim", facts)];
}

function whoIn(from: string | null, agent: string | null): string[] {
  if (agent === null) return from === null ? [] : [`from ${cleanText(from)}`];
  return [from === null ? cleanText(agent) : `from ${cleanText(agent)} of ${cleanText(from)}`];
}

const indent = 4;
/** Fewer columns say too little. */
const leastTitle = 24;
