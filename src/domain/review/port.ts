import type { InstanceId } from "../../contract/ids.ts";

/** What reviews ask of the world. */
export interface ReviewPorts {
  readonly limits: ReviewLimits;
  /** What a branch changes against its base, as git counts it; empty where that cannot be told. */
  readShape(ask: ShapeAsk, signal: AbortSignal): Promise<DiffShape>;
}

export interface ReviewLimits {
  /** The program that reviews, by name; chosen where none is named. */
  readonly agent: string | null;
  readonly maxIterations: number;
  readonly autoAbandonAfter: number;
  readonly timeoutMs: number;
}

export interface ShapeAsk {
  readonly folder: string;
  readonly base: string | null;
  readonly head: string;
}

export interface DiffShape {
  /** Where the branch left its base. */
  readonly from: string | null;
  readonly files: readonly { readonly name: string; readonly added: number; readonly removed: number }[];
  readonly fileCount: number;
}

/** What a hand is told to bring into the coder's branch. */
export interface DeliverFeedback {
  readonly reviewId: InstanceId;
  readonly repositoryPath: string;
  readonly coder: { readonly path: string; readonly branch: string };
  readonly reviewer: { readonly branch: string };
  /** The commit that was judged. */
  readonly head: string;
  /** The file's whole content. */
  readonly content: string;
  readonly message: string;
  /** The time of the commits: a repeated run makes the very same. */
  readonly at: number;
}

export interface DeliveredFeedback {
  /** The merge on the coder's branch; null where it could not be made. */
  readonly merge: string | null;
  /** The commit on the reviewer's branch. */
  readonly commit: string;
  /** Why it could not be merged. */
  readonly problem: string | null;
}
