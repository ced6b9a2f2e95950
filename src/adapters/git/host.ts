import { openRepository, type Repository } from "./repository.ts";
import { type GitProgram, installedGit } from "./run.ts";

/** What the git of this machine can be asked to do, one thing at a time in each repository. */
export interface GitHost {
  /** Beside the neighbourhood of a repository, worktrees may lie in here. */
  readonly dataDir: string;
  /** Looks at a repository; others may work in it meanwhile. */
  look<T>(path: string, signal: AbortSignal, body: (repository: Repository) => Promise<T>): Promise<T>;
  /** Works in a repository, after whoever works in it now. */
  work<T>(path: string, signal: AbortSignal, body: (repository: Repository) => Promise<T>): Promise<T>;
}

export function openGitHost(options: { readonly dataDir: string; readonly git?: GitProgram }): GitHost {
  const { dataDir, git = installedGit } = options;
  const lanes = new Map<string, Promise<unknown>>();
  return {
    dataDir,
    look: async (path, signal, body) => body(await openRepository(git, path, signal)),
    async work(path, signal, body) {
      const repository = await openRepository(git, path, signal);
      const { commonDir } = repository;
      const before = lanes.get(commonDir) ?? Promise.resolve();
      const turn = before.then(() => {
        signal.throwIfAborted();
        return body(repository);
      });
      const settled = turn.catch(() => undefined);
      lanes.set(commonDir, settled);
      try {
        return await turn;
      } finally {
        if (lanes.get(commonDir) === settled) lanes.delete(commonDir);
      }
    },
  };
}
