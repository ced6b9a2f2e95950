import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Caller } from "../../src/contract/caller.ts";
import { InstanceId } from "../../src/contract/ids.ts";
import type { InstanceType } from "../../src/domain/instance/model.ts";
import { enterInstance, getCalling, lookWhoCalls, moveInstance } from "../../src/domain/instance/operations.ts";
import { mintToken, revokeInstanceToken } from "../../src/domain/person/operations.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { transactAsSystem } from "../../src/engine/system-work.ts";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { catalog, personTools } from "../../src/tools/catalog.ts";
import { defineTool } from "../../src/tools/define.ts";
import { makeRepository } from "../git/scratch.ts";

/** A tool for one type of instance, as review tools are. */
const toolFor = (name: string, types: readonly InstanceType[]) =>
  defineTool({
    name,
    family: "review",
    title: "Try",
    summary: "Try it.",
    effect: "change",
    callers: ["agent"],
    isNamedInRefusals: true,
    input: z.object({ to: z.enum(["pr_created", "pr_merged"]).optional().describe("Where to.") }),
    output: z.object({ id: InstanceId, type: z.string() }),
    refusals: ["FORBIDDEN"],
    examples: [],
    observe: (_input, look) => lookWhoCalls(look),
    enter: (_input, work, sighting) => enterInstance(work, sighting),
    async handle({ to }, work, sighting) {
      const instance = await getCalling(work, sighting, types);
      if (to !== undefined) await moveInstance(work, instance, to);
      return { id: instance.id, type: instance.type };
    },
  });

const open = (kind: StoreKind): Promise<TestHouse> =>
  openTestHouse(kind, {
    tools: [
      ...catalog,
      ...personTools,
      toolFor("try_coding", ["coding"]),
      toolFor("try_planning", ["planning"]),
      toolFor("try_review", ["review"]),
    ],
  });

interface Seated {
  folder?: string | undefined;
  role?: string;
  isHere?: boolean;
  caller?: Caller;
  args?: object;
}

const callFrom = (
  { house, owner }: TestHouse,
  tool: string,
  { folder, role, isHere = true, caller, args = {} }: Seated,
) => dispatch(house, { tool, args, caller: caller ?? owner, transport: "mcp", folder, seat: { role, isHere } });

async function idFrom(house: TestHouse, tool: string, seated: Seated): Promise<string> {
  const reply = await callFrom(house, tool, seated);
  if (!reply.ok) throw new Error(JSON.stringify(reply.failure));
  return (reply.value as { id: string }).id;
}

async function failureFrom(house: TestHouse, tool: string, seated: Seated): Promise<Record<string, unknown>> {
  const reply = await callFrom(house, tool, seated);
  if (reply.ok) throw new Error("expected a refusal");
  return reply.failure;
}

