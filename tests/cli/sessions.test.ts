import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionLines } from "../../src/transports/cli/commands/sessions.ts";
import { createHome, crewdeck, crewdeckJson, ensureBuilt } from "./program.ts";

beforeAll(ensureBuilt);

const { home, close } = createHome();
afterAll(close);

const call = (tool: string, input: object) =>
  crewdeckJson<{ data: Record<string, string> }>(home, "call", tool, "--input", JSON.stringify(input));

test("[CL64, DT1] sessions shows who is there and who has left, and has the deck's data as JSON", async () => {
  expect((await crewdeck(home, ["sessions"])).stdout).toBe("No sessions. Agents start one with covibe_session.\n");
  const start = { operation: "start", agent_name: "Codex \u001b[2Jhere", repo: "acme/shop", branch: "pages" };
  const { data } = await call("covibe_session", start);
  const { session_id } = data;
  await call("covibe_session", { operation: "snapshot", session_id, dirty_files: ["a.ts"], unpushed_files: [] });
  await call("covibe_coordination", { operation: "claim", session_id, repo: "acme/shop", paths: ["src"] });
  const { stdout } = await crewdeck(home, ["sessions"]);
  expect(stdout).toMatch(/^AGENT +CLIENT +OWNER +STATUS +SEEN +WHERE +CHANGED +CLAIMS +USED +ID\n/);
  expect(stdout).toContain("acme/shop pages");
  expect(stdout).toContain("1 dirty, 0 unpushed");
  expect(stdout).toContain("1 claim");
  expect(stdout).not.toContain("\u001b");
  const listing = await crewdeckJson<{ sessions: object[]; more: boolean }>(home, "sessions");
  expect(listing).toMatchObject({ sessions: [{ id: session_id, status: "active", mine: true }], more: false });
  await call("covibe_session", { operation: "end", session_id });
  expect((await crewdeck(home, ["sessions", "--ended"])).stdout).toContain("ended");
  const { code } = await crewdeck(home, ["sessions", "--limit", "many"]);
  expect(code).not.toBe(0);
});

test("[CL64] says where there are more", () => {
  const session = {
    id: "ag_1",
    agent_name: "@private",
    developer: "@private",
    mine: false,
    status: "stale" as const,
    agent_type: null,
    provider: null,
    worktree: null,
    task_id: null,
    contexts: [],
    summary: null,
    signals: [],
    started_at: new Date().toISOString(),
    model: null,
    repo: null,
    branch: null,
    snapshot: null,
    usage: null,
    claims: [],
    last_seen_at: new Date().toISOString(),
    ended_at: null,
  };
  expect(sessionLines({ sessions: [session], more: true }, false).at(-1)).toContain("--offset");
  expect(sessionLines({ sessions: [], more: false }, true)).toEqual(["No ended sessions."]);
});
