import { z } from "zod";

/**
 * Ids are prefixed and branded, so two kinds can never be swapped. On the wire any short text is accepted as an id:
 * one that no record has is answered with "not found", which says more than a pattern mismatch would.
 */
const idText = (description: string) => z.string().min(1).max(100).describe(description);

export const TeamId = idText("A team.").brand<"TeamId">();
export const DeveloperId = idText("A developer.").brand<"DeveloperId">();
export const TokenId = idText("A token's public id.").brand<"TokenId">();
export const RepositoryId = idText("A repository.").brand<"RepositoryId">();
export const AgentId = idText("An agent.").brand<"AgentId">();
export const MessageId = idText("A message.").brand<"MessageId">();
export const ThreadId = idText("A thread of messages.").brand<"ThreadId">();
export const WorkflowId = idText("A workflow.").brand<"WorkflowId">();
export const TaskId = idText("A task.").brand<"TaskId">();
export const WorktreeId = idText("A worktree.").brand<"WorktreeId">();
export const VaultId = idText("A stored copy of a removed worktree.").brand<"VaultId">();
export const PhaseId = idText("A phase.").brand<"PhaseId">();
export const NoteId = idText("A note.").brand<"NoteId">();
export const TemplateId = idText("A template.").brand<"TemplateId">();
export const ScopeCheckId = idText("A check for duplicate work.").brand<"ScopeCheckId">();
export const WarningId = idText("A warning about overlapping work.").brand<"WarningId">();
export const ClaimId = idText("A claim on code.").brand<"ClaimId">();
export const CollisionId = idText("Two worktrees that collide.").brand<"CollisionId">();
export const SharedContextId = idText("A working context that was published to the team.").brand<"SharedContextId">();
export const SpanId = idText("One measured use of a model.").brand<"SpanId">();
export const FindingId = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w.:-]+$/, "An id has letters, digits, dots, colons and dashes, and no slashes.")
  .describe("A finding.")
  .brand<"FindingId">();
export const PullId = idText("A pull request.").brand<"PullId">();
export const PullCommentId = idText("A comment on a pull request.").brand<"PullCommentId">();
export const IssueId = idText("An issue that an agent asked to be filed.").brand<"IssueId">();
export const ReportId = idText("A stored audit or summary.").brand<"ReportId">();
export const FeedbackId = idText("What a reviewer said.").brand<"FeedbackId">();
/** Readable: what its type is, and letters (IN2). Its agent has the same id. */
export const InstanceId = idText("An agent at work in a work tree.").brand<"InstanceId">();

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
export type ScopeCheckId = z.infer<typeof ScopeCheckId>;
export type WarningId = z.infer<typeof WarningId>;
export type ClaimId = z.infer<typeof ClaimId>;
export type CollisionId = z.infer<typeof CollisionId>;
export type SharedContextId = z.infer<typeof SharedContextId>;
export type SpanId = z.infer<typeof SpanId>;
export type FindingId = z.infer<typeof FindingId>;
export type PullId = z.infer<typeof PullId>;
export type PullCommentId = z.infer<typeof PullCommentId>;
export type IssueId = z.infer<typeof IssueId>;
export type ReportId = z.infer<typeof ReportId>;
export type FeedbackId = z.infer<typeof FeedbackId>;
export type InstanceId = z.infer<typeof InstanceId>;

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
  errand: "fx",
  phase: "ph",
  note: "cp",
  template: "tmpl",
  check: "chk",
  warning: "warn",
  verdict: "vd",
  claim: "cl",
  collision: "col",
  notice: "ntc",
  sharedContext: "ctx",
  span: "sp",
  report: "rep",
  feedback: "fb",
  pull: "pr",
  pullComment: "prc",
  issue: "iss",
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
  errand: string;
  phase: PhaseId;
  note: NoteId;
  template: TemplateId;
  check: ScopeCheckId;
  warning: WarningId;
  verdict: string;
  claim: ClaimId;
  collision: CollisionId;
  notice: string;
  sharedContext: SharedContextId;
  span: SpanId;
  report: ReportId;
  feedback: FeedbackId;
  pull: PullId;
  pullComment: PullCommentId;
  issue: IssueId;
  grant: string;
  call: string;
}

/** Whether an id is of this kind, by what it begins with: `ids.filter(isIdOf("task"))`. */
export const isIdOf =
  <Kind extends IdKind>(kind: Kind) =>
  (id: string): id is IdTypes[Kind] & string =>
    id.startsWith(`${idPrefixes[kind]}_`);
