import { afterAll, beforeAll, expect, test } from "vitest";
import { agentLines } from "../../src/transports/cli/commands/sessions.ts";
import { createHome, crewdeck, crewdeckJson, ensureBuilt } from "./program.ts";

beforeAll(ensureBuilt);

const { home, close } = createHome();
afterAll(close);

const call = (tool: string, input: object) =>
  crewdeckJson<{ data: Record<string, string> }>(home, "call", tool, "--input", JSON.stringify(input));

test("[CL64, DT1, DT23] sessions shows who is there and who has left, and has the deck's data as JSON", async () => {
  const nobody = "No agents. They join with covibe_session or agent_register.\n";
  expect((await crewdeck(home, ["sessions"])).stdout).toBe(nobody);
  const start = { operation: "start", agent_name: "Codex \u001b[2Jhere", repo: "acme/shop", branch: "pages" };
  const { data } = await call("covibe_session", start);
  const { session_id } = data;
  await call("covibe_session", { operation: "snapshot", session_id, dirty_files: ["a.ts"], unpushed_files: [] });
  await call("covibe_coordination", { operation: "claim", session_id, repo: "acme/shop", paths: ["src"] });
  const { stdout } = await crewdeck(home, ["sessions"]);
  expect(stdout).toMatch(/^AGENT +CLIENT +OWNER +STATUS +TASK +FOR +SEEN +WHERE +CHANGED +CLAIMS +USED +ID\n/);
  expect(stdout).toContain("acme/shop pages");
  expect(stdout).toContain("1 dirty, 0 unpushed");
  expect(stdout).toContain("1 claim");
  expect(stdout).not.toContain("\u001b");
  const task = { title: "Paginate the orders", task_type: "feature", session_id };
  const { check_id } = (await call("covibe_task", { operation: "check", ...task })).data;
  await call("covibe_task", { operation: "start", ...task, check_id });
  const { id } = await crewdeckJson<{ id: string }>(
    home,
    ...["call", "agent_register", "--name", "Ada", "--runtime", "claude_code", "--workspace-path", "/srv/code/shop"],
  );
  const { stdout: both } = await crewdeck(home, ["sessions"]);
  expect(both).toMatch(/^Ada +claude-code +\S+ +idle +— +— +just now +shop +— +— +— +ag_/m);
  expect(both).toMatch(/^Codex \[2Jhere +\S+ +\S+ +working +Paginate the orders +\d+ s +/m);
  const listing = await crewdeckJson<{ sessions: object[]; agents: object[]; more: boolean }>(home, "sessions");
  expect(listing).toMatchObject({ sessions: [{ id: session_id, status: "active", mine: true }], more: false });
  expect(listing.agents).toMatchObject([{ id }, { id: session_id }]);
  await call("covibe_session", { operation: "end", session_id });
  expect((await crewdeck(home, ["sessions", "--ended"])).stdout).toMatch(/^Codex .* offline /m);
  const { code } = await crewdeck(home, ["sessions", "--limit", "many"]);
  expect(code).not.toBe(0);
});

test("[CL64] says where there are more, and how many tasks an agent has in hand", () => {
  const at = new Date(0).toISOString();
  const task = { id: "tk_1", name: "Paginate", status: "active" as const, since: at };
  const agent = {
    id: "ag_1",
    name: "Ada",
    client: null,
    developer: "ada",
    mine: true,
    is_person: false,
    role: "worker" as const,
    status: "working" as const,
    tasks: [task, { ...task, id: "tk_2" }],
    folder: "/srv/code/shop",
    branch: "pages",
    dirty_files: null,
    cost_usd: null,
    started_at: at,
    last_seen_at: at,
    session: null,
  };
  const lines = agentLines({ agents: [agent], more: true }, false, undefined, 120_000);
  expect(lines[1]).toMatch(/^Ada +— +ada +working +Paginate and 1 more +2 min +2 min ago +shop pages /);
  expect(lines.at(-1)).toContain("--offset");
  expect(agentLines({ agents: [], more: false }, true)).toEqual(["No offline agents."]);
});
