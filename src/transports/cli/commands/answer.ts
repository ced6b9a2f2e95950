import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { answer } from "../context.ts";
import { resolveKnown } from "../record.ts";
import type { Shell } from "../shell.ts";
import { agoText, cleanText } from "../text.ts";

type Item = AnswerOf<"inbox">["items"][number];
type Conflict = AnswerOf<"claim_conflicts">["conflicts"][number];

interface Options {
  readonly refuse?: true;
  readonly join?: string | true;
  readonly accept?: true;
  readonly release?: true;
}

export function addAnswer(shell: Shell): void {
  const command = shell
    .add({
      name: "answer",
      summary: "Answer an item of your inbox",
      examples: [
        'answer 1 "Yes, up to a minute old."',
        'answer 1 --refuse "Ada finishes this today."',
        "answer 1 --join",
        "answer 2 --accept",
      ],
    })
    .argument("<item>", "its number in `crewdeck inbox`, or its id")
    .argument("[text...]", "what the agent or the holder reads; for a possible duplicate, why it may start")
    .option("--refuse", "possible duplicate: don't start it, for the reason in TEXT")
    .option(
      "--join [id]",
      "possible duplicate: work with the existing task instead; its number or id, if there are several",
    )
    .option("--accept", "handoff: accept it; without this, its context is shown")
    .option("--release", "refused claim: release what is in the way, if you may");
  shell.does<Options>(command, async (context, options, [which = "", ...words]) => {
    const api = await openApi(context);
    const { items } = await api.read("/api/inbox", {});
    const item = chooseItem(items, which);
    const { told, lines } = await waysFor(item.kind)(api, item, { ...options, text: words.join(" ").trim() });
    answer(context, told, () => lines);
    return undefined;
  });
}

/** Numbers are those that `crewdeck inbox` shows just now. */
function chooseItem(items: readonly Item[], which: string): Item {
  const byNumber = /^\d{1,3}$/.test(which) ? items[Number(which) - 1] : undefined;
  const byId = which.length >= 4 ? items.filter(({ id }) => id.startsWith(which)) : [];
  const [item = byNumber, ...others] = byId;
  if (item !== undefined && others.length === 0) return item;
  throw new Refusal(
    "NOT_FOUND",
    others.length > 0 ? `${which} could be several items of your inbox.` : `Your inbox has no item ${which}.`,
    "List them with: crewdeck inbox",
  );
}

interface Outcome {
  readonly told: unknown;
  readonly lines: string[];
}

type Way = (api: Api, item: Item, ask: Options & { readonly text: string }) => Promise<Outcome>;

const waysFor = (kind: Item["kind"]): Way => ways[kind] ?? refuseOther;

const ways: Readonly<Partial<Record<Item["kind"], Way>>> = {
  ask: reply,
  blocked_start: decideStart,
  handoff: takeOver,
  refused_claim: clearTheWay,
};

const refuseOther: Way = async (_api, item) => {
  throw new Refusal("INVALID_STATE", "That item is not a question.", item.action);
};

async function reply(...[api, item, { text }]: Parameters<Way>): Promise<Outcome> {
  const told = await api.call("covibe_coordination", {
    operation: "reply",
    ask_id: item.id,
    answer: needed(text, "an answer"),
  });
  return { told, lines: [`Answered ${cleanText(item.from ?? "the agent")}.`] };
}

async function decideStart(...[api, item, { text, refuse, join }]: Parameters<Way>): Promise<Outcome> {
  if (refuse && join !== undefined) throw usage("--refuse and --join exclude each other.", "Choose one of them.");
  if (refuse) {
    const told = await api.call("check_refuse", { check_id: item.id, reason: needed(text, "a reason") });
    return { told, lines: ["Refused. The agent reads your reason with its next answer."] };
  }
  if (join !== undefined) {
    const candidate = join === true ? await onlyCandidate(api, item.id) : await resolveKnown(api, "task", join);
    const told = await api.call("check_join", {
      check_id: item.id,
      candidate_id: candidate,
      ...(text === "" ? {} : { reason: text }),
    });
    const asked = told.ask_id === null ? "" : ` ${cleanText(told.owner)} is asked to hand part of it over.`;
    return { told, lines: [`Joined. The agent works with ${candidate} instead.${asked}`] };
  }
  const told = await api.call("check_confirm", { check_id: item.id, reason: needed(text, "a reason") });
  return { told, lines: ["Confirmed. The agent can start the task now."] };
}

