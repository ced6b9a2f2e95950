import type { DeveloperId, FeedbackId, InstanceId, TaskId, TokenId, WorktreeId } from "../contract/ids.ts";
import type {
  feedbackTypes,
  instanceOrigins,
  instanceStatuses,
  instanceTypes,
  OneOf,
  reviewOutcomes,
} from "../contract/words.ts";
import type { Versioned } from "./schema.ts";

/** An agent at work in a work tree, with what it is there for; its agent has the same id. */
export interface InstanceRow extends Versioned {
  id: InstanceId;
  type: OneOf<typeof instanceTypes>;
  status: OneOf<typeof instanceStatuses>;
  origin: OneOf<typeof instanceOrigins>;
  developerId: DeveloperId;
  tokenId: TokenId | null;
  place: string;
  repositoryPath: string;
  worktreePath: string;
  worktreeId: WorktreeId | null;
  branch: string | null;
  baseBranch: string | null;
  program: string | null;
  sessionName: string | null;
  parentId: InstanceId | null;
  taskId: TaskId | null;
  reviewIteration: number;
  grantedRounds: number;
  pullNumber: number | null;
  pullUrl: string | null;
  endReason: string | null;
  /** What is known of its program, as JSON; null where somebody else started it. */
  run: string | null;
  /** What its program was told at first. */
  prompt: string | null;
  createdAt: number;
  updatedAt: number;
  lastActivityAt: number;
  terminatedAt: number | null;
}

/** One round: an instance's judgement of another's work. Its id is the reviewer's. */
interface ReviewRow extends Versioned {
  id: InstanceId;
  coderId: InstanceId;
  developerId: DeveloperId;
  round: number;
  outcome: OneOf<typeof reviewOutcomes>;
  /** The commit that is judged. */
  head: string;
  /** The limit of rounds at the time, without what people allowed beyond it. */
  maxIterations: number;
  requestedAt: number;
  endedAt: number | null;
}

/** What a reviewer had to say. */
export interface FeedbackRow extends Versioned {
  id: FeedbackId;
  reviewId: InstanceId;
  coderId: InstanceId;
  developerId: DeveloperId;
  round: number;
  type: OneOf<typeof feedbackTypes>;
  priority: string | null;
  text: string;
  items: string;
  commit: string | null;
  delivery: string | null;
  createdAt: number;
}

export interface ReviewTables {
  instance: InstanceRow;
  review: ReviewRow;
  feedback: FeedbackRow;
}
