import type { AnswerOf } from "../../tools/calls.ts";
import { read } from "./api.ts";
import type { LiveEvent } from "./event.ts";
import { learnAgent } from "./names.ts";
import { type Reading, readAgain } from "./store.ts";

type Crew = AnswerOf<"crew_list">;
/** An agent with its work. Of a private developer's agent little more than that it is there. */
export type Member = Crew["agents"][number];

type Which = "here" | "offline";

const pageSize = 200;
/** How many the reader has scrolled to. */
const wanted: Record<Which, number> = { here: pageSize, offline: pageSize };

export const crewReading = (which: Which): Reading<Crew> => readings[which];

const readings = { here: readingOf("here"), offline: readingOf("offline") };

function readingOf(which: Which): Reading<Crew> {
  return {
    key: `crew ${which}`,
    async load(signal) {
      const agents: Member[] = [];
      let page: Crew = { agents, more: true };
      for (let offset = 0; offset < wanted[which] && page.more; offset += pageSize) {
        page = await ask({ offline: which === "offline", offset, limit: pageSize }, signal);
        agents.push(...page.agents.filter(({ is_person }) => !is_person));
      }
      return { agents, more: page.more };
    },
    applyEvent: applyToCrew,
  };
}

/** One agent alone, with all its files. */
export const memberReading = (id: string): Reading<Crew> => ({
  key: `crew ${id}`,
  load: (signal) => ask({ agent_id: id }, signal),
  // Whose page is open is shown with the way by which it was heard of, and no event says that (SN20).
  applyEvent: (crew, event) =>
    signs.includes(event.kind) && event.subject === id ? readAgain : applyToCrew(crew, event),
});

async function ask(
  query: { agent_id?: string; offline?: boolean; offset?: number; limit?: number },
  signal: AbortSignal,
): Promise<Crew> {
  const answer = await read("/api/crew", query, signal);
  for (const { id, name, client, developer } of answer.agents) learnAgent(id, { name, client, owner: developer });
  return answer;
}

/** Makes the next reading longer; false where everything is there. */
export function wantMore({ more }: Crew, which: Which): boolean {
  if (more) wanted[which] += pageSize;
  return more;
}

const signs = ["agent.heartbeat", "session.seen", "session.activityLogged"];
const changing = ["agent.", "session.", "claim.", "context.", "span.", "task.", "developer.updated"];

/** Signs of life are told by the event itself; everything else is read. */
export function applyToCrew(crew: Crew, { kind, subject, ts }: LiveEvent): Crew | typeof readAgain {
  if (!signs.includes(kind)) return changing.some((noun) => kind.startsWith(noun)) ? readAgain : crew;
  const known = crew.agents.find(({ id }) => id === subject);
  if (!known || known.last_seen_at >= ts) return crew;
  if (known.status === "offline" || known.status === "stale") return readAgain;
  return { ...crew, agents: crew.agents.map((one) => (one === known ? { ...one, last_seen_at: ts } : one)) };
}
