import { execFile } from "node:child_process";
import { branchOf, findRepository, type Repository } from "../repository.ts";
import { serverOf } from "../repository-server.ts";
import { findTarget, ServerRefusal } from "../server.ts";
import { type ClientSession, isAtWork, listSessions, readSession } from "../sessions.ts";
import { askConflicts } from "./ask-conflicts.ts";
import { foreignClaim, whyDenied } from "./claims.ts";
import { rejectOn, type Surroundings } from "./respond.ts";

interface CommitWord {
  readonly deny?: string;
  /** Why nobody could be asked; the commit goes on. */
  readonly unchecked?: string;
}

const mostFiles = 200;
/** How much longer than before an edit the server may take: a commit is one of many edits. */
const longer = 2.5;
/** And git, which reads a whole index. */
const gitLonger = 10;

/** The last gate: whatever edited the files, a commit of those that somebody else has claimed is refused. */
export async function checkCommit(cwd: string, around: Surroundings): Promise<CommitWord> {
  const repository = findRepository(cwd);
  if (repository === undefined) return {};
  try {
    const files = await stagedFiles(repository.root, around.limitMs * gitLonger);
    if (files.length === 0) return {};
    const limit = AbortSignal.timeout(around.limitMs * longer);
    const deny = await Promise.race([whyNot(repository, files, around, limit), rejectOn(limit)]);
    return deny === undefined ? {} : { deny };
  } catch (error) {
    return { unchecked: error instanceof ServerRefusal ? error.code : (error as Error).message };
  }
}

async function whyNot(
  repository: Repository,
  files: readonly string[],
  { companion, home, env, now }: Surroundings,
  signal: AbortSignal,
): Promise<string | undefined> {
  const session = whoCommits(repository, { companion, env, now });
  const baseUrl = serverOf({ companion, home }, repository);
  const target = await findTarget({ home, env, agent: session?.client ?? "git", baseUrl });
  const branch = branchOf(repository);
  // Asked without a session: it may have ended, and whose claims are its own is decided here.
  const { conflicts } = await askConflicts(target, repository, { paths: files, branch }, { signal });
  const claim = foreignClaim(conflicts, session);
  return claim === undefined ? undefined : whyDenied(claim, files, now);
}

/** The agent that runs git, as far as its client says so; else the only one at work in this copy. */
function whoCommits(
  { root }: Repository,
  { companion, env, now }: Pick<Surroundings, "companion" | "env" | "now">,
): ClientSession | undefined {
  const named = [
    ["claude-code", env["CLAUDE_CODE_SESSION_ID"]],
    ["copilot", env["COPILOT_AGENT_SESSION_ID"]],
  ] as const;
  for (const [client, session] of named) {
    const found = session === undefined ? undefined : readSession(companion, client, session);
    if (found !== undefined) return found;
  }
  const here = listSessions(companion).filter(
    (session) => session.client !== "watch" && session.repository === root && isAtWork(session, now.getTime()),
  );
  return here.length === 1 ? here[0] : undefined;
}

/** Deleted files too: who has claimed one still counts on it. */
function stagedFiles(root: string, timeout: number): Promise<string[]> {
  const args = ["diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff"];
  return new Promise((resolve, reject) => {
    execFile(
      "git",
      args,
      { cwd: root, maxBuffer: 16 * 1024 * 1024, timeout, killSignal: "SIGKILL" },
      (error, stdout) => {
        if (error === null) resolve(stdout.split("\0").filter(Boolean).slice(0, mostFiles));
        else reject(new Error("git did not answer"));
      },
    );
  });
}
