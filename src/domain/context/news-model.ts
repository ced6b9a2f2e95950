import type { AgentId, DeveloperId } from "../../contract/ids.ts";
import type { newsKinds, OneOf } from "../../contract/words.ts";

export type NewsKind = OneOf<typeof newsKinds>;

/** What exactly has come. */
export type NewsType =
  | "mail"
  | "question"
  | "announcement"
  | "notice"
  | "handoffAccepted"
  | "issueResolved"
  | "taskCancelled"
  | "handoff"
  | "tasksReady"
  | "checksRun"
  | "resultAccepted"
  | "codeWanted"
  | "codeFreed"
  | "collision";

/** Something that concerns an agent, and has happened since it last looked. */
export interface News {
  readonly kind: NewsKind;
  readonly type: NewsType;
  readonly at: number;
  /** The record it is about. */
  readonly about: string;
  /** Who did it: an agent, or a developer alone. Nobody where the server did. */
  readonly agentId: AgentId | null;
  readonly by: DeveloperId | null;
  /** Text that somebody wrote: a subject, a question, a title. */
  readonly words: string | null;
  readonly noticeId?: string;
  readonly checks?: { readonly passed: number; readonly failed: number };
}

/** Who listens: one agent, or a developer with all their agents. */
export interface Listener {
  readonly developerId: DeveloperId;
  readonly agents: ReadonlySet<string>;
  /** What they work on or have worked on lately. */
  readonly tasks: ReadonlySet<string>;
  /** Where those tasks lie, and what was named. */
  readonly workflows: ReadonlySet<string>;
}

/** A place in the ledger from which to listen, and the call that asks for it. */
export interface HeardPlace {
  readonly seq: number;
  readonly fromSeq: number;
  readonly callKey: string | null;
}

export interface Heard {
  readonly news: readonly News[];
  /** Everything up to here was looked at. */
  readonly place: number;
}
