import fc from "fast-check";
import { expect } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import { priorities } from "../../src/contract/words.ts";
import type { Priority } from "../../src/domain/message/model.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { type Developer, isSeenBy, type MailModel, type Status, shown } from "./mailbox-model.ts";

export interface Real {
  readonly house: TestHouse;
  readonly callers: readonly [Caller, Caller];
}

type Args = Record<string, unknown>;

/** One call of a tool by one developer, and what the model says must come of it. */
interface Step {
  readonly tool: string;
  readonly args: Args;
  readonly by: Developer;
  /** The value or the refusal's code; the model follows. `seen` brings the ids that only the house can make. */
  expected(seen: unknown, now: number, look: (id: string) => Promise<Args>): unknown;
}

/** A command that looks at the model when its turn comes. */
const commandOf = (what: object, plan: (model: MailModel) => Step): fc.AsyncCommand<MailModel, Real> => ({
  check: () => true,
  async run(model, { house, callers }) {
    house.clock.advance(1);
    const { tool, args, by, expected } = plan(model);
    const reply = await house.reply(tool, args, callers[by]);
    const seen = reply.ok ? reply.value : reply.failure.code;
    const look = (id: string) => house.call("message_get", { id, mark_read: false }, callers[by]);
    expect(seen).toEqual(await expected(seen, house.clock.now(), look));
  },
  toString: () => JSON.stringify(what),
});

const by = fc.constantFrom<Developer>(0, 1);
/** Whether the call comes from the developer it should not come from. */
const byStranger = fc.nat(6).map((draw) => draw === 0);
const callerOf = (owner: Developer, isStranger: boolean): Developer => (isStranger ? (owner === 0 ? 1 : 0) : owner);
const agent = fc.nat(3);
const letter = fc.option(fc.nat(30), { freq: 10 });
const priority = fc.constantFrom<Priority>(...priorities);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const nowhere = "msg_nowhere";

const send = fc.record({ byStranger, from: agent, to: agent, priority, answers: maybe(letter) }).map((ask) =>
  commandOf({ send: ask }, (model) => {
    const [from, to] = [model.agent(ask.from), model.agent(ask.to)];
    const caller = callerOf(from.developer, ask.byStranger);
    const answered = ask.answers === undefined ? undefined : model.letter(ask.answers);
    const replyTo = ask.answers === undefined ? null : (answered?.id ?? nowhere);
    const about = { from, to, kind: "query", priority: ask.priority, replyTo };
    return {
      tool: "message_send",
      by: caller,
      args: {
        sender_id: from.id,
        recipient_id: to.id,
        message_type: "query",
        body: "Hello",
        priority: ask.priority,
        ...(replyTo === null ? {} : { reply_to_id: replyTo }),
      },
      expected(seen, now) {
        if (from.developer !== caller) return "FORBIDDEN";
        if (replyTo !== null && !(answered && isSeenBy(answered, caller))) return "MESSAGE_NOT_FOUND";
        const { id, thread_id } = seen as { id: string; thread_id: string };
        const thread = answered?.thread ?? model.fresh(thread_id);
        model.add({ id: model.fresh(id), thread, ...about }, now);
        const offline = { recipient_status: "offline", notice: expect.stringContaining("offline") };
        return { id, thread_id: thread, ...(to.isLive ? {} : offline) };
      },
    };
  }),
);

const broadcast = fc.record({ byStranger, from: agent, priority }).map((ask) =>
  commandOf({ broadcast: ask }, (model) => {
    const from = model.agent(ask.from);
    return {
      tool: "message_broadcast",
      by: callerOf(from.developer, ask.byStranger),
      args: { sender_id: from.id, message_type: "notification", body: "Hello", priority: ask.priority },
      async expected(seen, now, look) {
        if (ask.byStranger) return "FORBIDDEN";
        const audience = model.audience(from);
        const ids = (seen as { message_ids: string[] }).message_ids;
        if (audience.length === 0) return { sent_count: 0, message_ids: [] };
        const thread = model.fresh(String((await look(ids[0] ?? ""))["thread_id"]));
        const about = { thread, from, kind: "notification", priority: ask.priority, replyTo: null };
        for (const [place, to] of audience.entries()) model.add({ id: model.fresh(ids[place]), to, ...about }, now);
        return { sent_count: audience.length, message_ids: ids };
      },
    };
  }),
);

