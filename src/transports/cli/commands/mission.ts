import type { ReadAt } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { cleanText, shorten, table, toJson } from "../text.ts";
import { drawTimeline } from "../timeline.ts";
import { showOrWatch } from "../watch.ts";

type Mission = ReadAt<"/api/missions/:id">;

export function addMissions(shell: Shell): void {
  const group = shell.add({
    name: "mission",
    summary: "Work that goes through phases and is proven by git",
    examples: ["mission list", "mission show wf_…"],
  });
  const list = shell.add({ name: "list", summary: "Show the newest missions", examples: ["mission list"] }, group);
  shell.does(list, async (context) => {
    const api = await openApi(context);
    const { missions } = await api.call("mission_list", {});
    answer(context, { missions }, () =>
      missions.length === 0
        ? ["There is no mission yet. Start one: crewdeck call start_mission --help"]
        : table(missions.map(({ mission_id, status, name }) => [mission_id, status, shorten(cleanText(name), 60)])),
    );
    return undefined;
  });
  const show = shell
    .add(
      {
        name: "show <id>",
        summary: "Show a mission's phases and tasks over time, milestones, and what blocks it",
        examples: ["mission show wf_…", "mission show wf_… --watch"],
      },
      group,
    )
    .option("--watch", "show it again whenever it changes, until Ctrl-C");
  shell.does<{ watch?: true }>(show, async (context, { watch }, [id = ""]) => {
    const api = await openApi(context);
    await showOrWatch(context, watch ?? false, async () => {
      const mission = await api.read("/api/missions/:id", { id });
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
  shell.does(resolve, async (context, _options, [id = ""]) => {
    const api = await openApi(context);
    const done = await api.call("issue_resolve", { id });
    answer(context, done, () => ["Resolved."]);
    return undefined;
  });
}

function missionLines(mission: Mission): string[] {
  const { phase_summary: phases = [], tasks = [], milestones = [], blockers = [] } = mission;
  return [
    `${cleanText(mission.mission_name)}  ${mission.mission_status}  phase ${mission.current_phase} of ${mission.total_phases}`,
    "",
    ...drawTimeline({ phases, tasks, milestones, now: Date.now() }),
    ...(phases.length === 0 ? ["No task has started yet: crewdeck call start_task --help"] : []),
    ...(blockers.length === 0 ? [] : ["", "Waits for a person:"]),
    ...blockers.map(({ id, description }) => `  ${shorten(cleanText(description), 100)}  crewdeck issue resolve ${id}`),
  ];
}
