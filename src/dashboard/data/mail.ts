import type { AnswerOf } from "../../tools/calls.ts";
import { callTool, read } from "./api.ts";
import { deck } from "./deck.ts";
import { type LiveEvent, textIn } from "./event.ts";
import { learnAgent } from "./names.ts";
import { type Reading, readAgain } from "./store.ts";

export type Message = AnswerOf<"mail_list">["messages"][number];
export type Correspondent = AnswerOf<"agent_list">["agents"][number];

/** The letters of everybody who works for one person, and that person's own. */
export interface Mail {
  readonly agents: readonly Correspondent[];
  /** The person as one that can write and be written to, once they have written. */
  readonly me: Correspondent | undefined;
  readonly mine: ReadonlySet<string>;
  /** Newest first, each once. */
  readonly messages: readonly Message[];
}

/** As many as the server hands out at once; what is older is in the ledger. */
const mostLetters = 200;

export const mailReading: Reading<Mail> = {
  key: "mail",
  load: loadMail,
  applyEvent: applyToMail,
};

async function loadMail(signal: AbortSignal): Promise<Mail> {
  const [{ agents }, { messages }] = await Promise.all([
    read("/api/agents", { limit: 500 }, signal),
    read("/api/messages", { status: "all", limit: mostLetters }, signal),
  ]);
  for (const { id, name, runtime, developer } of agents) learnAgent(id, { name, client: runtime, owner: developer });
  const own = agents.filter((agent) => agent.developer === deck.state.person?.handle);
  return { agents, me: own.find(isPerson), mine: new Set(own.map(({ id }) => id)), messages: sortLetters(messages) };
}

export const isPerson = (agent: Correspondent): boolean => agent.metadata["person"] === true;

function sortLetters(messages: readonly Message[]): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return [...byId.values()].sort((one, other) => other.created_at.localeCompare(one.created_at));
}

/** Who wrote and who read is told by the event; the words are read. */
function applyToMail(mail: Mail, event: LiveEvent): Mail | typeof readAgain {
  if (event.kind === "agent.registered") return readAgain;
  if (!event.kind.startsWith("message.")) return mail;
  if (event.kind === "message.sent") {
    const ends = [textIn(event.data, "sender_id"), textIn(event.data, "recipient_id")];
    const isOurs = ends.some((id) => id !== undefined && mail.mine.has(id));
    return isOurs && !mail.messages.some((message) => message.id === event.subject) ? readAgain : mail;
  }
  const status = event.kind === "message.archived" ? "archived" : "read";
  if (!mail.messages.some((message) => message.id === event.subject && message.status !== status)) return mail;
  return {
    ...mail,
    messages: mail.messages.map((message) => (message.id === event.subject ? { ...message, status } : message)),
  };
}

/** The person's own address; made when they write for the first time. */
export async function ensureMe(mail: Mail): Promise<string> {
  if (mail.me) return mail.me.id;
  const name = deck.state.person?.handle ?? "person";
  const { id } = await callTool("agent_register", {
    name,
    runtime: "custom",
    metadata: { person: true },
  });
  return id;
}
