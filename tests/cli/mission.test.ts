import { beforeAll, expect, test } from "vitest";
import { crewdeck, crewdeckJson, ensureBuilt, openHome } from "./program.ts";

beforeAll(ensureBuilt);

test("[CL53] a mission is shown by phase, with the issue that blocks it, until a person resolves that", async () => {
  const home = openHome();
  expect((await crewdeck(home, ["mission", "list"])).stdout).toContain("crewdeck call start_mission");
  const call = (tool: string, input: object) =>
    crewdeckJson<Record<string, string>>(home, "call", tool, "--input", JSON.stringify(input));
  const { mission_id } = await call("start_mission", { name: "Passkeys", objective: "Sign in" });
  const { task_id } = await call("start_task", { mission_id, phase_name: "Setup", name: "Begin", goal: "Stand" });
  const { issue_id } = await call("log_issue", {
    task_id,
    type: "other",
    description: "Which?",
    resolution: "The first",
    requires_human_review: true,
  });
  const shown = await crewdeck(home, ["mission", "show", String(mission_id)]);
  expect(shown.stdout.split("\n").map((line) => line.replace(/ +\d+ s(?= {2}#|$)/, ""))).toEqual([
    "Passkeys  BLOCKED  phase 1 of 3",
    "",
    expect.stringMatching(/^\[>\] 1 Setup {2,}\|=*>\|$/),
    expect.stringMatching(/^ {2}\[>\] Begin {2,}\|=*>\| {2}#1$/),
    "",
    "Needs a person:",
    "  Which?",
    `    crewdeck issue resolve ${issue_id}`,
    "",
  ]);
  expect((await crewdeck(home, ["issue", "resolve", String(issue_id)])).stdout).toBe(
    `Resolved issue ${String(issue_id)}.\n`,
  );
  const { mission_status } = await crewdeckJson(home, "mission", "show", String(mission_id), "--json");
  expect(mission_status).toBe("IN_PROGRESS");
});
