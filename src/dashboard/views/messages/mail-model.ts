import { callTool, read } from "../../data/api.ts";
import { deck } from "../../data/deck.ts";
import { type EventPage, type LiveEvent, textIn } from "../../data/event.ts";
import { learnName } from "../../data/names.ts";
import { type Reading, readAgain } from "../../data/store.ts";

export interface Message {
  readonly id: string;
  readonly thread_id: string;
  readonly sender_id: string | null;
  readonly recipient_id: string;
  readonly message_type: string;
  readonly subject: string | null;
  readonly body: string | Readonly<Record<string, unknown>>;
  readonly priority: "low" | "normal" | "high" | "urgent";
  readonly status: "unread" | "read" | "archived";
  readonly task_id: string | null;
  readonly created_at: string;
}

export interface Correspondent {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly developer: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly last_heartbeat: string;
}

/** The letters of everybody who works for one person, and that person's own. */
export interface Mail {
  readonly agents: readonly Correspondent[];
  /** The person as one that can write and be written to, once they have written. */
  readonly me: Correspondent | undefined;
  readonly mine: ReadonlySet<string>;
  /** Newest first, each once. */
  readonly messages: readonly Message[];
}

/** Mailboxes of agents that left long ago are not looked into. */
const mostMailboxes = 20;
const mostLetters = 100;
const mostSentThreads = 20;

export const mailReading: Reading<Mail> = {
  key: "mail",
  load: loadMail,
  applyEvent: applyToMail,
};

async function loadMail(signal: AbortSignal): Promise<Mail> {
  const { agents } = await read<{ agents: Correspondent[] }>("/api/agents", { limit: 500 }, signal);
  for (const agent of agents) learnName(agent.id, agent.name);
  const handle = deck.state.person?.handle;
  const own = agents.filter((agent) => agent.developer === handle);
  const mine = new Set(own.map((agent) => agent.id));
  const boxes = await Promise.all(chooseMailboxes(own).map((agent) => readMailbox(agent.id, {}, signal)));
  const received = boxes.flat();
  const known = new Set(received.map((message) => message.thread_id));
  const sent = await listSentThreads(mine, known, signal);
  const threads = await Promise.all(sent.map(({ agent, thread }) => readMailbox(agent, { thread_id: thread }, signal)));
  return { agents, me: own.find(isPerson), mine, messages: sortLetters([...received, ...threads.flat()]) };
}

/** Who is here, the person themself, and who was here last. */
function chooseMailboxes(own: readonly Correspondent[]): Correspondent[] {
  const weight = (agent: Correspondent): number => (isPerson(agent) ? 2 : agent.status === "offline" ? 0 : 1);
  return [...own]
    .sort((one, other) => weight(other) - weight(one) || other.last_heartbeat.localeCompare(one.last_heartbeat))
    .slice(0, mostMailboxes);
}

export const isPerson = (agent: Correspondent): boolean => agent.metadata["person"] === true;

async function readMailbox(agent: string, query: { thread_id?: string }, signal?: AbortSignal): Promise<Message[]> {
  const wanted = { agent_id: agent, limit: mostLetters, ...(query.thread_id ? query : { status: "all" }) };
  return (await read<{ messages: Message[] }>("/api/messages", wanted, signal)).messages;
}

export const readThread = (agent: string, thread: string): Promise<Message[]> =>
  readMailbox(agent, { thread_id: thread });

/** A mailbox holds what came in; what went out without an answer yet is found through the ledger. */
async function listSentThreads(
  mine: ReadonlySet<string>,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<{ agent: string; thread: string }[]> {
  const { events } = await read<EventPage>("/api/events", { kind: "message.sent", newest: true, limit: 500 }, signal);
  const found = new Map<string, string>();
  for (const { data } of events) {
    const sender = textIn(data, "sender_id");
    const thread = textIn(data, "thread_id");
    if (sender && thread && mine.has(sender) && !known.has(thread)) found.set(thread, sender);
  }
  return [...found].slice(0, mostSentThreads).map(([thread, agent]) => ({ thread, agent }));
}

export function sortLetters(messages: readonly Message[]): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return [...byId.values()].sort((one, other) => other.created_at.localeCompare(one.created_at));
}

/** Who wrote and who read is told by the event; the words are read. */
export function applyToMail(mail: Mail, event: LiveEvent): Mail | typeof readAgain {
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
  const { id } = await callTool<{ id: string }>("agent_register", {
    name,
    runtime: "custom",
    metadata: { person: true },
  });
  return id;
}
