/** What git's log says of one path. */
export interface FileHistory {
  /** Everybody who wrote a commit that changed it, the last one first. */
  readonly authors: readonly string[];
  /** When the last of these was committed, in milliseconds. */
  readonly modifiedAt: number;
  /** Lines added and deleted in all of them; undefined where they were not counted, which takes long. */
  readonly churn: number | undefined;
}
