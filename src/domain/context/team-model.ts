import type { AgentId, DeveloperId, ReportId } from "../../contract/ids.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { RecoverySum } from "./recovery-model.ts";

type WorkKind = "task" | "workflow" | "mission" | "workstream";

/** A task, or what tasks belong to, as the whole team looks at it. */
export interface TeamWork {
  readonly id: string;
  readonly kind: WorkKind;
  readonly title: string;
  readonly status: Lifecycle;
  readonly developerId: DeveloperId;
  /** The agent that holds it, else the session that declared it. */
  readonly sessionId: AgentId | null;
  readonly workflowId: string | null;
  readonly scope: string | null;
  readonly action: string | null;
  readonly component: string | null;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly priority: string | null;
  readonly taskType: string | null;
  /** Made by the server to hold tasks; never compared with other work. */
  readonly isContainer: boolean;
  readonly result: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface TeamSession {
  readonly id: AgentId;
  readonly name: string;
  readonly developerId: DeveloperId;
  readonly agentType: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly endedAt: number | null;
}

export interface TeamNote {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly developerId: DeveloperId;
  readonly taskId: string | null;
  readonly workflowId: string | null;
  readonly isOpen: boolean;
  readonly createdAt: number;
}

export interface TeamWarning {
  readonly id: string;
  readonly developerId: DeveloperId;
  readonly kind: string;
  readonly title: string;
  readonly status: string;
  readonly subjectId: string | null;
  readonly matches: number;
  readonly createdAt: number;
}

export interface TeamContext {
  readonly id: string;
  readonly developerId: DeveloperId;
  readonly sessionId: string | null;
  readonly title: string;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A count stops here: how many thousand more there are tells nobody anything. */
export const mostCounted = 1_000;

/** A list that was cut, and how many there are; counted up to `mostCounted`. */
export interface Cut<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** What an audit found alike. Whose it is stands beside each, so that it can be hidden from whoever reads it (ID22). */
export interface AuditPair {
  readonly one: WorkRef;
  readonly other: WorkRef;
  readonly score: number;
  readonly reasons: readonly string[];
}

export type WorkRef = Pick<TeamWork, "id" | "kind" | "title" | "status" | "developerId">;

export interface AuditFindings {
  /** How many pieces of work were looked at. */
  readonly compared: number;
  readonly pairs: readonly AuditPair[];
  /** How many more pairs there were than are kept. */
  readonly omitted: number;
}

export interface Report<Data> {
  readonly id: ReportId;
  readonly developerId: DeveloperId;
  readonly createdAt: number;
  readonly data: Data;
}

export type AuditReport = Report<AuditFindings>;

/** A week of the team. */
export interface WeekFindings {
  readonly since: number;
  readonly until: number;
  readonly completed: Cut<TeamWork>;
  readonly planned: Cut<TeamWork>;
  readonly active: Cut<TeamWork>;
  readonly blocked: Cut<TeamWork>;
  readonly blockers: Cut<TeamNote>;
  readonly decisions: Cut<TeamNote>;
  readonly warnings: Cut<TeamWarning>;
  readonly audits: Cut<AuditReport>;
  readonly sessions: Cut<TeamSession>;
  /** Not in weeks that were written before it was measured. */
  readonly recoveries?: RecoverySum;
}

export type WeekReport = Report<WeekFindings>;

/** Finished work still counts as recent for so long. */
export const recentMs = 14 * 86_400_000;

export const weekMs = 7 * 86_400_000;

/** Begun and not ended. What has failed is nobody's work until it is planned anew. */
export const running = ["active", "preparing", "paused", "blocked"] as const satisfies readonly Lifecycle[];

export const isRunning = (status: Lifecycle): boolean => (running as readonly Lifecycle[]).includes(status);

/** Somebody is at it now; what is finished on both sides is history. */
export const isConflict = ({ one, other }: AuditPair): boolean => isRunning(one.status) || isRunning(other.status);
