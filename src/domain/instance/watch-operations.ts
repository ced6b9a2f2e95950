import { AgentId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { listAgentsById } from "../agent/queries.ts";
import type { SystemWork } from "../work.ts";
import { instanceEvent } from "./events.ts";
import type { ProcessReport } from "./launch-model.ts";
import type { Attention, Instance, InstanceRun, Used } from "./model.ts";
import { decideAttention, endedAtOnce, mostUsed, overBudget } from "./rules.ts";
import { saveInstance } from "./store.ts";

type Seen = Pick<Attention, "kind" | "reason"> | null;

/** When instances last called, by their agents. */
export async function readCalls(db: Db, instances: readonly Instance[]): Promise<ReadonlyMap<string, number>> {
  const agents = await listAgentsById(
    db,
    instances.map(({ id }) => AgentId.parse(id)),
  );
  return new Map(
    [...agents].map(([id, { lastHeartbeatAt, createdAt }]) => [id, lastHeartbeatAt > createdAt ? lastHeartbeatAt : 0]),
  );
}

interface Sight {
  readonly report: ProcessReport | undefined;
  readonly calledAt: number;
  readonly quietMs: number;
  readonly now: number;
}

/** What is new about an instance whose program runs: that a person should look, that they need not any more, what it used. */
export function findChange(instance: Instance, { report, ...when }: Sight): Partial<InstanceRun> | undefined {
  if (instance.run?.state !== "running" || report?.state !== "running") return undefined;
  const seen = decideAttention(instance, report, when);
  const known = instance.run.attention ?? null;
  const isOther = (seen?.kind ?? null) !== (known?.kind ?? null);
  const most = mostUsed(instance.run.used, report.used);
  const used = most && !isSame(most, instance.run.used) ? { used: most } : {};
  const attention = isOther ? { attention: seen && { ...seen, since: when.now } } : {};
  const changes = { ...attention, ...used };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

const isSame = (one: Used, other: Used | null | undefined): boolean =>
  one.tokens === other?.tokens && one.dollars === other.dollars;

/** Takes note of it, and says so where a person should look or need not any more. */
export async function noteChange(
  work: SystemWork,
  instance: Instance,
  changes: Partial<InstanceRun>,
): Promise<Instance> {
  const { run } = instance;
  if (run === null) return instance;
  const changed = { ...run, ...changes };
  await saveInstance(work.db, instance, { run: changed });
  if (changes.attention !== undefined) announce(work, instance, changes.attention);
  return { ...instance, run: changed, version: instance.version + 1 };
}

/** Why an instance must not go on, if it has used more than it may. */
export const findOverrun = ({ run }: Instance, used?: Used): string | undefined =>
  overBudget(run?.budget, used ?? run?.used);

/** Notes why a person should look at one that is over. */
export async function noteTrouble(work: SystemWork, instance: Instance, seen: NonNullable<Seen>): Promise<Instance> {
  return noteChange(work, instance, { attention: { ...seen, since: work.now } });
}

/** Whether a program ended before it did anything, in words. */
export const describeEarlyEnd = (
  instance: Instance,
  report: { readonly at: number; readonly exitCode: number | null; readonly calledAt: number },
): string | undefined => endedAtOnce(instance, report);

function announce(work: SystemWork, { id, parentId }: Instance, seen: Seen): void {
  const channels = [`agent:${id}`, ...(parentId === null ? [] : [`instance:${parentId}`])];
  work.record(instanceEvent.attentionChanged(id, { kind: seen?.kind ?? null, reason: seen?.reason ?? null }, channels));
}
