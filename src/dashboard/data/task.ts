/** A task as `GET /api/tasks` answers it, in the words of the one lifecycle. */
export interface BoardTask {
  readonly id: string;
  readonly name: string;
  readonly column: string;
  readonly status: string;
  readonly workflow_id: string | null;
  readonly workflow: string | null;
  readonly claimed_by: string | null;
  readonly holder: string | null;
  readonly runtime: string | null;
  readonly holder_status: string | null;
  readonly developer: string;
  readonly repository: string | null;
  readonly branch: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The last part of a path: what people call a repository. */
export const repositoryName = (path: string): string => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
