import { messageStatuses } from "../../src/contract/words.ts";

/** The simplest thing that behaves like mailboxes: one list of letters, one of agents, and what the rules say. */

export type Status = (typeof messageStatuses)[number];
export type Developer = 0 | 1;

export interface Agent {
  readonly id: string;
  readonly developer: Developer;
  isLive: boolean;
}

export interface Letter {
  readonly id: string;
  readonly thread: string;
  readonly from: Agent;
  readonly to: Agent;
  readonly kind: string;
  readonly priority: string;
  readonly replyTo: string | null;
  readonly at: number;
  status: Status;
  changedAt: number;
}

export interface Wish {
  readonly status?: Status | "all" | undefined;
  readonly priority?: readonly string[] | undefined;
  readonly thread?: string | undefined;
  readonly since?: number | undefined;
  readonly limit?: number | undefined;
}

export class MailModel {
  readonly agents: readonly Agent[];
  readonly letters: Letter[] = [];

  constructor(agents: readonly Agent[]) {
    this.agents = agents;
  }

  agent(place: number): Agent {
    const agent = this.agents[place % this.agents.length];
    if (agent === undefined) throw new Error("the model has no agents");
    return agent;
  }

  /** One of these letters, or none: asking for one that does not exist is part of the game. */
  letter(place: number | null, among: readonly Letter[] = this.letters): Letter | undefined {
    return place === null ? undefined : among[place % Math.max(1, among.length)];
  }

  received(developer: Developer): Letter[] {
    return this.letters.filter((one) => one.to.developer === developer);
  }

  add(letter: Omit<Letter, "at" | "status" | "changedAt">, now: number): void {
    this.letters.push({ ...letter, at: now, status: "unread", changedAt: now });
  }

  /** An id that nothing had before, or the run ends here. */
  fresh(id: string | undefined): string {
    if (!id || this.letters.some((one) => one.id === id || one.thread === id)) throw new Error(`${id} is not new`);
    return id;
  }

  /** Newest first, as the house finds them. */
  audience(sender: Agent): Agent[] {
    return this.agents.filter((agent) => agent.isLive && agent !== sender).reverse();
  }

  list(agent: Agent, wish: Wish): Letter[] {
    const { status, priority, thread, since = -1, limit = 20 } = wish;
    const whole: readonly Status[] = thread === undefined ? ["unread"] : messageStatuses;
    const statuses = status === undefined ? whole : status === "all" ? ["unread", "read"] : [status];
    return this.letters
      .filter((one) => one.to === agent || (thread !== undefined && one.from === agent))
      .filter((one) => thread === undefined || one.thread === thread)
      .filter((one) => statuses.includes(one.status))
      .filter((one) => priority === undefined || priority.includes(one.priority))
      .filter((one) => one.at > since)
      .sort((one, other) => other.at - one.at || (other.id > one.id ? 1 : -1))
      .slice(0, limit);
  }

  countUnread(agent: Agent, priority: string): number {
    return this.letters.filter((one) => one.to === agent && one.status === "unread" && one.priority === priority)
      .length;
  }

  move(letter: Letter, to: Status, now: number): void {
    if (messageStatuses.indexOf(to) <= messageStatuses.indexOf(letter.status)) return;
    letter.status = to;
    letter.changedAt = now;
  }
}

export const isSeenBy = (letter: Letter, developer: Developer): boolean =>
  letter.from.developer === developer || letter.to.developer === developer;

/** A letter as the tools show it. */
export const shown = (letter: Letter): Record<string, unknown> => ({
  id: letter.id,
  thread_id: letter.thread,
  sender_id: letter.from.id,
  recipient_id: letter.to.id,
  message_type: letter.kind,
  subject: null,
  body: "Hello",
  priority: letter.priority,
  status: letter.status,
  workflow_id: null,
  task_id: null,
  reply_to_id: letter.replyTo,
  created_at: new Date(letter.at).toISOString(),
  updated_at: new Date(letter.changedAt).toISOString(),
});
