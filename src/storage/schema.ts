/**
 * The rows of every table, on both databases. Times are milliseconds, flags are 0 or 1, structured values are JSON
 * text: the same columns and the same codec on SQLite and PostgreSQL, so one query set serves both.
 */

import type { TeamTables } from "./schema-team.ts";

export interface Versioned {
  /** Names the state that was read; a save with another number in the row loses the race (see `save.ts`). */
  version: number;
}

export interface TeamRow {
  id: string;
  name: string;
  createdAt: number;
}

export interface DeveloperRow extends Versioned {
  id: string;
  teamId: string;
  handle: string;
  name: string;
  email: string | null;
  isPrivate: number;
  role: string;
  createdAt: number;
  updatedAt: number;
}

export interface TokenRow extends Versioned {
  id: string;
  developerId: string;
  /** SHA-256 of the secret part; the token itself is never stored (ID6). */
  hash: string;
  label: string;
  agentType: string | null;
  createdAt: number;
  revokedAt: number | null;
}

export interface RepositoryRow extends Versioned {
  id: string;
  path: string;
  name: string;
  createdAt: number;
  updatedAt: number;
}

export interface AgentRow extends Versioned {
  id: string;
  developerId: string;
  name: string;
  runtime: string;
  role: string;
  capabilities: string;
  workspacePath: string | null;
  metadata: string;
  status: string;
  currentTaskId: string | null;
  lastHeartbeatAt: number;
  /** A silence longer than this takes it offline. */
  staleAfterMs: number;
  createdAt: number;
  updatedAt: number;
}

export interface MessageRow extends Versioned {
  id: string;
  senderId: string | null;
  /** Null for what is meant for a person, whichever of their agents comes next. */
  recipientId: string | null;
  fromDeveloperId: string | null;
  toDeveloperId: string | null;
  threadId: string;
  replyToId: string | null;
  messageType: string;
  subject: string | null;
  body: string;
  priority: string;
  status: string;
  workflowId: string | null;
  taskId: string | null;
  detail: string | null;
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface WorkflowRow extends Versioned {
  id: string;
  kind: string;
  developerId: string;
  name: string;
  status: string;
  statusReason: string | null;
  sourceType: string;
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

export interface TaskRow extends Versioned {
  id: string;
  workflowId: string | null;
  developerId: string;
  name: string;
  description: string;
  sequence: number;
  parallelGroup: string | null;
  status: string;
  waitingOn: number;
  tail: number;
  plan: string | null;
  context: string;
  outcome: string | null;
  outcomeDetail: string | null;
  error: string | null;
  complexity: string | null;
  files: string;
  capabilities: string;
  claimedBy: string | null;
  fence: number;
  worktreeId: string | null;
  startedAt: number | null;
  endedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface DependencyRow {
  taskId: string;
  dependsOnId: string;
}

export interface NoteRow {
  id: string;
  workflowId: string | null;
  taskId: string | null;
  developerId: string;
  kind: string;
  sequence: number;
  summary: string;
  detail: string | null;
  files: string;
  isSuperseded: number;
  needsHuman: number;
  resolvedAt: number | null;
  createdAt: number;
}

export interface BriefRow extends Versioned {
  workflowId: string;
  objective: string;
  description: string | null;
  scope: string | null;
  constraints: string | null;
  profile: string;
  totalPhases: number;
  currentPhase: number;
  endsByItself: number;
  closing: string | null;
}

export interface PhaseRow extends Versioned {
  id: string;
  workflowId: string;
  number: number;
  name: string;
  status: string;
  startedAt: number | null;
  endedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface EvidenceRow extends Versioned {
  taskId: string;
  phaseId: string | null;
  parentId: string | null;
  areas: string;
  callerType: string | null;
  agentName: string | null;
  snapshot: string;
  receipt: string | null;
}

/** A repository whose checks may be run, as long as their configuration has this hash. */
interface CheckPermitRow {
  place: string;
  repository: string;
  configHash: string;
  developerId: string;
  allowedAt: number;
}

export interface WorktreeRow extends Versioned {
  id: string;
  workflowId: string;
  developerId: string;
  path: string;
  branch: string;
  baseBranch: string | null;
  status: string;
  mergeCommit: string | null;
  repositoryPath: string | null;
  place: string | null;
  folder: string;
  facts: string | null;
  problem: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A copy of a removed worktree, held in its repository under `ref`. */
export interface VaultEntryRow extends Versioned {
  id: string;
  worktreeId: string;
  developerId: string;
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
export interface EffectRow extends Versioned {
  id: string;
  kind: string;
  key: string;
  subject: string;
  place: string;
  payload: string;
  status: string;
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
  id: string;
  developerId: string;
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
  stream: string;
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
  answer: string;
  createdAt: number;
}

interface MetaRow {
  key: string;
  value: string;
}

export interface Tables extends TeamTables {
  team: TeamRow;
  developer: DeveloperRow;
  token: TokenRow;
  repository: RepositoryRow;
  agent: AgentRow;
  message: MessageRow;
  workflow: WorkflowRow;
  task: TaskRow;
  dependency: DependencyRow;
  note: NoteRow;
  brief: BriefRow;
  phase: PhaseRow;
  evidence: EvidenceRow;
  checkPermit: CheckPermitRow;
  worktree: WorktreeRow;
  vaultEntry: VaultEntryRow;
  effect: EffectRow;
  template: TemplateRow;
  ledger: LedgerRow;
  unsealed: UnsealedRow;
  answer: AnswerRow;
  meta: MetaRow;
}
