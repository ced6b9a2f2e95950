import { expect, test } from "vitest";
import { drawTimeline, type TimelineTask } from "../../src/transports/cli/timeline.ts";

const at = (minute: number): string => new Date(minute * 60_000).toISOString();

const task = (ask: Partial<TimelineTask>): TimelineTask => ({
  id: "tk_1",
  name: "Begin",
  phase: 1,
  status: "SUCCESS",
  agent_name: null,
  started_at: at(0),
  completed_at: at(10),
  receipt: null,
  ...ask,
});

const phases = [
  { phase_number: 1, name: "Setup", status: "COMPLETED", started_at: at(0), completed_at: at(20) },
  { phase_number: 2, name: "Build", status: "IN_PROGRESS", started_at: at(20), completed_at: null },
];

test("[CL54] phases and tasks lie over one axis of time, with how long they took and what they reached", () => {
  const tasks = [
    task({ id: "tk_3", name: "Go on", phase: 2, status: "IN_PROGRESS", started_at: at(20), completed_at: null }),
    task({ id: "tk_2", name: "Then", started_at: at(10), completed_at: at(20), status: "FAILED" }),
    task({ agent_name: "ada", receipt: { level: "reproduced" } }),
  ];
  const milestones = [
    { task_id: "tk_3", message: "Tests run", progress: 50, created_at: at(30) },
    { task_id: "tk_1", message: "Installed\u001b[2J", progress: null, created_at: at(5) },
  ];
  expect(drawTimeline({ phases, tasks, milestones, now: 40 * 60_000 })).toEqual([
    "[x] 1 Setup    |=====================                   |  20 min",
    "  [x] Begin    |=====*=====                             |  10 min  ada  reproduced",
    "      * Installed[2J",
    "  [!] Then     |          ===========                   |  10 min",
    "[>] 2 Build    |                    ===================>|  20 min",
    "  [>] Go on    |                    ==========*========>|  20 min",
    "      * 50%  Tests run",
  ]);
});

test("[CL54] what took no time at all, has not begun or belongs to no phase has its place too", () => {
  const moment = { started_at: at(0), completed_at: at(0) };
  const empty = " ".repeat(40);
  expect(
    drawTimeline({
      phases: [{ phase_number: 1, name: "Now", status: "COMPLETED", ...moment }],
      tasks: [
        task({ name: "Later", phase: null, status: "PENDING", started_at: null, completed_at: null }),
        task(moment),
      ],
      milestones: [],
      now: 0,
    }),
  ).toEqual([
    `[x] 1 Now      |=${empty.slice(1)}|     0 s`,
    `  [x] Begin    |=${empty.slice(1)}|     0 s`,
    `  [ ] Later    |${empty}|`,
  ]);
});
