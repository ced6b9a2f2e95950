import type {
  AgentId,
  ClaimId,
  CollisionId,
  DeveloperId,
  ReportId,
  ScopeCheckId,
  SharedContextId,
  SpanId,
  TaskId,
  WarningId,
} from "../contract/ids.ts";
import type {
  actions,
  budgetKinds,
  collisionVerdicts,
  costSources,
  endReasons,
  fileSources,
  grantStatuses,
  OneOf,
  reportKinds,
  taskTypes,
  usageChannels,
  usageSources,
  verdictWords,
  warningStatuses,
  workKinds,
} from "../contract/words.ts";
import type { Versioned } from "./schema.ts";

/** What makes an agent a session: a developer's run of it in one repository. Its id is the agent's. */
export interface SessionRow extends Versioned {
  agentId: AgentId;
  developerId: DeveloperId;
  agentType: string | null;
  provider: string | null;
  model: string | null;
  repo: string | null;
  branch: string | null;
  worktree: string | null;
  workingCopy: string | null;
  workingCopyAt: number | null;
  summary: string | null;
  createdAt: number;
  lastSeenAt: number;
  /** When it was last heard of by each way. */
  hookAt: number | null;
  watchAt: number | null;
  callAt: number | null;
  endedAt: number | null;
}

/** A file that a task means to change, or that a session has changed and not yet pushed. */
export interface FileMarkRow {
  subjectId: string;
  source: OneOf<typeof fileSources>;
  repo: string;
  path: string;
  developerId: DeveloperId;
  createdAt: number;
}

/** What a task or a workstream is about, beyond its title: what the check for duplicates compares. */
export interface IntentRow extends Versioned {
  subjectId: string;
  kind: OneOf<typeof workKinds>;
  developerId: DeveloperId;
  sessionId: AgentId | null;
  repo: string | null;
  branch: string | null;
  scope: string | null;
  action: OneOf<typeof actions> | null;
  component: string | null;
  priority: string | null;
  taskType: OneOf<typeof taskTypes> | null;
  isContainer: number;
  reason: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface ScopeCheckRow extends Versioned {
  id: ScopeCheckId;
  developerId: DeveloperId;
  sessionId: AgentId | null;
  kind: OneOf<typeof workKinds>;
  title: string;
  plannedId: string | null;
  inputHash: string;
  warningId: WarningId | null;
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
  id: WarningId;
  checkId: ScopeCheckId | null;
  subjectId: string | null;
  developerId: DeveloperId;
  kind: OneOf<typeof workKinds>;
  title: string;
  matches: string;
  status: OneOf<typeof warningStatuses>;
  reason: string | null;
  createdAt: number;
  updatedAt: number;
}

interface VerdictRow {
  id: string;
  checkId: ScopeCheckId;
  candidateId: string;
  developerId: DeveloperId;
  verdict: OneOf<typeof verdictWords>;
  reason: string;
  features: string;
  createdAt: number;
}

export interface CodeClaimRow extends Versioned {
  id: ClaimId;
  developerId: DeveloperId;
  sessionId: AgentId | null;
  taskId: TaskId | null;
  repo: string;
  branch: string | null;
  paths: string;
  symbols: string;
  isExclusive: number;
  fence: number;
  ttlMinutes: number;
  expiresAt: number;
  endedAt: number | null;
  endReason: OneOf<typeof endReasons> | null;
  createdAt: number;
  updatedAt: number;
}

export interface SharedContextRow extends Versioned {
  id: SharedContextId;
  developerId: DeveloperId;
  sessionId: AgentId | null;
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
  supersededBy: SharedContextId | null;
  createdAt: number;
}

/** One measured use of a model: counters and the hash of what reported them, never its text (US5). */
export interface SpanRow {
  id: SpanId;
  developerId: DeveloperId;
  sessionId: AgentId | null;
  taskId: TaskId | null;
  /** Where the session worked, kept with its use because the session may move on. */
  repo: string | null;
  source: OneOf<typeof usageSources>;
  channel: OneOf<typeof usageChannels> | null;
  model: string | null;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheCreationTokens: number;
  reasoningTokens: number;
  totalTokens: number;
  costNanos: number | null;
  costSource: OneOf<typeof costSources>;
  submittedNanos: number | null;
  isMismatch: number;
  priceVersion: string | null;
  payloadHash: string;
  createdAt: number;
}

/** What a developer or a task has spent, counted as it is reported, and how much it may. */
interface BudgetRow extends Versioned {
  subjectId: DeveloperId | TaskId;
  kind: OneOf<typeof budgetKinds>;
  spentNanos: number;
  limitNanos: number | null;
  passedAt: number | null;
  passedBy: DeveloperId | null;
  warnedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

interface ReportRow {
  id: ReportId;
  kind: OneOf<typeof reportKinds>;
  developerId: DeveloperId;
  data: string;
  createdAt: number;
}

export interface DeviceGrantRow extends Versioned {
  id: string;
  codeHash: string;
  userCodeHash: string;
  machineName: string;
  agents: string;
  status: OneOf<typeof grantStatuses>;
  developerId: DeveloperId | null;
  expiresAt: number;
  lastPollAt: number | null;
  createdAt: number;
}

/** Two worktrees of a repository, or one and its base, that do not go together for now. */
export interface CollisionRow extends Versioned {
  id: CollisionId;
  /** The server that can reach the folders. */
  place: string;
  repositoryPath: string;
  /** Where the work lies. */
  one: string;
  /** Where the other lies; empty for the base. */
  other: string;
  baseBranch: string | null;
  verdict: OneOf<typeof collisionVerdicts>;
  /** JSON: paths with headings. */
  places: string;
  /** Since when the verdict holds. */
  since: number;
  /** JSON: which agents were told of which verdict. */
  told: string;
  createdAt: number;
  endedAt: number | null;
}

/** How the clients of one machine are set up in one repository. */
export interface MachineRow extends Versioned {
  developerId: DeveloperId;
  name: string;
  repository: string;
  companionVersion: string;
  /** JSON: clients and checks, in names and states. */
  state: string;
  reportedAt: number;
}

export interface TeamTables {
  session: SessionRow;
  fileMark: FileMarkRow;
  intent: IntentRow;
  scopeCheck: ScopeCheckRow;
  warning: WarningRow;
  verdict: VerdictRow;
  codeClaim: CodeClaimRow;
  collision: CollisionRow;
  sharedContext: SharedContextRow;
  span: SpanRow;
  budget: BudgetRow;
  report: ReportRow;
  deviceGrant: DeviceGrantRow;
  machine: MachineRow;
}
