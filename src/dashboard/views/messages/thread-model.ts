import type { Mail, Message } from "../../data/mail.ts";
import { textOfBody } from "../../parts/body-text.ts";
import { parseSpans } from "../../parts/markdown-model.ts";

export interface Thread {
  readonly id: string;
  readonly subject: string;
  readonly people: readonly string[];
  /** Oldest first, as one reads a conversation. */
  readonly messages: readonly Message[];
  readonly lastAt: string;
  readonly preview: string;
  /** Letters to the person that they have not read. */
  readonly unread: number;
  /** The highest priority among what somebody has not read yet. */
  readonly waiting: Message["priority"] | undefined;
}

const weights: Readonly<Record<Message["priority"], number>> = { low: 0, normal: 1, high: 2, urgent: 3 };

/** Conversations: what the person has not read first, then the last word first. */
export function threadsOf(mail: Mail): Thread[] {
  const byThread = groupByThread(mail.messages);
  return [...byThread.entries()]
    .map(([id, messages]) => threadOf(id, messages, mail.me?.id))
    .sort((one, other) => Number(other.unread > 0) - Number(one.unread > 0) || other.lastAt.localeCompare(one.lastAt));
}

function groupByThread(messages: readonly Message[]): Map<string, Message[]> {
  const threads = new Map<string, Message[]>();
  for (const message of messages) {
    const known = threads.get(message.thread_id);
    if (known) known.push(message);
    else threads.set(message.thread_id, [message]);
  }
  return threads;
}

function threadOf(id: string, newestFirst: readonly Message[], me: string | undefined): Thread {
  const messages = [...newestFirst].reverse();
  const last = messages.at(-1);
  const unread = messages.filter((message) => message.status === "unread");
  return {
    id,
    subject: messages.find((message) => message.subject)?.subject ?? firstLine(messages[0]),
    people: [...new Set(messages.flatMap(({ sender_id, recipient_id }) => [sender_id ?? "", recipient_id]))],
    messages,
    lastAt: last?.created_at ?? "",
    preview: firstLine(last),
    unread: unread.filter((message) => message.recipient_id === me).length,
    waiting: unread.map((message) => message.priority).sort((one, other) => weights[other] - weights[one])[0],
  };
}

const firstLine = (message: Message | undefined): string => {
  const line = message ? (textOfBody(message.body).split("\n")[0] ?? "").slice(0, 200) : "";
  return parseSpans(line)
    .map((span) => span.text)
    .join("");
};

/** To whom an answer goes: the last one who wrote and is not the person. */
export function answerTo(thread: Thread, me: string | undefined): { recipient: string; message: string } | undefined {
  const last = [...thread.messages].reverse().find((message) => message.sender_id !== null && message.sender_id !== me);
  if (last?.sender_id) return { recipient: last.sender_id, message: last.id };
  const own = thread.messages.at(-1);
  return own ? { recipient: own.recipient_id, message: own.id } : undefined;
}
