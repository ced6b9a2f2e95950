/**
 * The rows of every table, on both databases. Times are milliseconds, flags are 0 or 1, structured values are JSON
 * text: the same columns and the same codec on SQLite and PostgreSQL, so one query set serves both.
 */

import type { ColumnType, Insertable, Selectable, Updateable } from "kysely";
import type { AgentType } from "../contract/caller.ts";
import type { Stream } from "../contract/event.ts";
import type {
  AgentId,
  DeveloperId,
  FindingId,
  InstanceId,
  MessageId,
  NoteId,
  PhaseId,
  RepositoryId,
  TaskId,
  TeamId,
  TemplateId,
  ThreadId,
  TokenId,
  VaultId,
  WorkflowId,
  WorktreeId,
} from "../contract/ids.ts";
import type { Lifecycle } from "../contract/lifecycle.ts";
import type {
  agentRoles,
  agentStatuses,
  callerTypes,
  complexities,
  developerRoles,
  effectStatuses,
  findingSources,
  findingStates,
  folderStates,
  messageStatuses,
  messageTypes,
  noteKinds,
  OneOf,
  peerTypes,
  priorities,
  profiles,
  receiptLevels,
  runtimes,
  severities,
  sourceTypes,
  workflowKinds,
  worktreeStatuses,
} from "../contract/words.ts";
import type { PullTables } from "./schema-pull.ts";
import type { ReviewTables } from "./schema-review.ts";
import type { TeamTables } from "./schema-team.ts";

export interface Versioned {
  /** Names the state that was read; a save with another number in the row loses the race (see `save.ts`). */
  version: number;
}

export interface TeamRow {
  id: TeamId;
  name: string;
  createdAt: number;
}

export interface DeveloperRow extends Versioned {
  id: DeveloperId;
  teamId: TeamId;
  handle: string;
  name: string;
  email: string | null;
  isPrivate: number;
  role: OneOf<typeof developerRoles>;
  createdAt: number;
  updatedAt: number;
}

interface TokenRow extends Versioned {
  id: TokenId;
  developerId: DeveloperId;
  /** SHA-256 of the secret part; the token itself is never stored (ID6). */
  hash: string;
  label: string;
  agentType: AgentType | null;
  instanceId: InstanceId | null;
  createdAt: number;
  revokedAt: number | null;
  expiresAt: number | null;
  /** To about a minute. */
  lastUsedAt: number | null;
  /** Only of a deck's cookie: the hash of what must come with it (HT80). */
  pageLock: string | null;
}

interface RepositoryRow extends Versioned {
  id: RepositoryId;
  /** Who registered it; null where that is not known any more. */
  developerId: DeveloperId | null;
  path: string;
  name: string;
  createdAt: number;
  updatedAt: number;
}