async function onlyCandidate(api: Api, check: string): Promise<string> {
  const { others } = await api.read("/api/overlap/:id", { id: check });
  const ids = others.flatMap(({ id, needs_verdict }) => (needs_verdict && id !== null ? [id] : []));
  const [only, ...more] = ids;
  if (only !== undefined && more.length === 0) return only;
  throw usage("There are several similar tasks.", `Name one: --join ${ids.join(" or --join ")}`);
}

async function takeOver(...[api, item, { accept }]: Parameters<Way>): Promise<Outcome> {
  if (accept) {
    const told = await api.call("covibe_coordination", { operation: "accept", handoff_id: item.id });
    return { told, lines: ["Handoff accepted."] };
  }
  const handoff = await api.read("/api/handoffs/:id", { id: item.id });
  return {
    told: handoff,
    lines: [...handoffLines(handoff), "", `Accept it with: crewdeck answer ${item.id} --accept`],
  };
}

function handoffLines({ from, summary, task, context, claims }: AnswerOf<"handoff_get">): string[] {
  const code = claims.flatMap(({ paths, symbols }) => [...paths, ...symbols]);
  const facts: readonly (readonly [name: string, values: readonly (string | null)[]])[] = [
    ["Task", [task?.title ?? null]],
    ["Claims", code],
    ["Context", [context?.title ?? null, context?.summary ?? null]],
    ["Branch", [context?.repo ?? null, context?.branch ?? null]],
    ["Files", context?.files ?? []],
    ["Next steps", context?.next_actions ?? []],
    ["Blockers", context?.blockers ?? []],
  ];
  return [
    `${cleanText(from)} offers a handoff: ${cleanText(summary)}`,
    ...facts.flatMap(([name, values]) => {
      const said = values.filter((value) => value !== null && value !== "").map((value) => cleanText(value ?? ""));
      return said.length === 0 ? [] : [`  ${name}: ${said.join(", ")}`];
    }),
  ];
}

async function clearTheWay(...[api, item, { text, release }]: Parameters<Way>): Promise<Outcome> {
  const refused = await api.read("/api/claims/conflicts", { limit: 100 });
  const conflicts = refused.conflicts.filter(({ item_id }) => item_id === item.id);
  if (release) return releaseAll(api, conflicts);
  if (text === "") {
    const hint = `Ask the holder with: crewdeck answer ${item.id} TEXT`;
    return { told: { conflicts }, lines: [...conflicts.map(conflictLine), hint] };
  }
  const holders = [...new Set(conflicts.map(({ holder }) => holder))];
  for (const to of holders) await api.call("covibe_coordination", { operation: "ask", to, question: text });
  return { told: { asked: holders }, lines: [`Asked ${holders.map(cleanText).join(", ")}.`] };
}

async function releaseAll(api: Api, conflicts: readonly Conflict[]): Promise<Outcome> {
  const ids = conflicts.flatMap(({ claim_id, may_release }) => (may_release && claim_id !== null ? [claim_id] : []));
  if (ids.length === 0) {
    throw new Refusal(
      "FORBIDDEN",
      "None of these claims is yours to release.",
      "Ask the holder: crewdeck answer N TEXT",
    );
  }
  const released = [...new Set(ids)];
  for (const claim_id of released) await api.call("claim_release", { claim_id });
  return { told: { released }, lines: ["Released. The agents that held it are told."] };
}

const conflictLine = ({ paths, symbols, holder, holder_agent, held_since }: Conflict): string =>
  `${cleanText([...paths, ...symbols].join(", "))}: held by ${cleanText([holder_agent, holder].filter(Boolean).join(" · "))}, claimed ${agoText(held_since)}`;

function needed(text: string, what: string): string {
  if (text === "") throw usage(`Give ${what}.`, "Write it after the item: crewdeck answer N TEXT");
  return text;
}

const usage = (message: string, hint: string): Refusal => new Refusal("INVALID_INPUT", message, hint);
