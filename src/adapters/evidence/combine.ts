import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RawName } from "../git/names.ts";
import { readBlobs, readSizes } from "./blobs.ts";
import type { Contest } from "./brought-in.ts";
import { gitHash, type Identity } from "./disk-reader.ts";
import type { LookedAt } from "./git-repository.ts";

const mostFiles = 200;
const mostBytes = 1024 * 1024;

/** What git makes of files that two sides have changed; what it cannot combine by itself, or is too large, is left out. */
export async function combineAll(
  repository: LookedAt,
  contests: ReadonlyMap<RawName, Contest>,
): Promise<ReadonlyMap<RawName, Identity>> {
  const combined = new Map<RawName, Identity>();
  if (contests.size === 0) return combined;
  const some = [...contests].slice(0, mostFiles);
  const ids = some.flatMap(([, contest]) => identitiesOf(contest)).map(idOf);
  const sizes = await readSizes(repository, ids);
  const small = ids.filter((id) => (sizes.get(id) ?? Number.POSITIVE_INFINITY) <= mostBytes);
  const blobs = await readBlobs(repository, small);
  // Outside of the repository, in which nothing is written.
  const scratch = await mkdtemp(join(tmpdir(), "crewdeck-combine-"));
  try {
    for (const [name, contest] of some) {
      const content = await combine(repository, contest, { blobs, scratch });
      const kind = contest.start?.slice(0, 2);
      if (content === undefined || kind === undefined) continue;
      const hash = gitHash(repository.algorithm)(BigInt(content.length)).update(content).digest("hex");
      combined.set(name, `${kind}${hash}`);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return combined;
}

async function combine(
  { run }: LookedAt,
  contest: Contest,
  { blobs, scratch }: { readonly blobs: ReadonlyMap<string, Buffer>; readonly scratch: string },
): Promise<Buffer | undefined> {
  const identities = identitiesOf(contest);
  const isPlain = identities.every((identity) => /^[fx]:/.test(identity ?? ""));
  if (!isPlain || new Set(identities.map((identity) => identity?.slice(0, 2))).size > 1) return undefined;
  const places = ["ours", "base", "theirs"].map((side) => join(scratch, side));
  let ours = blobs.get(idOf(contest.start));
  for (const { before, after } of contest.steps) {
    const sides = [ours, blobs.get(idOf(before)), blobs.get(idOf(after))];
    if (sides.includes(undefined)) return undefined;
    await Promise.all(places.map((place, at) => writeFile(place, sides[at] ?? "")));
    const { code, stdout } = await run(["merge-file", "-p", "-q", ...places], conflicts);
    if (code !== 0) return undefined;
    ours = stdout;
  }
  return ours;
}

/** It ends with how many conflicts there are, or says that it cannot. */
const conflicts = Array.from({ length: 255 }, (_, at) => at + 1);

const identitiesOf = ({ start, steps }: Contest): Identity[] => [
  start,
  ...steps.flatMap(({ before, after }) => [before, after]),
];

const idOf = (identity: Identity): string => identity?.slice(2) ?? "";
