import type { Caller } from "../../contract/caller.ts";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import { doGlobsMeet, fitsGlob, type Glob, type GlobOptions, measureGlob, readGlob, tidyGlob } from "../glob.ts";
import type { Area, CodeClaim, Holder, Meeting } from "./model.ts";

/** Whoever needs more names a folder. The bounds keep a comparison of two claims a matter of milliseconds. */
const mostSigns = 4_000;
const mostLooseSigns = 1_000;

/** Enough for a crowd; beyond that a repository is not being shared but blocked. */
const mostClaimsOfOne = 100;
export const mostClaimsInRepo = 1_000;

const claimReading: GlobOptions = { opensBraces: true, standsForBelow: "folder-names", bareNames: "at-top" };

/** A claim is released by its developer or, where they left it behind, by the owner of the team (DC5). */
export const mayRelease = (claim: CodeClaim, caller: Caller): boolean =>
  claim.developerId === caller.developerId || caller.role === "owner";

/** The files that a claimed path stands for. */
export const readClaimed = (path: string): Glob => readGlob(path, claimReading);

/** The same area in one way of writing, without repeats. */
export function tidyArea(area: Area): Area {
  const paths = [...new Set(area.paths.map(tidyGlob))];
  const symbols = [...new Set(area.symbols.map(tidySymbol))];
  if (paths.length + symbols.length === 0) {
    throw new Refusal("INVALID_INPUT", "A claim names files or symbols.", "Pass paths, symbols or both.");
  }
  const files = symbols.flatMap((symbol) => splitSymbol(symbol).file ?? []);
  checkSize([...paths, ...files].flatMap(readClaimed));
  return { ...area, paths, symbols };
}

function checkSize(patterns: Glob): void {
  const { signs, loose } = measureGlob(patterns);
  if (signs <= mostSigns && loose <= mostLooseSigns) return;
  throw new Refusal(
    "TOO_LARGE",
    signs > mostSigns
      ? `The patterns have ${signs} characters in all; at most ${mostSigns} are compared.`
      : `Names with * or ? have ${loose} characters in all; at most ${mostLooseSigns} are compared.`,
    "Name folders instead, or make several claims.",
  );
}

const tidySymbol = (symbol: string): string => {
  const { file, name } = splitSymbol(symbol.normalize("NFC").trim());
  return file === null ? name : `${tidyGlob(file)}#${name}`;
};

/** A symbol may say in which file it is: `src/login.ts#verify`. */
function splitSymbol(symbol: string): { file: string | null; name: string } {
  const at = symbol.indexOf("#");
  return at < 1 ? { file: null, name: symbol } : { file: symbol.slice(0, at), name: symbol.slice(at + 1) };
}

/** What of the wanted area lies in each held one; those that nothing lies in are left out. */
export function findMeetings(wanted: Area, held: readonly CodeClaim[]): Meeting[] {
  const reader = readArea(wanted);
  return held
    .filter((claim) => isSameGround(wanted, claim))
    .map((claim) => ({ held: claim, ...meet(reader, readArea(claim)) }))
    .filter(({ paths, symbols }) => paths.length + symbols.length > 0);
}

/** A claim on no branch in particular is one on every branch. */
const isSameGround = (one: Area, other: Area): boolean =>
  one.repo === other.repo && (one.branch === null || other.branch === null || one.branch === other.branch);

interface ReadArea {
  readonly paths: readonly Readable[];
  readonly symbols: readonly Readable[];
}

interface Readable {
  readonly text: string;
  /** The files it stands for; none for a symbol that does not say where it is. */
  readonly files: Glob;
}

const readArea = ({ paths, symbols }: Area): ReadArea => ({
  paths: paths.map((text) => ({ text, files: readClaimed(text) })),
  symbols: symbols.map((text) => {
    const { file } = splitSymbol(text);
    return { text, files: file === null ? [] : readClaimed(file) };
  }),
});

/** Files meet files, symbols meet the same symbols, and a symbol meets a claim on the file it is in. */
const meet = (wanted: ReadArea, held: ReadArea): Pick<Meeting, "paths" | "symbols"> => ({
  paths: wanted.paths
    .filter((path) => [...held.paths, ...held.symbols].some((other) => doGlobsMeet(path.files, other.files)))
    .map(({ text }) => text),
  symbols: wanted.symbols
    .filter(
      (symbol) =>
        held.symbols.some(({ text }) => text === symbol.text) ||
        held.paths.some((other) => doGlobsMeet(symbol.files, other.files)),
    )
    .map(({ text }) => text),
});

/** Which of these files lie in the area. */
export function listFilesIn(area: { readonly paths: readonly string[] }, files: readonly string[]): string[] {
  const patterns = area.paths.map(tidyGlob).map(readClaimed);
  return files.filter((file) => patterns.some((pattern) => fitsGlob(pattern, file, claimReading)));
}

export const isSameHolder = (one: Holder, other: Holder): boolean =>
  one.developerId === other.developerId && one.sessionId === other.sessionId;

/** Whoever wants it alone must be alone; whoever shares is told who else is there. */
export const isGranted = (ask: Pick<CodeClaim, "isExclusive">, meetings: readonly Meeting[]): boolean =>
  !ask.isExclusive || meetings.length === 0;

/**
 * Whether a look says of two folders that their work goes together. Who is near may collide with the next line, and what
 * was not tried says nothing.
 */
export function isKeptApart({ worktrees, meetings }: Outlook, one: string | null, other: string | null): boolean {
  const isTried = (folder: string | null): folder is string =>
    worktrees.some(({ path, leftOutFor }) => path === folder && leftOutFor === null);
  if (!isTried(one) || !isTried(other) || one === other) return false;
  const meeting = meetings.find(({ between }) => between.includes(one) && between.includes(other));
  return meeting === undefined || meeting.verdict === "same-file";
}

interface Outlook {
  readonly worktrees: readonly { readonly path: string; readonly leftOutFor: string | null }[];
  readonly meetings: readonly { readonly between: readonly string[]; readonly verdict: string }[];
}

/** Those that somebody should know of: two who both share get along. */
export const listClashes = (ask: Pick<CodeClaim, "isExclusive">, meetings: readonly Meeting[]): Meeting[] =>
  meetings.filter(({ held }) => ask.isExclusive || held.isExclusive);

/** A lease has run out at the very moment it names. */
export const isLive = (claim: Pick<CodeClaim, "endedAt" | "expiresAt">, now: number): boolean =>
  claim.endedAt === null && claim.expiresAt > now;

export const leaseEnd = (now: number, ttlMinutes: number): number => now + ttlMinutes * 60_000;

export function checkRenewable(claim: CodeClaim, now: number): void {
  if (isLive(claim, now)) return;
  throw new Refusal(
    "INVALID_STATE",
    `Claim ${claim.id} is over: the code may be in other hands.`,
    nextStep("claimAnew"),
    { reason: claim.endReason ?? "expired" },
  );
}

export function checkRoom(count: { own: number; inRepo: number }): void {
  if (count.own < mostClaimsOfOne && count.inRepo < mostClaimsInRepo) return;
  throw new Refusal(
    "TOO_LARGE",
    count.own < mostClaimsOfOne
      ? `${mostClaimsInRepo} claims are live in this repository.`
      : `You hold ${mostClaimsOfOne} live claims.`,
    nextStep("releaseClaims"),
  );
}

export const unknownClaim = (): Refusal =>
  new Refusal("NOT_FOUND", "You hold no claim of that id.", nextStep("seeClaims"));
