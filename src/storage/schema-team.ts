import type { Versioned } from "./schema.ts";

/** What makes an agent a session: a developer's run of it in one repository. Its id is the agent's. */
export interface SessionRow extends Versioned {
  agentId: string;
  developerId: string;
  agentType: string | null;
  provider: string | null;
  model: string | null;
  repo: string | null;
  branch: string | null;
  worktree: string | null;
  snapshot: string | null;
  snapshotAt: number | null;
  summary: string | null;
  createdAt: number;
  lastSeenAt: number;
  endedAt: number | null;
}

/** A file that a task means to change, or that a session has changed and not yet pushed. */
export interface FileMarkRow {
  subjectId: string;
  source: string;
  repo: string;
  path: string;
  developerId: string;
  createdAt: number;
}

/** What a task or a workstream is about, beyond its title: what the check for duplicates compares. */
export interface IntentRow extends Versioned {
  subjectId: string;
  kind: string;
  developerId: string;
  sessionId: string | null;
  repo: string | null;
  branch: string | null;
  scope: string | null;
  action: string | null;
  component: string | null;
  priority: string | null;
  taskType: string | null;
  isContainer: number;
  reason: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface ScopeCheckRow extends Versioned {
  id: string;
  developerId: string;
  sessionId: string | null;
  kind: string;
  title: string;
  plannedId: string | null;
  inputHash: string;
  warningId: string | null;
  requiresVerdict: number;
  candidates: string;
  /** That a person has looked at it and wants the work all the same. */
  confirmation: string | null;
  modelVersion: string;
  createdAt: number;
  expiresAt: number;
  consumedAt: number | null;
}

export interface WarningRow extends Versioned {
  id: string;
  checkId: string | null;
  subjectId: string | null;
  developerId: string;
  kind: string;
  title: string;
  matches: string;
  status: string;
  reason: string | null;
  createdAt: number;
  updatedAt: number;
}

interface VerdictRow {
  id: string;
  checkId: string;
  candidateId: string;
  developerId: string;
  verdict: string;
  reason: string;
  features: string;
  createdAt: number;
}

export interface CodeClaimRow extends Versioned {
  id: string;
  developerId: string;
  sessionId: string | null;
  taskId: string | null;
  repo: string;
  branch: string | null;
  paths: string;
  symbols: string;
  isExclusive: number;
  fence: number;
  ttlMinutes: number;
  expiresAt: number;
  endedAt: number | null;
  endReason: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface SharedContextRow extends Versioned {
  id: string;
  developerId: string;
  sessionId: string | null;
  repo: string | null;
  branch: string | null;
  title: string;
  summary: string;
  files: string;
  nextActions: string;
  blockers: string;
  taskIds: string;
  expiresAt: number;
  revokedAt: number | null;
  supersededBy: string | null;
  createdAt: number;
}

/** One measured use of a model: counters and the hash of what reported them, never its text (US5). */
export interface SpanRow {
  id: string;
  developerId: string;
  sessionId: string | null;
  taskId: string | null;
  /** Where the session worked, kept with its use because the session may move on. */
  repo: string | null;
  source: string;
  model: string | null;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  reasoningTokens: number;
  totalTokens: number;
  costNanos: number | null;
  costSource: string;
  submittedNanos: number | null;
  isMismatch: number;
  priceVersion: string | null;
  payloadHash: string;
  createdAt: number;
}

/** What a developer or a task has spent, counted as it is reported, and how much it may. */
export interface BudgetRow extends Versioned {
  subjectId: string;
  kind: string;
  spentNanos: number;
  limitNanos: number | null;
  passedAt: number | null;
  passedBy: string | null;
  warnedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

interface ReportRow {
  id: string;
  kind: string;
  developerId: string;
  data: string;
  createdAt: number;
}

export interface DeviceGrantRow extends Versioned {
  id: string;
  codeHash: string;
  userCodeHash: string;
  machineName: string;
  agents: string;
  status: string;
  developerId: string | null;
  expiresAt: number;
  lastPollAt: number | null;
  createdAt: number;
}

export interface TeamTables {
  session: SessionRow;
  fileMark: FileMarkRow;
  intent: IntentRow;
  scopeCheck: ScopeCheckRow;
  warning: WarningRow;
  verdict: VerdictRow;
  codeClaim: CodeClaimRow;
  sharedContext: SharedContextRow;
  span: SpanRow;
  budget: BudgetRow;
  report: ReportRow;
  deviceGrant: DeviceGrantRow;
}
