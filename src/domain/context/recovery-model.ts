/** How many of them were in the pack. */
export interface Kept {
  readonly kept: number;
  readonly all: number;
}

/** What of a task's decisions, files and next steps came back with its context, at the budget that was used. */
export interface RecoveryScore {
  readonly decisions: Kept;
  readonly files: Kept;
  readonly steps: Kept;
}

/** How much of what agents had forgotten came back to them, over all times that they loaded a task's context. */
export interface RecoverySum extends RecoveryScore {
  readonly count: number;
}
