import { z } from "zod";

/**
 * Ids are prefixed and branded, so two kinds can never be swapped. On the wire any short text is accepted as an id:
 * one that no record has is answered with "not found", which says more than a pattern mismatch would.
 */
const idOf = <Brand extends string>(description: string) =>
  z.string().min(1).max(100).brand<Brand>().describe(description);

export const TeamId = idOf<"TeamId">("A team.");
export const DeveloperId = idOf<"DeveloperId">("A developer.");
export const TokenId = idOf<"TokenId">("A token's public id.");
export const RepositoryId = idOf<"RepositoryId">("A repository.");
export const AgentId = idOf<"AgentId">("An agent.");
export const MessageId = idOf<"MessageId">("A message.");
export const ThreadId = idOf<"ThreadId">("A thread of messages.");
export const WorkflowId = idOf<"WorkflowId">("A workflow.");
export const TaskId = idOf<"TaskId">("A task.");
export const WorktreeId = idOf<"WorktreeId">("A worktree.");
export const VaultId = idOf<"VaultId">("A stored copy of a removed worktree.");
export const PhaseId = idOf<"PhaseId">("A phase.");
export const NoteId = idOf<"NoteId">("A note.");
export const TemplateId = idOf<"TemplateId">("A template.");
export const CheckId = idOf<"CheckId">("A check for duplicate work.");
export const WarningId = idOf<"WarningId">("A warning about overlapping work.");
export const ClaimId = idOf<"ClaimId">("A claim on code.");
export const SharedContextId = idOf<"SharedContextId">("A working context that was published to the team.");
export const SpanId = idOf<"SpanId">("One measured use of a model.");
export const ReportId = idOf<"ReportId">("A stored audit or summary.");

export type TeamId = z.infer<typeof TeamId>;
export type DeveloperId = z.infer<typeof DeveloperId>;
export type TokenId = z.infer<typeof TokenId>;
export type RepositoryId = z.infer<typeof RepositoryId>;
export type AgentId = z.infer<typeof AgentId>;
export type MessageId = z.infer<typeof MessageId>;
export type ThreadId = z.infer<typeof ThreadId>;
export type WorkflowId = z.infer<typeof WorkflowId>;
export type TaskId = z.infer<typeof TaskId>;
export type WorktreeId = z.infer<typeof WorktreeId>;
export type VaultId = z.infer<typeof VaultId>;
export type PhaseId = z.infer<typeof PhaseId>;
export type NoteId = z.infer<typeof NoteId>;
export type TemplateId = z.infer<typeof TemplateId>;
export type CheckId = z.infer<typeof CheckId>;
export type WarningId = z.infer<typeof WarningId>;
export type ClaimId = z.infer<typeof ClaimId>;
export type SharedContextId = z.infer<typeof SharedContextId>;
export type SpanId = z.infer<typeof SpanId>;
export type ReportId = z.infer<typeof ReportId>;

/** The prefix each kind of id is minted with. */
export const idPrefixes = {
  team: "tm",
  developer: "dev",
  token: "tok",
  repository: "rp",
  agent: "ag",
  message: "msg",
  thread: "thr",
  workflow: "wf",
  task: "tk",
  worktree: "ws",
  vault: "vt",
  effect: "fx",
  phase: "ph",
  note: "cp",
  template: "tmpl",
  check: "chk",
  warning: "warn",
  verdict: "vd",
  claim: "cl",
  sharedContext: "ctx",
  span: "sp",
  report: "rep",
  grant: "dg",
  call: "call",
} as const;

export type IdKind = keyof typeof idPrefixes;

export interface IdTypes {
  team: TeamId;
  developer: DeveloperId;
  token: TokenId;
  repository: RepositoryId;
  agent: AgentId;
  message: MessageId;
  thread: ThreadId;
  workflow: WorkflowId;
  task: TaskId;
  worktree: WorktreeId;
  vault: VaultId;
  effect: string;
  phase: PhaseId;
  note: NoteId;
  template: TemplateId;
  check: CheckId;
  warning: WarningId;
  verdict: string;
  claim: ClaimId;
  sharedContext: SharedContextId;
  span: SpanId;
  report: ReportId;
  grant: string;
  call: string;
}

/** Whether an id is of this kind, by what it begins with: `ids.filter(isIdOf("task"))`. */
export const isIdOf =
  <Kind extends IdKind>(kind: Kind) =>
  (id: string): id is IdTypes[Kind] & string =>
    id.startsWith(`${idPrefixes[kind]}_`);
