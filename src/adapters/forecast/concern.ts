import type { BehindCommit, SymbolClash } from "../../domain/forecast/port.ts";
import { textOfName } from "../evidence/file-names.ts";
import type { RawName } from "../git/names.ts";
import type { Repository } from "../git/repository.ts";
import type { Change } from "./changes.ts";
import { limits } from "./limits.ts";
import type { Nearness } from "./nearness.ts";
import type { Base, Side, SideReader } from "./sides.ts";
import { findClashes } from "./symbols/collide.ts";
import type { SymbolReader } from "./symbols/reader.ts";

/** A commit of the base, and what it does to each of its files in git's raw form. */
export interface Logged {
  readonly commit: string;
  readonly files: ReadonlyMap<RawName, string>;
}

/** Why a commit concerns a side. */
export type Concern = Pick<BehindCommit, "commit" | "why" | "path" | "name">;

interface Readers {
  readonly sides: SideReader;
  readonly nearness: Nearness;
  readonly symbols: SymbolReader;
}

const strongestFirst = ["symbol", "function", "file"] as const;

/** Which commits of the base concern a side, each for its strongest reason; strongest first, then the newest. */
export async function findConcerns(
  repository: Repository,
  { side, base, commits }: { readonly side: Side; readonly base: Base; readonly commits: readonly Logged[] },
  readers: Readers,
): Promise<Concern[]> {
  const found = new Map<string, Concern>();
  const add = (concern: Concern): void => {
    const known = found.get(concern.commit);
    if (known === undefined || strongestFirst.indexOf(concern.why) < strongestFirst.indexOf(known.why))
      found.set(concern.commit, concern);
  };
  for (const { commit, files } of commits) {
    const name = [...files.keys()].find((one) => side.changes.has(one));
    if (name !== undefined) add({ commit, why: "file", path: textOfName(name), name: null });
  }
  for (const concern of await findSameFunctions(repository, { side, base, commits }, readers)) add(concern);
  for (const concern of await findSymbols(repository, { side, base, commits }, readers)) add(concern);
  const order = new Map(commits.map(({ commit }, at) => [commit, at]));
  const rank = ({ commit, why }: Concern): number =>
    strongestFirst.indexOf(why) * limits.commitsBehind + (order.get(commit) ?? 0);
  return [...found.values()].sort((one, other) => rank(one) - rank(other));
}

type Ask = Parameters<typeof findConcerns>[1];

/** Commits that change a function in which the side is at work, too. */
async function findSameFunctions(
  repository: Repository,
  { side, base, commits }: Ask,
  { nearness }: Readers,
): Promise<Concern[]> {
  const touching = commits.flatMap(({ commit, files }) =>
    [...files.keys()].flatMap((name) => (side.changes.has(name) ? [{ commit, name }] : [])),
  );
  const shared = [...new Set(touching.map(({ name }) => name))].slice(0, limits.concernFiles);
  const functions = new Map<RawName, ReadonlySet<string>>();
  for (const name of shared) {
    const places = await nearness.find(repository, name, { fork: side.fork, sides: [side, base] });
    const headings = places.flatMap(({ heading }) => heading ?? []);
    if (headings.length > 0) functions.set(name, new Set(headings));
  }
  const found: Concern[] = [];
  for (const { commit, name } of touching.filter((one) => functions.has(one.name)).slice(0, limits.concernCommits)) {
    const heading = (await nearness.listHeadings(repository, name, commit)).find((one) =>
      functions.get(name)?.has(one),
    );
    if (heading !== undefined) found.push({ commit, why: "function", path: textOfName(name), name: heading });
  }
  return found;
}

/** What the base as a whole does to names that the side counts on, or the other way round, by the commit that did it. */
async function findSymbols(
  repository: Repository,
  { side, base, commits }: Ask,
  { sides, symbols }: Readers,
): Promise<Concern[]> {
  const theirs = await sides.listChanges(repository, side.fork, base.commit);
  if (theirs.size > limits.changedPaths) return [];
  await symbols.load(repository, [side.changes, theirs]);
  const [ours, others] = [symbols.of(side.changes), symbols.of(theirs)];
  if (!ours || !others) return [];
  const found: Concern[] = [];
  for (const clash of findClashes(ours, others).slice(0, limits.placesAMeeting)) {
    const concern = await findCause(repository, clash, { commits, symbols });
    if (concern !== undefined) found.push(concern);
  }
  return found;
}

/** The newest commit that does to the name what the base as a whole does. */
async function findCause(
  repository: Repository,
  { name, definedIn, path }: SymbolClash,
  { commits, symbols }: { readonly commits: readonly Logged[]; readonly symbols: SymbolReader },
): Promise<Concern | undefined> {
  const touching = commits
    .flatMap(({ commit, files }) =>
      [...files].flatMap(([raw, head]) => {
        const file = textOfName(raw);
        return file === definedIn || file === path ? [{ commit, file, change: { head, from: raw, to: raw } }] : [];
      }),
    )
    .slice(0, limits.concernCommits);
  const alone = touching.map(({ change }) => new Map<RawName, Change>([[change.to, change]]));
  await symbols.load(repository, alone);
  const at = touching.findIndex((_, place) => {
    const changes = alone[place];
    const effects = changes && symbols.of(changes);
    if (effects?.gone.some((gone) => gone.path === name)) return true;
    return (effects?.files ?? []).some(
      ({ effect: { removed, changed, added, newWords, newCalls } }) =>
        [removed, changed, added].some((names) => names.includes(name)) || newWords.has(name) || newCalls.has(name),
    );
  });
  const cause = touching[Math.max(at, 0)];
  return cause && { commit: cause.commit, why: "symbol", path: cause.file, name };
}