const status = fc.constantFrom<Status | "all">("unread", "read", "archived", "all");
const wish = fc.record(
  { status, priority: fc.uniqueArray(priority, { minLength: 1 }), limit: fc.integer({ min: 1, max: 5 }) },
  { requiredKeys: [] },
);

const list = fc
  .record({ byStranger, of: agent, wish, inThreadOf: maybe(letter), sinceLetter: maybe(letter) })
  .map((ask) =>
    commandOf({ list: ask }, (model) => {
      const owner = model.agent(ask.of);
      const thread = model.letter(ask.inThreadOf ?? null)?.thread;
      const since = model.letter(ask.sinceLetter ?? null)?.at;
      return {
        tool: "message_list",
        by: callerOf(owner.developer, ask.byStranger),
        args: {
          agent_id: owner.id,
          ...ask.wish,
          ...(thread === undefined ? {} : { thread_id: thread }),
          ...(since === undefined ? {} : { since: since / 1_000 }),
        },
        expected() {
          if (ask.byStranger) return "FORBIDDEN";
          const unread = priorities.reduce((sum, one) => sum + model.countUnread(owner, one), 0);
          return { messages: model.list(owner, { ...ask.wish, thread, since }).map(shown), unread_count: unread };
        },
      };
    }),
  );

const get = fc.record({ by, letter, marksRead: maybe(fc.boolean()) }).map((ask) =>
  commandOf({ get: ask }, (model) => {
    const one = model.letter(ask.letter);
    return {
      tool: "message_get",
      by: ask.by,
      args: { id: one?.id ?? nowhere, ...(ask.marksRead === undefined ? {} : { mark_read: ask.marksRead }) },
      expected(_seen, now) {
        if (!one || !isSeenBy(one, ask.by)) return "MESSAGE_NOT_FOUND";
        if (ask.marksRead !== false && one.to.developer === ask.by) model.move(one, "read", now);
        return shown(one);
      },
    };
  }),
);

const tools = { read: "message_mark_read", archived: "message_archive" } as const;

const move = fc
  .record({
    by,
    to: fc.constantFrom("read" as const, "archived" as const),
    own: fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
    any: maybe(letter),
  })
  .map((ask) =>
    commandOf({ move: ask }, (model) => {
      const own = ask.own.map((place) => model.letter(place, model.received(ask.by)));
      const letters = ask.any === undefined ? own : [...own, model.letter(ask.any)];
      return {
        tool: tools[ask.to],
        by: ask.by,
        args: { message_ids: letters.map((one) => one?.id ?? nowhere) },
        expected(_seen, now) {
          const mine = letters.filter((one) => one?.to.developer === ask.by);
          if (mine.length < letters.length) return "MESSAGE_NOT_FOUND";
          for (const one of mine) if (one) model.move(one, ask.to, now);
          return { success: true };
        },
      };
    }),
  );

const count = fc.record({ byStranger, of: agent }).map((ask) =>
  commandOf({ count: ask }, (model) => {
    const owner = model.agent(ask.of);
    return {
      tool: "message_count_unread",
      by: callerOf(owner.developer, ask.byStranger),
      args: { agent_id: owner.id },
      expected() {
        if (ask.byStranger) return "FORBIDDEN";
        const counts = priorities.map((one) => [one, model.countUnread(owner, one)] as const);
        return { count: counts.reduce((sum, [, one]) => sum + one, 0), by_priority: Object.fromEntries(counts) };
      },
    };
  }),
);

const presence = fc.record({ of: agent, status: fc.constantFrom("online", "busy", "offline") }).map((ask) =>
  commandOf({ presence: ask }, (model) => {
    const owner = model.agent(ask.of);
    return {
      tool: "agent_update",
      by: owner.developer,
      args: { id: owner.id, status: ask.status },
      expected() {
        owner.isLive = ask.status !== "offline";
        return { success: true };
      },
    };
  }),
);

/** Every kind of step; sending counts more, because empty mailboxes teach little. */
export const steps = [send, send, send, broadcast, list, list, get, move, move, count, presence];
