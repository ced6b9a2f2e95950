import type { ReadAt } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { answer } from "../context.ts";
import { readNumbers } from "../names.ts";
import { resolveId } from "../record.ts";
import { paint, type Screen, styleOf } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { cut, table } from "../table.ts";
import { agoText, cleanText, shortIds, toJson } from "../text.ts";
import { drawTimeline } from "../timeline.ts";
import { showOrWatch } from "../watch.ts";
import { showWorkflow } from "./workflow.ts";

type Mission = ReadAt<"/api/missions/:id">;

export function addMissions(shell: Shell): void {
  const group = shell.add({
    name: "mission",
    summary: "List and show missions: work in phases, verified by git",
    examples: ["mission list", 'mission show "Sign in with passkeys"'],
  });
  const list = shell.add({ name: "list", summary: "List missions, newest first", examples: ["mission list"] }, group);
  shell.does(list, async (context) => {
    const api = await openApi(context);
    const { missions } = await api.call("mission_list", {});
    answer(context, { missions }, () => {
      if (missions.length === 0) return ["No missions. Start one with: crewdeck call start_mission --help"];
      const short = shortIds(missions.map(({ id }) => id));
      const rows = missions.map(({ mission_id, status, name, developer, updated_at }) => [
        short(mission_id),
        { text: status, style: styleOf(status) },
        name,
        developer,
        agoText(updated_at),
      ]);
      const heading = ["ID", "STATUS", "NAME", "OWNER", "UPDATED"];
      return table(rows, { screen: context.screen, heading, flexible: [2], optional: [4] });
    });
    return undefined;
  });
  const show = shell
    .add(
      {
        name: "show <id>",
        summary: "Show a mission's phases, tasks, milestones and blockers over time",
        examples: ["mission show wf_…", "mission show wf_… --watch"],
      },
      group,
    )
    .option("--watch", "refresh when something changes, until Ctrl-C");
  shell.does<{ watch?: true }>(show, async (context, { watch }, [given = ""]) => {
    const api = await openApi(context);
    const id = await resolveId(api, "workflow", given);
    await showOrWatch(context, watch ?? false, async () => {
      const mission = await readMission(api, id);
      if (mission === undefined) return showWorkflow(api, id, context);
      if (context.isJson) return [toJson(mission)];
      const numbers = await readNumbers(api, id);
      return missionLines(mission, numbers, context.screen);
    });
    return undefined;
  });
  const issue = shell.add({
    name: "issue",
    summary: "Issues that need a person",
    examples: ["issue resolve cp_…"],
  });
  const resolve = shell.add(
    { name: "resolve <id>", summary: "Resolve an issue", examples: ["issue resolve cp_…"] },
    issue,
  );
  shell.does(resolve, async (context, _options, [given = ""]) => {
    const api = await openApi(context);
    const id = await resolveId(api, "note", given);
    const done = await api.call("issue_resolve", { id });
    answer(context, done, () => [`Resolved issue ${id}.`]);
    return undefined;
  });
}

/** A mission, or nothing where the id is that of an ordinary workflow, which has no phases. */
async function readMission(api: Api, id: string): Promise<Mission | undefined> {
  const mission = await api.read("/api/missions/:id", { id });
  return mission.total_phases === 0 ? undefined : mission;
}

function missionLines(mission: Mission, numbers: ReadonlyMap<string, number>, screen: Screen): string[] {
  const { phase_summary: phases = [], milestones = [], blockers = [] } = mission;
  const tasks = (mission.tasks ?? []).map((task) => ({ ...task, number: numbers.get(task.id) }));
  return [
    `${paint(screen, "bold", cleanText(mission.mission_name))}  ${paint(screen, styleOf(mission.mission_status) ?? "bold", mission.mission_status)}  phase ${mission.current_phase} of ${mission.total_phases}`,
    "",
    ...drawTimeline({ phases, tasks, milestones, now: Date.now(), width: screen.width }),
    ...(phases.length === 0 ? ["No tasks started yet. Start one with: crewdeck call start_task --help"] : []),
    ...(blockers.length === 0 ? [] : ["", "Needs a person:"]),
    ...blockers.flatMap(({ id, description }) => [
      `  ${cut(cleanText(description), screen.width - 2)}`,
      `    ${paint(screen, "dim", `crewdeck issue resolve ${id}`)}`,
    ]),
  ];
}
