import { describe, expect, test } from "vitest";
import { dispatch } from "../../src/engine/dispatch.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt, traceOf, usedWell, wasRefused } from "../domain/still-house.ts";
import { newWorkflow } from "./work.ts";

const least = { name: "Dark mode", source_type: "prompt", source_content: "Add a dark mode." };

forEachStillStore("new workflows", (open) => {
  test("[WF1] creating answers what it is and records it once", async () => {
    const house = await open();
    let reply: Record<string, unknown> = {};
    const trace = await traceOf(house, async () => {
      reply = await house.call("workflow_create", { ...least, name: "  Dark mode " });
    });
    const id = String(reply["id"]);
    expect(reply).toEqual({
      id: expect.stringMatching(/^wf_[0-9a-z]{26}$/),
      name: "Dark mode",
      status: "planning",
      max_parallel_tasks: 1,
    });
    expect(trace).toEqual({
      work: [
        {
          kind: "workflow.created",
          announced: "workflow:created",
          subject: id,
          channels: [`workflow:${id}`],
          data: { kind: "workflow", name: "Dark mode", status: "planned" },
          developerId: house.owner.developerId,
        },
      ],
      usage: [usedWell("workflow_create")],
    });
  });

  test("[WF1] what is not said is sequential, without repository, reference or worktrees", async () => {
    const house = await open();
    const id = await newWorkflow(house, least);
    expect(await house.call("workflow_get", { id })).toEqual({
      id,
      name: "Dark mode",
      status: "planning",
      status_reason: null,
      source_type: "prompt",
      source_ref: null,
      source_content: "Add a dark mode.",
      repository_path: null,
      max_parallel_tasks: 1,
      auto_create_workspaces: false,
      plan: null,
      plan_summary: null,
      created_at: momentAt(0),
      updated_at: momentAt(0),
    });
  });

  test("[WF1, WF3] everything that is said comes back, the path in its one spelling", async () => {
    const house = await open();
    const id = await newWorkflow(house, {
      source_type: "github_issue",
      source_ref: "https://example.com/issues/7",
      source_content: "Ünïcode 🎉\nand lines",
      repository_path: "/srv/code//shop/",
      max_parallel_tasks: 4,
      auto_create_workspaces: true,
    });
    expect(await house.call("workflow_get", { id })).toMatchObject({
      source_type: "github_issue",
      source_ref: "https://example.com/issues/7",
      source_content: "Ünïcode 🎉\nand lines",
      repository_path: "/srv/code/shop",
      max_parallel_tasks: 4,
      auto_create_workspaces: true,
    });
  });

  for (const path of ["shop", "../shop", "/srv/../etc", "/srv/\u0007bell"]) {
    test(`[WF3] workflow_create refuses the path ${JSON.stringify(path)} with INVALID_INPUT`, async () => {
      const house = await open();
      const trace = await traceOf(house, async () => {
        expect(await house.refusal("workflow_create", { ...least, repository_path: path })).toBe("INVALID_INPUT");
      });
      expect(trace).toEqual({ work: [], usage: [wasRefused("workflow_create", "INVALID_INPUT")] });
    });
  }
});

test.each([
  { tool: "workflow_create", args: least, key: "id" },
  {
    tool: "template_apply",
    args: { template_id: "builtin:bugfix", workflow_name: "Fix", variables: { bug: "x" } },
    key: "workflow_id",
  },
])("[WF31] what $tool makes belongs to the folder the client works in", async ({ tool, args, key }) => {
  const house = await openTestHouse("sqlite");
  const reply = await dispatch(house.house, {
    tool,
    args,
    caller: house.owner,
    transport: "mcp",
    folder: "/srv/code/shop",
  });
  const { value } = reply as unknown as { value: Record<string, string> };
  expect(await house.call("workflow_get", { id: value[key] })).toMatchObject({ repository_path: "/srv/code/shop" });
});

describe("arguments of a new workflow", () => {
  for (const { what, ask, keyword } of [
    { what: "a blank name", ask: { name: " \t" }, keyword: "minLength" },
    { what: "a name of 201 characters", ask: { name: "n".repeat(201) }, keyword: "maxLength" },
    { what: "no content", ask: { source_content: "" }, keyword: "minLength" },
    { what: "200,001 characters of content", ask: { source_content: "x".repeat(200_001) }, keyword: "maxLength" },
    { what: "an unknown source", ask: { source_type: "letter" }, keyword: "enum" },
    { what: "the source that only templates have", ask: { source_type: "template" }, keyword: "enum" },
    { what: "no task at a time", ask: { max_parallel_tasks: 0 }, keyword: "minimum" },
    { what: "1,001 tasks at a time", ask: { max_parallel_tasks: 1_001 }, keyword: "maximum" },
    { what: "half a task at a time", ask: { max_parallel_tasks: 1.5 }, keyword: "type" },
  ]) {
    test(`[WF2] ${what} is refused`, async () => {
      const house = await openTestHouse("sqlite");
      expect(await house.reply("workflow_create", { ...least, ...ask })).toMatchObject({
        ok: false,
        failure: { code: "INVALID_REQUEST", details: [{ keyword }] },
      });
    });
  }
});
