import type { TaskId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Look } from "../port.ts";
import type { FileDiff } from "./diff-model.ts";
import { type Allowance, diffTexts, isBinary, noDifference } from "./diff-rules.ts";
import type { Evidence, Receipt } from "./model.ts";
import type { EvidencePorts, Side, Sides, SidesAsk } from "./port.ts";
import { getReceipt } from "./verify-operations.ts";

interface DiffAsk {
  /** Only this file, with more of its lines. */
  readonly path?: string | undefined;
  /** Only files whose names come after this one. */
  readonly after?: string | undefined;
  readonly mostFiles: number;
}

/** What a task changed, as far as the contents are still known. */
export interface ReceiptDiff {
  readonly evidence: Evidence;
  readonly receipt: Receipt;
  readonly files: readonly FileDiff[];
  readonly filesCount: number;
  /** Files that come after these. */
  readonly filesLeft: number;
}

interface DiffLook extends Pick<Look, "read" | "signal"> {
  readonly ports: { readonly evidence: Pick<EvidencePorts, "listStale" | "readSides"> };
}

/** Larger contents are not compared. */
const largestContent = 1024 * 1024;
const mostBytes = 512 * 1024;
const mostNameBytes = 128 * 1024;
/** A long file among several leaves room for the others. */
const ofEach: Allowance = { lines: 400, bytes: 64 * 1024 };
const ofOne: Allowance = { lines: 5_000, bytes: mostBytes };

/** Compares the contents that a receipt names. Nothing is run, written or recorded. */
export async function diffReceipt(look: DiffLook, taskId: TaskId, ask: DiffAsk): Promise<ReceiptDiff> {
  const { evidence, receipt } = await getReceipt(look, taskId);
  const { snapshot } = evidence;
  const { hashes, isComplete } = receipt.changes;
  const paths = changedFiles(receipt).filter((path) => ask.after === undefined || path > ask.after);
  const page = choosePage(paths, ask);
  if (ask.path !== undefined && page.length === 0) {
    throw new Refusal("NOT_FOUND", "The receipt names no such file.", "Leave path out to see which files it names.");
  }
  const about = { type: snapshot.type, root: snapshot.root };
  const kept = Object.fromEntries(page.map((path) => [path, hashes[path] ?? null]));
  const stale = page.length === 0 ? [] : await look.ports.evidence.listStale({ ...about, hashes: kept }, look.signal);
  // Where the start had to be guessed the receipt does not say from which commit.
  const head = isComplete ? snapshot.head : null;
  const wanted = page.map((path) => ({ path, before: beforeOf(path, evidence, receipt), after: hashes[path] ?? null }));
  const compared = await compareFiles(look, { ...about, head, files: wanted, isAlone: ask.path !== undefined });
  const files = compared.map((file) => ({
    ...file,
    change: changeOf(file.path, receipt),
    isUnexpected: receipt.unexpectedFiles.includes(file.path),
    isStale: stale.includes(file.path),
  }));
  const filesLeft = ask.path === undefined ? paths.length - page.length : 0;
  return { evidence, receipt, files, filesCount: Object.keys(hashes).length, filesLeft };
}

/** Compares what files held before and after, within limits; one that is asked for alone may have more lines. */
export async function compareFiles(
  look: Pick<Look, "signal"> & { readonly ports: { readonly evidence: Pick<EvidencePorts, "readSides"> } },
  ask: Omit<SidesAsk, "mostBytes"> & { readonly isAlone: boolean },
): Promise<(Compared & Pick<FileDiff, "path">)[]> {
  const { isAlone, ...wanted } = ask;
  if (wanted.files.length === 0) return [];
  let bytesLeft = mostBytes;
  const files: (Compared & Pick<FileDiff, "path">)[] = [];
  for await (const side of look.ports.evidence.readSides({ ...wanted, mostBytes: largestContent }, look.signal)) {
    const allowed = isAlone ? ofOne : ofEach;
    const bytes = Math.min(bytesLeft, allowed.bytes);
    const allowance = { lines: allowed.lines, bytes };
    files.push({ path: side.path, ...compareSides(side, allowance) });
    bytesLeft -= bytes - allowance.bytes;
  }
  return files;
}

const changedFiles = ({ changes }: Receipt): string[] => Object.keys(changes.hashes).sort(byCode);

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function choosePage(paths: readonly string[], { path, mostFiles }: DiffAsk): string[] {
  if (path !== undefined) return paths.filter((one) => one === path);
  let bytes = 0;
  const fitting = paths.slice(0, mostFiles).filter((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one));
    return bytes <= mostNameBytes;
  });
  return fitting.length === 0 ? paths.slice(0, 1) : fitting;
}

function changeOf(path: string, { changes }: Receipt): FileDiff["change"] {
  if (changes.added.includes(path)) return "added";
  return changes.deleted.includes(path) ? "deleted" : "modified";
}

/** What lay there before: nothing, what others had put there, what was dirty already, or (undefined) what the start's commit has. */
function beforeOf(path: string, { snapshot }: Evidence, receipt: Receipt): string | null | undefined {
  if (changeOf(path, receipt) === "added") return null;
  const { before = {} } = receipt.changes;
  if (Object.hasOwn(before, path)) return before[path];
  return Object.hasOwn(snapshot.files, path) ? (snapshot.files[path] ?? undefined) : undefined;
}

type Compared = Omit<FileDiff, "path" | "change" | "isUnexpected" | "isStale">;

function compareSides({ before, after }: Sides, allowance: Allowance): Compared {
  const missing = [
    ...(before?.content === "gone" ? ["before" as const] : []),
    ...(after?.content === "gone" ? ["after" as const] : []),
  ];
  const things = { before: before?.thing ?? null, after: after?.thing ?? null, missing };
  const [was, is] = [contentOf(before), contentOf(after)];
  if (missing.length > 0) return { ...things, ...noDifference, state: "gone" };
  if (!was || !is) return { ...things, ...noDifference, state: "too_large" };
  if (!was.equals(is) && (isBinary(was) || isBinary(is))) return { ...things, ...noDifference, state: "binary" };
  return { ...things, ...diffTexts(was, is, allowance), state: "shown" };
}

const contentOf = (side: Side | null): Buffer | undefined => {
  if (side === null) return Buffer.alloc(0);
  return typeof side.content === "string" ? undefined : side.content;
};