describe.each(["sqlite", "postgres"] as const)("instances on %s", (kind) => {
  test("[IN3, IN4] the first call makes the instance and later ones find it, from folders below too", async () => {
    const house = await open(kind);
    const repository = makeRepository();
    repository.git("switch", "-q", "-c", "feature");
    const id = await idFrom(house, "try_coding", { folder: repository.path });
    expect(id).toMatch(/^work-[0-9a-z]{8}$/);
    expect(await idFrom(house, "try_coding", { folder: join(repository.path, "lib") })).toBe(id);
    const { instances } = await house.call<{ instances: Record<string, unknown>[] }>("instance_list");
    expect(instances).toEqual([
      {
        id,
        type: "coding",
        status: "started",
        worktree_path: repository.path,
        branch_name: "feature",
        base_branch: "main",
        session_name: null,
        agent: null,
        parent_instance_id: null,
        review_iteration: 0,
        pr_number: null,
        pr_url: null,
        created_at: expect.any(String),
        last_activity: expect.any(String),
        terminated_at: null,
        end_reason: null,
        attention: null,
        budget: null,
        used: null,
        developer: "ada",
        program_state: null,
        task_id: null,
      },
    ]);
  });

  test("[IN2] others write to an instance under its id", async () => {
    const house = await open(kind);
    const id = await idFrom(house, "try_coding", { folder: makeRepository().path });
    const sender_id = await house.agent("peer");
    const letter = { sender_id, recipient_id: id, message_type: "notification", body: "Well done." };
    await house.call("message_send", letter);
    const mail = await house.call<{ messages: { body: string }[] }>("message_list", { agent_id: id });
    expect(mail.messages).toMatchObject([{ body: "Well done." }]);
  });

  test("[IN4] first calls at the same moment make one instance, and a refused one makes it too", async () => {
    const house = await open(kind);
    const { path } = makeRepository();
    const ids = await Promise.all(Array.from({ length: 4 }, () => idFrom(house, "try_coding", { folder: path })));
    expect(new Set(ids).size).toBe(1);
    const other = makeRepository();
    const failure = await failureFrom(house, "try_review", { folder: other.path });
    expect(failure).toMatchObject({
      code: "FORBIDDEN",
      tool_name: "try_review",
      instance_id: expect.stringMatching(/^work-/),
    });
    expect(await idFrom(house, "try_coding", { folder: other.path })).toBe(failure["instance_id"]);
  });

  test("[IN6, IN7, IN8] roles come from the connection, and the wrong one is forbidden with names", async () => {
    const house = await open(kind);
    const { path } = makeRepository();
    const planner = await idFrom(house, "try_planning", { folder: path, role: "planning" });
    expect(planner).toMatch(/^planning-/);
    expect(await failureFrom(house, "try_coding", { folder: path, role: "planning" })).toMatchObject({
      code: "FORBIDDEN",
      tool_name: "try_coding",
      instance_id: planner,
    });
    expect(await failureFrom(house, "try_review", { folder: path, role: "review" })).toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await failureFrom(house, "try_coding", { folder: path, role: "x" })).toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  test("[IN10] without a work tree on this machine the refusal says what to send", async () => {
    const house = await open(kind);
    const { path, around } = makeRepository();
    mkdirSync(join(around, "plain"));
    for (const seated of [{}, { folder: path, isHere: false }, { folder: join(around, "plain") }, { folder: "shop" }]) {
      const failure = await failureFrom(house, "try_coding", seated);
      expect(failure).toMatchObject({ code: "INVALID_REQUEST", tool_name: "try_coding" });
      expect(failure["hint"]).toContain("X-Crewdeck-Repo");
    }
    expect(await house.call("instance_list")).toEqual({ instances: [] });
  });

  test("[IN12] after a pull request another branch is another instance", async () => {
    const house = await open(kind);
    const repository = makeRepository();
    repository.git("switch", "-q", "-c", "one");
    const first = await idFrom(house, "try_coding", { folder: repository.path, args: { to: "pr_created" } });
    expect(await idFrom(house, "try_coding", { folder: repository.path })).toBe(first);
    repository.git("switch", "-q", "-c", "two");
    const second = await idFrom(house, "try_coding", { folder: repository.path });
    expect(second).not.toBe(first);
    repository.git("switch", "-q", "one");
    expect(await idFrom(house, "try_coding", { folder: repository.path, args: { to: "pr_merged" } })).toBe(first);
    expect(await idFrom(house, "try_coding", { folder: repository.path })).toBe(second);
  });

  test("[IN5] an instance's token speaks for it, is no person's, and ends", async () => {
    const house = await open(kind);
    const { path } = makeRepository();
    const id = InstanceId.parse(await idFrom(house, "try_coding", { folder: path }));
    const { store, sources, authenticator } = house.house;
    const { developerId } = house.owner;
    const ask = { developerId, label: id, agentType: null, instanceId: id };
    const token = await transactAsSystem(store, sources, (work) => mintToken(work, ask));
    const caller = await authenticator.identify(token.text);
    expect(await idFrom(house, "try_coding", { caller, isHere: false })).toBe(id);
    expect(await house.refusal("token_create", {}, caller)).toBe("FORBIDDEN");
    expect(await house.refusal("developer_create", { handle: "eve" }, caller)).toBe("FORBIDDEN");
    await transactAsSystem(store, sources, (work) => revokeInstanceToken(work, token.id));
    await expect(authenticator.identify(token.text)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("[IN11] instances are listed newest first, by type and status, and private ones to nobody else", async () => {
    const house = await open(kind);
    const { caller } = await house.developer("grace", { private: true });
    const { path } = makeRepository();
    const coder = await idFrom(house, "try_coding", { folder: path });
    house.clock.advance(1_000);
    const planner = await idFrom(house, "try_planning", { folder: path, role: "planning" });
    const hidden = await idFrom(house, "try_coding", { folder: path, caller });
    const list = async (ask: object, as = house.owner) =>
      (await house.call<{ instances: { id: string }[] }>("instance_list", ask, as)).instances.map(({ id }) => id);
    expect(await list({})).toEqual([planner, coder]);
    expect(await list({ type: "planning" })).toEqual([planner]);
    expect(await list({ status: "terminated" })).toEqual([]);
    expect(await list({}, caller)).toContain(hidden);
    // By id a private one is as unknown as one that never was, to whatever asks for or does something with it.
    const unknown = `${hidden.slice(0, -6)}zzzzzz`;
    const told = [];
    for (const tool of personTools.filter(({ name }) => /^(instance|review)_/.test(name))) {
      for (const key of ["id", "instance_id", "agent_id"].filter((key) => key in tool.input.shape)) {
        const example = Object.fromEntries(
          Object.entries(tool.examples[0]?.input ?? {}).filter(([, value]) => !String(value).includes("$")),
        );
        const answers = [];
        for (const id of [hidden, unknown]) {
          const reply = await house.reply(tool.name, { ...example, [key]: id });
          answers.push(JSON.stringify(reply.ok ? reply.value : reply.failure).replaceAll(id, "ID"));
        }
        told.push({ tool: tool.name, key, answers });
      }
    }
    expect(told.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(["instance_get", "instance_log", "instance_diff"]),
    );
    expect(told.filter(({ answers: [one, other] }) => one !== other)).toEqual([]);
    expect(await house.call("instance_get", { id: hidden }, caller)).toMatchObject({ id: hidden });
  });
});
