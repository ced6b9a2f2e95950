import { namesOf, type Repository } from "../repository.ts";
import { callTool, type Target } from "../server.ts";
import type { Conflict } from "./claims.ts";
import { collisionLines, type Forecast } from "./collision-lines.ts";

/** A call takes no more. */
const pathsOfCall = 50;

interface Ask {
  readonly paths: readonly string[];
  readonly branch?: string | undefined;
  readonly session_id?: string | undefined;
}

/** Claims that files meet and word for the agent, under every name the repository goes by: people and models choose one when they claim. */
export async function askConflicts(
  target: Target,
  repository: Repository,
  { paths, branch, session_id }: Ask,
  options: { readonly signal: AbortSignal; readonly passesNotices?: boolean },
): Promise<{ readonly conflicts: Conflict[]; readonly notices: string[] }> {
  const calls = namesOf(repository).flatMap((repo) =>
    piecesOf(paths).map((piece) =>
      callTool(
        target,
        "covibe_coordination",
        { operation: "check_conflicts", repo, branch, paths: piece, session_id },
        options,
      ),
    ),
  );
  const answers = await Promise.all(calls);
  const notices = answers.flatMap((answer) => answer.notices);
  const forecasts = answers.flatMap(({ data }) => (data["forecasts"] ?? []) as Forecast[]);
  return {
    conflicts: answers.flatMap(({ data }) => (data["conflicts"] ?? []) as Conflict[]),
    // Whoever passes no word on is told nothing. A collision is context, and never a reason for a no.
    notices: options.passesNotices === true ? [...notices, ...collisionLines(forecasts, notices)] : notices,
  };
}

const piecesOf = (paths: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(paths.length / pathsOfCall) }, (_, at) =>
    paths.slice(at * pathsOfCall, (at + 1) * pathsOfCall),
  );
