import { describe, expect, test } from "vitest";
import { markOf } from "../../src/dashboard/parts/mission-words.ts";
import { groupByPhase, type MissionDetail, type MissionTask } from "../../src/dashboard/views/mission/mission-model.ts";
import { chooseMissions, type MissionLine } from "../../src/dashboard/views/missions/missions-model.ts";
import { makeRepository } from "../git/scratch.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

test("[DW11] without a mission the page says how to begin", async () => {
  const deck = await house.open("/deck/missions");
  await deck.see("No missions yet.");
  await deck.expectAccessible("missions-empty");
  const agent = await house.agent("Older");
  await agent.call("start_workflow", { name: "In the older form" });
  await deck.see("In the older form");
});

test("[DW12, DW13, DW14, DW16] a mission shows phases, proof, what blocks it and how it ended, live", async () => {
  const repository = makeRepository({ "src/auth/login.ts": "one\n", "docs/readme.md": "two\n" });
  const agent = await house.agent("Ada");
  const { mission_id } = await agent.call<{ mission_id: string }>("start_mission", {
    name: "Sign-in with passkeys",
    objective: "People sign in without a password.",
    profile: "standard",
    total_phases: 3,
  });
  const { task_id } = await agent.call<{ task_id: string }>("start_task", {
    mission_id,
    name: "Store public keys",
    goal: "Keys are stored with the account.",
    phase: 1,
    phase_name: "Server",
    areas: ["auth"],
    repository_path: repository.path,
  });
  const deck = await house.open("/deck/missions");
  await deck.page.getByRole("link", { name: "Sign-in with passkeys" }).click();
  await deck.page.getByRole("region", { name: "Server" }).getByText("Store public keys").waitFor();
  expect(await deck.page.getByRole("region", { name: "Phase 3" }).textContent()).toContain("Not started.");

  await agent.call("log_milestone", { task_id, message: "Keys are stored", progress: 40 });
  await deck.see("40%");
  repository.write("src/auth/keys.ts", "new\n");
  repository.write("docs/readme.md", "changed\n");
  await agent.call("complete_task", {
    task_id,
    status: "success",
    outcome: { summary: "Keys are stored." },
    metadata: { tests_status: "passed" },
  });
  await deck.page.getByText("· out of scope").waitFor();
  await deck.page.getByRole("listitem").filter({ hasText: "docs/readme.md out of scope" }).first().waitFor();

  const { task_id: second } = await agent.call<{ task_id: string }>("start_task", {
    mission_id,
    name: "Ask for the passkey",
    goal: "The page asks.",
    phase: 2,
    phase_name: "Page",
    repository_path: repository.path,
  });
  await agent.call("log_issue", {
    task_id: second,
    type: "unclear_requirement",
    description: "Which browsers must work?",
    resolution: "Waiting for an answer.",
    requires_human_review: true,
  });
  const blockers = deck.page.getByRole("region", { name: "Open issues" });
  await blockers.getByText("Which browsers must work?").waitFor();
  await deck.expectAccessible("mission");
  await blockers.getByRole("button", { name: "Resolve" }).click();
  await blockers.waitFor({ state: "detached" });

  await agent.call("complete_task", { task_id: second, status: "success", outcome: { summary: "It asks." } });
  await agent.call("complete_mission", {
    mission_id,
    status: "partial",
    summary: "Keys are in; **old browsers** are not.",
    achievements: ["Keys are stored"],
    limitations: ["No tablets yet"],
  });
  const ending = deck.page.getByRole("region", { name: "Outcome" });
  await ending.getByText("No tablets yet").waitFor();
  expect(await ending.textContent()).toMatch(
    /Keys are in; old browsers are not\.AchievementsKeys are storedLimitations/,
  );
  await deck.page.getByText("partially done").waitFor();
  await deck.page.getByRole("region", { name: "Page" }).getByText("left open").waitFor();
  await deck.expectAccessible("mission-ended");
  await deck.goto("/deck/missions");
  await deck.page.getByRole("region", { name: "Missions" }).getByText("partially done").waitFor();
});

const line = (mission_id: string, status: string, created_at = "2026-01-01"): MissionLine => ({
  mission_id,
  name: mission_id,
  status,
  current_phase: 1,
  total_phases: 2,
  developer: "ada",
  created_at,
});

describe("what is listed", () => {
  test("[DW11] what waits for a person comes first, then what is under way, then what is over", () => {
    const lines = [
      line("over", "COMPLETED"),
      line("running", "IN_PROGRESS"),
      line("waiting", "BLOCKED"),
      line("lost", "FAILED", "2026-02-01"),
    ];
    expect(chooseMissions(lines, "").map(({ mission_id }) => mission_id)).toEqual([
      "waiting",
      "running",
      "lost",
      "over",
    ]);
    expect(chooseMissions(lines, "RUN").map(({ mission_id }) => mission_id)).toEqual(["running"]);
    expect(markOf("COMPLETED", "partial")).toBe("partial");
    expect(markOf("COMPLETED", "completed")).toBe("completed");
  });

  test("[DW12] phases come in order with those to come, and tasks from the first on", () => {
    const task = (id: string, phase: number | null): MissionTask => ({
      id,
      name: id,
      goal: "",
      phase,
      status: "SUCCESS",
      caller_type: null,
      agent_name: null,
      agent_id: null,
      owner: "ada",
      parent_task_id: null,
      started_at: null,
      completed_at: null,
      duration_seconds: null,
      summary: null,
      receipt: null,
    });
    const phase = { status: "IN_PROGRESS", started_at: null, completed_at: null };
    const mission: MissionDetail = {
      mission_id: "wf_1",
      mission_name: "M",
      mission_status: "IN_PROGRESS",
      current_phase: 1,
      total_phases: 2,
      phase_summary: [{ ...phase, phase_number: 1, name: "Build", tasks_count: 2, duration_seconds: 60 }],
      tasks: [task("newest", 1), task("loose", null), task("oldest", 1)],
      decisions: [],
      milestones: [],
      blockers: [],
    };
    expect(
      groupByPhase(mission).map(({ number, name, tasks }) => ({ number, name, tasks: tasks.map(({ id }) => id) })),
    ).toEqual([
      { number: 1, name: "Build", tasks: ["oldest", "newest"] },
      { number: 2, name: "Phase 2", tasks: [] },
      { number: null, name: "No phase", tasks: ["loose"] },
    ]);
  });
});
