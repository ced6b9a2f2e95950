import type { DeveloperId, TaskId } from "../../contract/ids.ts";
import type { budgetKinds, OneOf } from "../../contract/words.ts";

/** What a developer or a task has spent so far and, if somebody set one, its limit. Money is whole billionths of a dollar. */
export interface Budget {
  readonly subjectId: DeveloperId | TaskId;
  readonly kind: OneOf<typeof budgetKinds>;
  readonly spentNanos: number;
  readonly limitNanos: number | null;
  /** When the limit was passed and by whose use; null again once it is raised above what was spent. */
  readonly passedAt: number | null;
  readonly passedBy: DeveloperId | null;
  /** When the one who passed it was told. */
  readonly warnedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}
