import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { cleanText, durationText, shorten, table, toJson } from "../text.ts";
import { showOrWatch } from "../watch.ts";

interface Mission {
  readonly mission_name: string;
  readonly mission_status: string;
  readonly current_phase: number;
  readonly total_phases: number;
  readonly phase_summary: readonly Phase[];
  readonly tasks: readonly Task[];
  readonly blockers: readonly { id: string; description: string }[];
}

interface Phase {
  readonly phase_number: number;
  readonly name: string;
  readonly status: string;
  readonly duration_seconds: number;
}

interface Task {
  readonly name: string;
  readonly phase: number | null;
  readonly status: string;
  readonly agent_name: string | null;
  readonly duration_seconds: number | null;
}

export function addMissions(shell: Shell): void {
  const group = shell.add({
    name: "mission",
    summary: "Work that goes through phases and is proven by git",
    examples: ["mission list", "mission show wf_…"],
  });
  const list = shell.add({ name: "list", summary: "Show the newest missions", examples: ["mission list"] }, group);
  shell.does(list, async (context) => {
    const api = await openApi(context);
    const { missions } = await api.call<{ missions: Record<string, string>[] }>("mission_list", {});
    answer(context, { missions }, () =>
      missions.length === 0
        ? ["There is no mission yet. Start one: crewdeck call start_mission --help"]
        : table(
            missions.map((one) => [
              one["mission_id"] ?? "",
              one["status"] ?? "",
              shorten(cleanText(one["name"] ?? ""), 60),
            ]),
          ),
    );
    return undefined;
  });
  const show = shell
    .add(
      {
        name: "show <id>",
        summary: "Show a mission's phases, their tasks and what blocks it",
        examples: ["mission show wf_…", "mission show wf_… --watch"],
      },
      group,
    )
    .option("--watch", "show it again whenever it changes, until Ctrl-C");
  shell.does<{ watch?: true }>(show, async (context, { watch }, [id]) => {
    const api = await openApi(context);
    await showOrWatch(context, watch ?? false, async () => {
      const mission = await api.ask<Mission>("GET", `/api/missions/${encodeURIComponent(id ?? "")}`);
      return context.isJson ? [toJson(mission)] : missionLines(mission);
    });
    return undefined;
  });
  const issue = shell.add({
    name: "issue",
    summary: "Problems that wait for a person",
    examples: ["issue resolve cp_…"],
  });
  const resolve = shell.add(
    { name: "resolve <id>", summary: "Say that you have looked at an issue", examples: ["issue resolve cp_…"] },
    issue,
  );
  shell.does(resolve, async (context, _options, [id]) => {
    const api = await openApi(context);
    const done = await api.call("issue_resolve", { id });
    answer(context, done, () => ["Resolved."]);
    return undefined;
  });
}

const marks: Readonly<Record<string, string>> = {
  COMPLETED: "[x]",
  SUCCESS: "[x]",
  PARTIAL_SUCCESS: "[~]",
  IN_PROGRESS: "[>]",
  FAILED: "[!]",
  PENDING: "[ ]",
};

function missionLines(mission: Mission): string[] {
  return [
    `${cleanText(mission.mission_name)}  ${mission.mission_status}  phase ${mission.current_phase} of ${mission.total_phases}`,
    "",
    ...mission.phase_summary.flatMap((phase) => [
      `${marks[phase.status] ?? "[ ]"} ${phase.phase_number} ${cleanText(phase.name)}  ${durationText(phase.duration_seconds * 1_000)}`,
      ...table(mission.tasks.filter((task) => task.phase === phase.phase_number).map(rowOf)).map(
        (line) => `      ${line}`,
      ),
    ]),
    ...(mission.phase_summary.length === 0 ? ["No task has started yet: crewdeck call start_task --help"] : []),
    ...(mission.blockers.length === 0 ? [] : ["", "Waits for a person:"]),
    ...mission.blockers.map(
      ({ id, description }) => `  ${shorten(cleanText(description), 100)}  crewdeck issue resolve ${id}`,
    ),
  ];
}

const rowOf = (task: Task): string[] => [
  marks[task.status] ?? "[ ]",
  shorten(cleanText(task.name), 50),
  task.status.toLowerCase(),
  cleanText(task.agent_name ?? ""),
  task.duration_seconds === null ? "" : durationText(task.duration_seconds * 1_000),
];
