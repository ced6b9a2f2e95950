import type { Db } from "../../storage/db.ts";
import type { Session } from "../agent/session-model.ts";
import { listFilesIn } from "../claim/operations.ts";
import type { Collision } from "../forecast/model.ts";
import { keepOutlook, noteTold, type Outlook } from "../forecast/operations.ts";
import { listCollisions, listCollisionsAt } from "../forecast/queries.ts";
import { leaveFinding, withdrawNotices } from "../message/notice-operations.ts";
import type { Viewer } from "../person/viewer-model.ts";
import { readDirectory } from "../person/viewer-queries.ts";
import type { SystemWork } from "../work.ts";
import type { Forecast, Occupant } from "./collision-model.ts";
import { listOccupants } from "./collision-queries.ts";
import { findOccupant, isDue, type OtherEnd, sayCollision } from "./collision-rules.ts";

/** Keeps what a look at a repository has shown, and leaves word for agents whose work collides (FC12–FC15). */
export async function noteOutlook(work: SystemWork, outlook: Outlook): Promise<void> {
  const { open, outdated } = await keepOutlook(work, outlook);
  await withdrawNotices(
    work,
    outdated.map(({ id }) => id),
  );
  const occupants = occupantsOf(outlook, await listOccupants(work.db, work));
  const directory = await readDirectory(work.db);
  for (const collision of open) {
    const { id: about, one, other } = collision;
    const told: Occupant[] = [];
    for (const [folder, far] of [
      [one, other],
      [other, one],
    ]) {
      const reader = occupants.get(folder ?? "");
      const there = occupants.get(far ?? "");
      if (reader === undefined || !isDue(collision, reader, there)) continue;
      const { agentId, developerId } = reader;
      const end = far === null ? base : endOf(there, directory.viewer(developerId));
      await leaveFinding(work, { developerId, agentId, about, text: sayCollision(collision, end) });
      told.push(reader);
    }
    if (told.length > 0) await noteTold(work, collision, told);
  }
}

const base: OtherEnd = { kind: "base" };

function endOf(there: Occupant | undefined, viewer: Viewer): OtherEnd {
  if (there === undefined) return { kind: "nobody" };
  if (!viewer.knows(there)) return { kind: "someone" };
  const { developerId, name } = there;
  return viewer.isSelf(developerId)
    ? { kind: "own", name }
    : { kind: "agent", owner: viewer.nameOf(developerId), name };
}

/** Who works in each folder of a repository. */
const occupantsOf = (
  { repositoryPath, worktrees }: Outlook,
  occupants: readonly Occupant[],
): ReadonlyMap<string, Occupant> =>
  new Map(
    worktrees.flatMap(({ path, branch }) => {
      const occupant = findOccupant({ repositoryPath, path, branch }, occupants);
      return occupant === undefined ? [] : [[path, occupant] as const];
    }),
  );

interface KnownOutlook {
  readonly occupants: ReadonlyMap<string, Occupant>;
  readonly collisions: readonly Collision[];
}

/** What is known beside a look at a repository: who works where, and since when what collides. */
export async function readKnown({ db, place }: { db: Db; place: string }, outlook: Outlook): Promise<KnownOutlook> {
  const { repositoryPath } = outlook;
  return {
    occupants: occupantsOf(outlook, await listOccupants(db, { place })),
    collisions: await listCollisions(db, { place, repositoryPath }),
  };
}

/** How the work of a session goes together with others' in these files, as far as it was looked at. */
export async function listForecasts(
  { db, place }: { readonly db: Db; readonly place: string },
  ask: { readonly session: Pick<Session, "worktree">; readonly patterns: readonly string[] },
): Promise<Forecast[]> {
  const folder = ask.session.worktree;
  if (folder === null) return [];
  const collisions = await listCollisionsAt(db, { place, folder });
  const touched = collisions.flatMap((collision) => {
    const named = [...new Set(collision.places.map(({ path }) => path))];
    const paths = listFilesIn({ paths: ask.patterns }, named);
    return paths.length === 0 ? [] : [{ collision, paths }];
  });
  if (touched.length === 0) return [];
  const occupants = await listOccupants(db, { place });
  return touched.map(({ collision, paths }) => {
    const { verdict, since, baseBranch, one, other } = collision;
    const far = one === folder ? other : one;
    return { verdict, since, baseBranch, paths, other: occupants.find((each) => each.folder === far) ?? null };
  });
}
