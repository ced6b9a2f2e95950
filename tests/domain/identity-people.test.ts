import { expect, test } from "vitest";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "./still-house.ts";

interface People {
  developers: { handle: string }[];
}

forEachStillStore("people", (open) => {
  test("[ID10] the owner adds a member and the answer is the whole person", async () => {
    const house = await open();
    house.clock.advance(3);
    let reply: Record<string, unknown> = {};

    const trace = await traceOf(house, async () => {
      reply = await house.call("developer_create", {
        handle: "grace",
        name: " Grace ",
        email: "grace@example.com",
        private: true,
      });
    });

    expect(reply).toEqual({
      id: expect.stringMatching(/^dev_[0-9a-z]{26}$/),
      handle: "grace",
      name: "Grace",
      email: "grace@example.com",
      private: true,
      role: "member",
      created_at: momentAt(3),
    });
    const { id } = reply;
    expect(trace).toEqual({
      work: [
        {
          kind: "developer.created",
          announced: "developer:created",
          subject: id,
          channels: [`developer:${id}`],
          data: { handle: "grace", role: "member" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("developer_create")],
    });
  });

  test("[ID10] who is added with a handle alone bears it as a name, has no e-mail and is not private", async () => {
    const house = await open();
    expect(await house.call("developer_create", { handle: "bob" })).toMatchObject({
      name: "bob",
      email: null,
      private: false,
    });
  });

  test("[ID10] a handle is given once, also when two ask for it at the same moment", async () => {
    const house = await open();
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => house.reply("developer_create", { handle: "bob" })),
    );
    const outcomes = replies.map((reply) => (reply.ok ? "ok" : reply.failure.code));
    expect(outcomes.sort()).toEqual(["CONFLICT", "CONFLICT", "CONFLICT", "CONFLICT", "ok"]);
    expect((await house.call<People>("developer_list")).developers).toHaveLength(2);
  });

  test("[ID10] a member adds nobody", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const trace = await traceOf(house, async () => {
      expect(await house.refusal("developer_create", { handle: "eve" }, bob)).toBe("FORBIDDEN");
    });
    expect(trace).toEqual({ work: [], usage: [wasRefused("developer_create", "FORBIDDEN")] });
  });

  test.each([
    "",
    "-a",
    "a-",
    "A",
    "a_b",
    "a b",
    "@private",
    "é",
    "a".repeat(41),
    "a\n",
  ])("[ID4] %j is no handle", async (handle) => {
    const house = await open();
    expect(await house.refusal("developer_create", { handle })).toBe("INVALID_REQUEST");
  });

  test.each([
    { email: "nobody" },
    { name: " " },
    { name: "n".repeat(201) },
    { private: "yes" },
  ])("[ID10] %j does not describe a person", async (ask) => {
    const house = await open();
    expect(await house.refusal("developer_create", { handle: "bob", ...ask })).toBe("INVALID_REQUEST");
  });

  test("[ID11] a member changes themselves, and the event names the fields but not their values", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    let reply: unknown;

    const trace = await traceOf(house, async () => {
      const ask = { handle: "bob", name: "Bob B.", email: "bob@example.com", private: true };
      reply = await house.call("developer_update", ask, bob);
    });

    expect(reply).toEqual({
      id: bob.developerId,
      handle: "bob",
      name: "Bob B.",
      email: "bob@example.com",
      private: true,
      role: "member",
      created_at: momentAt(0),
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "developer.updated",
          announced: "developer:updated",
          subject: bob.developerId,
          channels: [`developer:${bob.developerId}`],
          data: { fields: ["name", "email", "private"] },
          developerId: bob.developerId,
        },
      ],
      usage: [usedWell("developer_update")],
    });
    expect(await house.call("developer_list", {}, bob)).toMatchObject({ developers: [{}, reply] });
  });

  test("[ID11] the owner changes anyone, a member nobody else, and what is not named stays", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob", { email: "bob@example.com" });
    expect(await house.call("developer_update", { handle: "bob", name: "Robert" })).toMatchObject({
      name: "Robert",
      email: "bob@example.com",
      private: false,
    });
    const events = await house.eventsOf(async () => {
      expect(await house.refusal("developer_update", { handle: "ada", name: "Bob" }, bob)).toBe("FORBIDDEN");
      expect(await house.refusal("developer_update", { handle: "nobody", name: "Bob" }, bob)).toBe("NOT_FOUND");
    });
    expect(events).toEqual([]);
  });

  test("[ID11] an update that names nothing changes and records nothing", async () => {
    const house = await open();
    const trace = await traceOf(house, () => house.call("developer_update", { handle: "ada" }));
    expect(trace).toEqual({ work: [], usage: [usedWell("developer_update")] });
  });

  test("[ID14] developers are listed by handle, to the owner all of them", async () => {
    const house = await open();
    await house.call("developer_create", { handle: "zoe", private: true });
    await house.call("developer_create", { handle: "bob" });
    let reply: People = { developers: [] };
    const trace = await traceOf(house, async () => {
      reply = await house.call<People>("developer_list");
    });
    expect(reply.developers.map((one) => one.handle)).toEqual(["ada", "bob", "zoe"]);
    expect(trace).toEqual({ work: [], usage: [usedWell("developer_list")] });
  });

  test("[ID15] a private developer is listed to nobody but the owner and themselves", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    const { caller: grace } = await house.developer("grace", { private: true });
    const seenBy = async (caller: typeof bob) =>
      (await house.call<People>("developer_list", {}, caller)).developers.map((one) => one.handle);
    expect(await seenBy(bob)).toEqual(["ada", "bob"]);
    expect(await seenBy(grace)).toEqual(["ada", "bob", "grace"]);
  });

  test("[ID15] asking for a private developer by name answers as for an unknown one", async () => {
    const house = await open();
    const { caller: bob } = await house.developer("bob");
    await house.developer("grace", { private: true });
    const failureOf = async (tool: string, args: object) => {
      const reply = await house.reply(tool, args, bob);
      return reply.ok ? reply.value : reply.failure;
    };
    for (const [tool, key] of [
      ["developer_update", "handle"],
      ["token_create", "developer"],
    ] as const) {
      const unknown = await failureOf(tool, { [key]: "nobody" });
      expect(unknown).toMatchObject({ code: "NOT_FOUND" });
      expect(await failureOf(tool, { [key]: "grace" })).toEqual(unknown);
    }
  });
});
