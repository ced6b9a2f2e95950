import { expect, test } from "vitest";
import { forEachStore } from "../../src/testing/house.ts";
import { ask, callTool } from "./raw.ts";
import { openServer } from "./routes.ts";

const title = "Add pagination to the orders list endpoint";

interface Plan {
  readonly requires_confirm: boolean;
  readonly task_id: string | null;
  readonly workstream_id: string | null;
  readonly warning_id: string | null;
  readonly candidates: readonly { id: string; title: string }[];
}

const routes = [
  { route: "/api/tasks", tool: "covibe_task", about: { title, task_type: "feature" }, kind: "task" },
  { route: "/api/workstreams", tool: "covibe_workstream", about: { title }, kind: "workstream" },
] as const;

forEachStore("planning over HTTP", (_open, store) => {
  test.each(routes)("[TS53] $route plans what nobody else has in mind at once", async ({ route, about, kind }) => {
    const server = await openServer({ store });
    const kinds = await server.house.eventsOf(async () => {
      const answer = await ask(server, "POST", route, { body: about });
      expect(answer.status).toBe(200);
      const { result } = answer.json<{ result: Record<string, unknown> }>();
      expect(result).toMatchObject({
        requires_confirm: false,
        [`${kind}_id`]: expect.any(String),
        [kind]: { title, status: "planned" },
        warning_id: null,
        candidates: [],
      });
    });
    expect(kinds).toContain(`${kind}.planned`);
    const state = await callTool<Record<string, { id: string }[]>>(server, "team_state");
    expect(state[kind === "task" ? "plannedWork" : "plannedWorkstreams"]).toMatchObject([{ title, developer: "ada" }]);
  });

  test.each(routes)("[TS54] $route asks before it plans what is known, and goes on with a reason", async (row) => {
    const { route, tool, about, kind } = row;
    const server = await openServer({ store });
    const { caller: grace } = await server.house.developer("grace");
    const { data } = await server.house.call<{ data: Record<string, string> }>(
      tool,
      { operation: "plan", ...about },
      grace,
    );
    const post = async (more: object = {}): Promise<Plan> =>
      (await ask(server, "POST", route, { body: { ...about, ...more } })).json<{ result: Plan }>().result;
    const nothing = await server.house.eventsOf(async () => {
      const asked = await post();
      expect(asked).toMatchObject({ requires_confirm: true, warning_id: null, [kind]: null });
      expect(asked.candidates).toMatchObject([{ id: data[`${kind}_id`], title, owner: "grace", status: "planned" }]);
    });
    expect(nothing).toEqual([]);
    const done = await server.house.eventsOf(async () => {
      const reason = "Grace plans it for the other shop.";
      const confirmed = await post({ confirm: true, confirmation_reason: reason });
      expect(confirmed).toMatchObject({ requires_confirm: false, [kind]: { title, status: "planned" } });
      expect(confirmed.warning_id).toMatch(/^warn_/);
    });
    expect(done).toEqual(expect.arrayContaining([`${kind}.planned`, "warning.confirmed"]));
    const { overlapWarnings } = await callTool<{ overlapWarnings: { developer: string }[] }>(server, "team_state");
    expect(overlapWarnings.filter(({ developer }) => developer === "ada")).toEqual([]);
  });
});

test.each(
  routes,
)("[TS54] task_plan and workstream_plan: $route takes no confirmation without a reason (INVALID_INPUT)", async ({
  route,
  about,
}) => {
  const server = await openServer();
  const answer = await ask(server, "POST", route, { body: { ...about, confirm: true } });
  expect([answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([400, "INVALID_INPUT"]);
  expect((await server.house.entries()).map(({ kind }) => kind)).not.toContain("task.planned");
});

test("[TS53] task_plan goes into a workstream of one's own that is open, and into no other", async () => {
  const server = await openServer();
  const { caller: grace } = await server.house.developer("grace");
  const plan = (workstream_id: string) => server.house.reply("task_plan", { title, task_type: "bug", workstream_id });
  const stream = async (title: string, caller = server.house.owner) =>
    (await server.house.call<{ workstream_id: string }>("workstream_plan", { title }, caller)).workstream_id;
  const foreign = await plan(await stream("Boarding passes in large type", grace));
  const unknown = await plan("wf_none");
  const cancelled = await stream("Seat maps for the blind");
  await server.house.call("covibe_workstream", {
    operation: "cancel",
    workstream_id: cancelled,
    reason: "Nobody wants it.",
  });
  const closed = await plan(cancelled);
  const codes = [foreign, unknown, closed].map((reply) => (reply.ok ? "ok" : reply.failure.code));
  expect(codes).toEqual(["FORBIDDEN", "WORKFLOW_NOT_FOUND", "INVALID_STATE"]);
});