export interface AgentRow extends Versioned {
  id: AgentId;
  developerId: DeveloperId;
  name: string;
  runtime: OneOf<typeof runtimes>;
  role: OneOf<typeof agentRoles>;
  capabilities: string;
  workspacePath: string | null;
  metadata: string;
  status: OneOf<typeof agentStatuses>;
  currentTaskId: TaskId | null;
  lastHeartbeatAt: number;
  /** A silence longer than this takes it offline. */
  staleAfterMs: number;
  /** The token it registered with; null where it registered before that was kept. */
  tokenId: TokenId | null;
  /** The connection it last worked on, where that can be taken up again. */
  connectionKey: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A short note for an agent, or for whichever of a developer's comes next; kept until it was delivered. */
interface NoticeRow {
  id: string;
  developerId: DeveloperId;
  agentId: AgentId | null;
  /** The record it is about. */
  about: string;
  text: string;
  createdAt: number;
  deliveredAt: number | null;
  /** Whether it was told to an agent that waited, which may ask for it again; not carried by another call's answer. */
  isHeard: number;
}

/** Up to where an agent has heard what concerns it, for those that come back without a cursor. */
interface HeardRow {
  agentId: AgentId;
  seq: number;
  /** From where the last answer began, and the key of its call: the same call again is answered from there. */
  fromSeq: number;
  callKey: string | null;
}

export interface MessageRow extends Versioned {
  id: MessageId;
  senderId: AgentId | null;
  /** Null for what is meant for a person, whichever of their agents comes next. */
  recipientId: AgentId | null;
  fromDeveloperId: DeveloperId | null;
  toDeveloperId: DeveloperId | null;
  threadId: ThreadId;
  replyToId: MessageId | null;
  messageType: OneOf<typeof messageTypes | typeof peerTypes>;
  subject: string | null;
  body: string;
  priority: OneOf<typeof priorities>;
  status: OneOf<typeof messageStatuses>;
  workflowId: WorkflowId | null;
  taskId: TaskId | null;
  detail: string | null;
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface WorkflowRow extends Versioned {
  id: WorkflowId;
  kind: OneOf<typeof workflowKinds>;
  developerId: DeveloperId;
  name: string;
  status: Lifecycle;
  statusReason: string | null;
  sourceType: OneOf<typeof sourceTypes>;
  sourceRef: string | null;
  sourceContent: string;
  repositoryPath: string | null;
  maxParallel: number;
  makesWorktrees: number;
  /** Closed by the server when nothing open remains in it. */
  endsWithTasks: number;
  plan: string | null;
  createdAt: number;
  updatedAt: number;
}

interface TaskTable extends Versioned {
  id: TaskId;
  /** PostgreSQL counts by itself. */
  number: ColumnType<number, number | undefined, never>;
  workflowId: WorkflowId | null;
  developerId: DeveloperId;
  name: string;
  description: string;
  sequence: number;
  parallelGroup: string | null;
  status: Lifecycle;
  waitingOn: number;
  tail: number;
  plan: string | null;
  context: string;
  outcome: string | null;
  outcomeDetail: string | null;
  error: string | null;
  complexity: OneOf<typeof complexities> | null;
  files: string;
  capabilities: string;
  takenBy: AgentId | null;
  fence: number;
  worktreeId: WorktreeId | null;
  startedAt: number | null;
  endedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export type TaskRow = Selectable<TaskTable>;
export type NewTaskRow = Insertable<TaskTable>;
export type TaskRowChanges = Updateable<TaskTable>;

export interface DependencyRow {
  taskId: TaskId;
  dependsOnId: TaskId;
}

export interface NoteRow {
  id: NoteId;
  workflowId: WorkflowId | null;
  taskId: TaskId | null;
  developerId: DeveloperId;
  kind: OneOf<typeof noteKinds>;
  sequence: number;
  summary: string;
  detail: string | null;
  files: string;
  isSuperseded: number;
  needsHuman: number;
  resolvedAt: number | null;
  /** The finding it decides about. */
  findingId: FindingId | null;
  createdAt: number;
}

export interface FindingRow extends Versioned {
  id: FindingId;
  /** Who brought it in last. */
  developerId: DeveloperId;
  source: OneOf<typeof findingSources>;
  severity: OneOf<typeof severities>;
  /** The place of the severity, worst first, to sort by. */
  severityRank: number;
  state: OneOf<typeof findingStates>;
  title: string;
  vulnId: string | null;
  packageName: string | null;
  manifestPath: string | null;
  service: string | null;
  env: string | null;
  /** The top folder of the repository it was brought in for. */
  repositoryPath: string;
  /** All that was read of it, as JSON. */
  record: string;
  /** The task that fixes it. */
  taskId: TaskId | null;
  /** Until when the decision holds that its state comes from. */
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface BriefRow extends Versioned {
  workflowId: WorkflowId;
  objective: string;
  description: string | null;
  scope: string | null;
  constraints: string | null;
  profile: OneOf<typeof profiles>;
  totalPhases: number;
  currentPhase: number;
  endsByItself: number;
  closing: string | null;
}

interface PhaseRow extends Versioned {
  id: PhaseId;
  workflowId: WorkflowId;
  number: number;
  name: string;
  status: Lifecycle;
  startedAt: number | null;
  endedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface EvidenceRow extends Versioned {
  taskId: TaskId;
  phaseId: PhaseId | null;
  parentId: TaskId | null;
  areas: string;
  callerType: OneOf<typeof callerTypes> | null;
  agentName: string | null;
  snapshot: string;
  receipt: string | null;
  level: OneOf<typeof receiptLevels> | null;
  outOfScope: number;
  failedChecks: number;
  doubtfulSince: number | null;
}

/** A repository whose checks may be run, as long as their configuration has this hash. */
interface CheckPermitRow {
  place: string;
  repository: string;
  configHash: string;
  developerId: DeveloperId;
  allowedAt: number;
}

export interface WorktreeRow extends Versioned {
  id: WorktreeId;
  /** Null where it is an instance's. */
  workflowId: WorkflowId | null;
  developerId: DeveloperId;
  path: string;
  branch: string;
  baseBranch: string | null;
  status: OneOf<typeof worktreeStatuses>;
  mergeCommit: string | null;
  repositoryPath: string | null;
  place: string | null;
  folder: OneOf<typeof folderStates>;
  facts: string | null;
  problem: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A copy of a removed worktree, held in its repository under `ref`. */
export interface VaultEntryRow extends Versioned {
  id: VaultId;
  worktreeId: WorktreeId;
  developerId: DeveloperId;
  place: string;
  repositoryPath: string;
  path: string;
  ref: string;
  branch: string | null;
  head: string | null;
  trees: string;
  counts: string;
  bytes: number;
  isMerged: number;
  createdAt: number;
  restoredAt: number | null;
  restoredTo: string | null;
  droppedAt: number | null;
  problem: string | null;
}

/** Outside work: asked for in one transaction, brought home in another. */
export interface ErrandRow extends Versioned {
  id: string;
  kind: string;
  key: string;
  subject: string;
  place: string;
  payload: string;
  status: OneOf<typeof effectStatuses>;
  attempts: number;
  nextAt: number;
  result: string | null;
  error: string | null;
  developerId: string | null;
  callId: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface TemplateRow extends Versioned {
  id: TemplateId;
  developerId: DeveloperId;
  name: string;
  description: string | null;
  definition: string;
  createdAt: number;
  updatedAt: number;
}

/** Append-only; `hash` covers the entry and the hash before it. */
export interface LedgerRow {
  seq: number;
  at: number;
  stream: Stream;
  kind: string;
  announced: string;
  subject: string;
  channels: string;
  data: string;
  developerId: string | null;
  callId: string | null;
  hash: string;
}

/** PostgreSQL only: entries wait here until one node at a time gives them their place in the ledger. */
interface UnsealedRow {
  id: number;
  xid: string;
  entry: string;
}

/** The first answer to a call with an idempotency key (ST22). */
interface AnswerRow {
  developerId: string;
  key: string;
  tool: string;
  /** The SHA-256 of what the call was given; null if it is older than that was noted. */
  argumentsHash: string | null;
  answer: string;
  createdAt: number;
}

interface FootprintRow {
  taskId: TaskId;
  repositoryPath: string;
  /** JSON: paths with probabilities. */
  files: string;
  madeAt: number;
}

interface MetaRow {
  key: string;
  value: string;
}

export interface Tables extends TeamTables, ReviewTables, PullTables {
  team: TeamRow;
  developer: DeveloperRow;
  token: TokenRow;
  repository: RepositoryRow;
  agent: AgentRow;
  message: MessageRow;
  notice: NoticeRow;
  heard: HeardRow;
  workflow: WorkflowRow;
  task: TaskTable;
  dependency: DependencyRow;
  footprint: FootprintRow;
  note: NoteRow;
  finding: FindingRow;
  brief: BriefRow;
  phase: PhaseRow;
  evidence: EvidenceRow;
  checkPermit: CheckPermitRow;
  worktree: WorktreeRow;
  vaultEntry: VaultEntryRow;
  errand: ErrandRow;
  template: TemplateRow;
  ledger: LedgerRow;
  unsealed: UnsealedRow;
  answer: AnswerRow;
  meta: MetaRow;
}
