import type { AgentId, CollisionId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Db } from "../../storage/db.ts";
import { listFilesIn } from "../claim/operations.ts";
import type { Collision } from "../forecast/model.ts";
import { keepOutlook, type MergeOrder, noteTold, type Outlook } from "../forecast/operations.ts";
import { findCollision, listCollisions, listCollisionsOf } from "../forecast/queries.ts";
import { listEntries } from "../ledger/queries.ts";
import { leaveFinding, withdrawNotices } from "../message/notice-operations.ts";
import type { Viewer } from "../person/viewer-model.ts";
import { readDirectory } from "../person/viewer-queries.ts";
import type { Look } from "../port.ts";
import { listRepositories } from "../project/queries.ts";
import type { SystemWork, Work } from "../work.ts";
import type { Forecast, KnownCollision, Occupant } from "./collision-model.ts";
import { listOccupants } from "./collision-queries.ts";
import { findOccupant, isDue, type OtherEnd, sayCollision, timelineOf } from "./collision-rules.ts";
import { noteRadar } from "./radar-operations.ts";

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
  await noteRadar(work, outlook, occupants);
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

/** Who works on each branch that is checked out. */
export async function listOccupantsOf(
  { db, place }: { readonly db: Db; readonly place: string },
  { repositoryPath, checkedOut }: MergeOrder,
): Promise<ReadonlyMap<string, Occupant>> {
  const occupants = await listOccupants(db, { place });
  return new Map(
    checkedOut.flatMap(({ branch, path }) => {
      const occupant = findOccupant({ repositoryPath, path, branch }, occupants);
      return occupant === undefined ? [] : [[branch, occupant] as const];
    }),
  );
}

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

/** How the work of an agent goes together with others' in these files, as far as it was looked at. */
export async function listForecasts(
  { db, place }: { readonly db: Db; readonly place: string },
  ask: { readonly agentIds: readonly AgentId[]; readonly patterns: readonly string[] },
): Promise<Forecast[]> {
  if (ask.agentIds.length === 0) return [];
  const occupants = await listOccupants(db, { place });
  const folders = occupants.flatMap(({ agentId, folder }) =>
    folder !== null && ask.agentIds.includes(agentId) ? [folder] : [],
  );
  const collisions = await listCollisionsOf(db, { place, folders, agentIds: ask.agentIds });
  return collisions.flatMap((collision): Forecast[] => {
    const { verdict, since, baseBranch, places, one, other } = collision;
    // Whoever is about to change a definition must hear of it like whoever uses it.
    const filesOf = ({ path, symbol }: Collision["places"][number]): string[] =>
      symbol === undefined ? [path] : [path, symbol.definedIn];
    const paths = listFilesIn({ paths: ask.patterns }, [...new Set(places.flatMap(filesOf))]);
    if (paths.length === 0) return [];
    const symbols = places.flatMap(({ path, symbol }) =>
      symbol !== undefined && paths.some((file) => file === path || file === symbol.definedIn)
        ? [{ ...symbol, path }]
        : [],
    );
    const far = occupants.find(
      ({ agentId, folder }) => folder !== null && [one, other].includes(folder) && !ask.agentIds.includes(agentId),
    );
    return [{ verdict, since, baseBranch, paths, symbols, other: other === null ? null : (far ?? null) }];
  });
}

const mostRepositories = 200;

/**
 * All that was noticed to collide, the longest first, with who works at each end. Where nobody but somebody private is
 * at its ends, there is nothing to be told.
 */
export async function readKnownCollisions(
  { db, place }: Pick<Work, "db" | "place">,
  viewer: Viewer,
): Promise<{ readonly repositories: string[]; readonly collisions: KnownCollision[] }> {
  const occupants = await listOccupants(db, { place });
  const known = (await listCollisions(db, { place }))
    .map((one) => withEnds(one, occupants))
    .filter(({ ends }) => viewer.between(ends.map(({ occupant }) => occupant)) !== "nothing")
    .toSorted((one, other) => one.collision.since - other.collision.since);
  const ask = { limit: mostRepositories, offset: 0, except: viewer.listHidden() };
  const registered = (await listRepositories(db, ask)).map(({ path }) => path);
  const repositories = [...known.map(({ collision }) => collision.repositoryPath), ...registered];
  return { repositories: [...new Set(repositories)], collisions: known };
}

const withEnds = (collision: Collision, occupants: readonly Occupant[]): KnownCollision => ({
  collision,
  ends: [collision.one, collision.other].flatMap((path) =>
    path === null ? [] : [{ path, occupant: occupants.find(({ folder }) => folder === path) ?? null }],
  ),
});

/** What exactly conflicts in a pair, as it is now. A private person's work is shown to nobody else. */
export async function lookAtPair(look: Look, id: CollisionId) {
  const found = await look.read(async (db) => {
    const collision = await findCollision(db, id);
    if (collision === undefined || collision.place !== look.place) return undefined;
    const known = withEnds(collision, await listOccupants(db, look));
    const viewer = (await readDirectory(db)).viewer(look.caller.developerId);
    const isShown = known.ends.every(({ occupant }) => occupant === null || viewer.knows(occupant));
    const entries = await listEntries(db, { after: 0, limit: mostEntries, stream: "work", subject: id });
    return isShown ? { known, entries } : undefined;
  });
  if (found === undefined) throw new Refusal("NOT_FOUND", "No collision has that id.", "List them: crewdeck conflicts");
  const { repositoryPath, one, other, endedAt, verdict } = found.known.collision;
  // What may be done already need not be in conflict.
  const files =
    endedAt === null && verdict !== "moot" ? await compareOrNothing(look, { repositoryPath, one, other }) : [];
  return { known: found.known, files, timeline: timelineOf(found.entries) };
}

/** A repository that cannot be read for now is no reason to hide what is known. */
async function compareOrNothing(look: Look, pair: { repositoryPath: string; one: string; other: string | null }) {
  try {
    return await look.ports.forecast.compare(pair, look.signal);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/** What conflicts in a collision, and how it came about. */
export type CollisionPair = Awaited<ReturnType<typeof lookAtPair>>;

const mostEntries = 100;
