import type { AgentId } from "../../contract/ids.ts";
import type { Aim, Intent, WorkKind } from "../../domain/intent/model.ts";
import { readPlannedAim, type StartKeys } from "../../domain/overlap/start-operations.ts";
import { type LikeWork, queryOf } from "../../domain/overlap/work-operations.ts";
import type { Look } from "../../domain/port.ts";

/** What the arguments say about work. */
interface Said {
  readonly title: string;
  readonly description?: string | undefined;
  readonly scope?: string | undefined;
  readonly action?: NonNullable<Intent["action"]> | undefined;
  readonly component?: string | undefined;
  readonly repo?: string | undefined;
  readonly branch?: string | undefined;
  readonly session_id?: AgentId | undefined;
  readonly priority?: NonNullable<Intent["priority"]> | undefined;
  readonly task_type?: NonNullable<Intent["taskType"]> | undefined;
  readonly target_files?: readonly string[] | undefined;
}

export const aimFrom = (kind: WorkKind, said: Said): Aim => ({
  kind,
  title: said.title,
  description: said.description ?? null,
  scope: said.scope ?? null,
  action: said.action ?? null,
  component: said.component ?? null,
  repo: said.repo ?? null,
  branch: said.branch ?? null,
  sessionId: said.session_id ?? null,
  priority: said.priority ?? null,
  taskType: said.task_type ?? null,
  files: [...new Set((said.target_files ?? []).map(tidyPath))],
});

/** One spelling for one file. */
const tidyPath = (path: string): string => path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");

/** Looks in memory for what is like this, before the transaction that decides. */
export const lookForLike = (look: Look, aim: Aim): Promise<LikeWork> =>
  look.ports.overlap.findLikeWork(queryOf({ caller: look.caller, now: look.now }, aim), look.signal);

/** The same for planned work; whether it may be started is decided later. */
export async function lookForPlanned(look: Look, kind: WorkKind, id: string): Promise<LikeWork> {
  const aim = await look.read((db) => readPlannedAim(db, id));
  return lookForLike(look, aim ?? aimFrom(kind, { title: "" }));
}

interface Brought {
  readonly check_id?: StartKeys["checkId"];
  readonly scope_verdict?:
    | readonly {
        candidate_id: string;
        verdict: NonNullable<StartKeys["verdicts"]>[number]["verdict"];
        reason: string;
      }[]
    | undefined;
  readonly warning_id?: StartKeys["warningId"];
  readonly confirmation_reason?: string | undefined;
}

export const keysFrom = (brought: Brought): StartKeys => ({
  checkId: brought.check_id,
  verdicts: brought.scope_verdict?.map(({ candidate_id, verdict, reason }) => ({
    candidateId: candidate_id,
    verdict,
    reason,
  })),
  warningId: brought.warning_id,
  confirmationReason: brought.confirmation_reason,
});
