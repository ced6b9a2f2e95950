import { AgentId, TaskId } from "../../contract/ids.ts";
import { listAgentsById } from "../agent/queries.ts";
import { readViewer } from "../person/viewer-queries.ts";
import { listTasksById } from "../task/queries.ts";
import type { Work } from "../work.ts";
import type { Outcome, OutcomeGrouping } from "./outcome-model.ts";
import { listAbandoned, listSpent, listTaskEnds, mostRows, weekMs, weekOffsetMs } from "./outcome-queries.ts";
import { countOutcomes, unknownShare } from "./outcome-rules.ts";

interface NamedOutcome extends Outcome {
  readonly label: string | null;
  readonly unknownShare: number;
}

interface OutcomeReport {
  readonly groups: readonly NamedOutcome[];
  readonly total: NamedOutcome | undefined;
  readonly isCut: boolean;
}

/** What results cost that were proven, and what was spent on what came to nothing. Private people's is left out. */
export async function reportOutcomes(
  work: Work,
  ask: { readonly by: OutcomeGrouping; readonly since: number; readonly until: number; readonly limit: number },
): Promise<OutcomeReport> {
  const viewer = await readViewer(work);
  const range = { since: ask.since, until: ask.until, hidden: viewer.listHidden() };
  const spent = await listSpent(work.db, range);
  const ends = await listTaskEnds(
    work.db,
    range,
    spent.flatMap(({ taskId }) => taskId ?? []),
  );
  const agents = new Set(spent.flatMap(({ agent }) => agent ?? []));
  const abandoned = await listAbandoned(work.db, [...agents]);
  const counted = {
    spent,
    ends,
    abandoned,
    ...range,
    weekOf: (at: number) => String(Math.floor((at + weekOffsetMs) / weekMs)),
  };
  const found = countOutcomes(counted, ask.by);
  const labels = await readLabels(work, ask.by, found.slice(0, ask.limit));
  const named = (one: Outcome): NamedOutcome => ({
    ...one,
    key: ask.by === "week" && one.key !== null && one.key !== "all" ? dayOf(one.key) : one.key,
    label: one.key === null ? null : (labels.get(one.key) ?? null),
    unknownShare: unknownShare(one),
  });
  return {
    groups: found.slice(0, ask.limit).map(named),
    total: countOutcomes(counted, "all").map(named)[0],
    isCut: found.length > ask.limit || spent.length >= mostRows || ends.length >= mostRows,
  };

  async function readLabels({ db }: Work, by: OutcomeGrouping, groups: readonly Outcome[]) {
    const keys = groups.flatMap(({ key }) => key ?? []).slice(0, mostLabels);
    if (by === "agent") {
      const agents = await listAgentsById(
        db,
        keys.map((key) => AgentId.parse(key)),
      );
      return new Map([...agents].map(([id, agent]) => [id, viewer.of(agent).title(agent.name)]));
    }
    if (by !== "task") return new Map(keys.map((key) => [key, by === "week" ? dayOf(key) : key]));
    const tasks = await listTasksById(
      db,
      keys.map((key) => TaskId.parse(key)),
    );
    return new Map([...tasks].map(([id, task]) => [id, viewer.of(task).title(task.name)]));
  }
}

const mostLabels = 500;

/** A week by its Monday. */
const dayOf = (week: string): string => new Date(Number(week) * weekMs - weekOffsetMs).toISOString().slice(0, 10);
