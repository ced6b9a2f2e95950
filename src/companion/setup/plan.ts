import { isUtf8 } from "node:buffer";
import type { Client, ConfigPart, Place } from "../clients/client.ts";
import { TakenPlace } from "../edit/json-edit.ts";
import { BrokenJson } from "../edit/json-tree.ts";
import { BrokenToml } from "../edit/toml-scan.ts";
import { readBytes } from "../files.ts";
import type { Companion } from "../places.ts";
import { type ChangedFile, hashOf, type Manifest, readCopy } from "./manifest.ts";
import { isCurrent, KeptByOwner, withOurs, withoutOurs } from "./merge.ts";

/** What is to happen to one file, decided before anything is written. */
export interface Step {
  readonly client: Client;
  readonly part: ConfigPart;
  readonly action: "create" | "change" | "delete" | "none" | "kept" | "refused";
  /** Why it is left alone. */
  readonly reason: string | null;
  readonly current: Buffer | undefined;
  readonly next: Buffer | null;
  /** What the file holds without our entries; null for no file. */
  readonly base: Buffer | null;
  readonly made: ChangedFile["made"];
}

/** Whether there is something of ours in the file now. */
export const holdsOurs = ({ action, current, base }: Step): boolean =>
  action === "none" || (action === "change" && current !== undefined && base?.equals(current) !== true);

interface Ask {
  readonly companion: Companion;
  readonly place: Place;
  readonly clients: readonly Client[];
  readonly manifest: Manifest;
  readonly isRemoval: boolean;
}

export const planSteps = ({ clients, place, ...ask }: Ask): Step[] =>
  clients.flatMap((client) => client.parts(place).map((part) => planStep(client, part, ask)));

type Context = Pick<Ask, "companion" | "manifest" | "isRemoval">;

function planStep(client: Client, part: ConfigPart, context: Context): Step {
  const nothing = { client, part, reason: null, current: undefined, next: null, base: null, made: [] } as const;
  try {
    const current = readBytes(part.file);
    const change = context.isRemoval ? removal(part, current, context) : addition(part, current, context);
    return { ...nothing, current, ...change };
  } catch (error) {
    if (error instanceof KeptByOwner || error instanceof TakenPlace)
      return { ...nothing, action: "kept", reason: error.message };
    if (error instanceof BrokenJson || error instanceof BrokenToml || error instanceof UnreadableText)
      return { ...nothing, action: "refused", reason: error.message };
    return { ...nothing, action: "refused", reason: (error as Error).message };
  }
}

type Change = Pick<Step, "action" | "next" | "base" | "made">;

const unchanged: Change = { action: "none", next: null, base: null, made: [] };

function addition(part: ConfigPart, current: Buffer | undefined, context: Context): Change {
  const text = current === undefined ? null : textOf(current);
  if (text !== null && isCurrent(part, text)) return unchanged;
  const base = baseOf(part, current, context);
  const { text: next, made } = withOurs(part, base === null ? null : textOf(base));
  return { action: current === undefined ? "create" : "change", next: bytesOf(next), base, made };
}

function removal(part: ConfigPart, current: Buffer | undefined, context: Context): Change {
  if (current === undefined) return unchanged;
  const base = baseOf(part, current, context);
  if (base === null) return { ...unchanged, action: "delete" };
  return base.equals(current) ? unchanged : { action: "change", next: base, base, made: [] };
}

/**
 * The file without anything of ours: its copy where nobody has touched it since, else what is left when our entries are
 * taken out of what is there now.
 */
function baseOf(part: ConfigPart, current: Buffer | undefined, { companion, manifest }: Context): Buffer | null {
  if (current === undefined) return null;
  const record = manifest[part.file];
  if (record !== undefined && hashOf(current) === record.after) {
    if (record.before === null) return null;
    const copy = readCopy(companion, record.before);
    if (copy !== undefined) return copy;
  }
  const wasMade = record !== undefined && record.before === null;
  if (part.kind === "own" && record === undefined && textOf(current) !== part.text) return current;
  return bytesOf(withoutOurs(part, textOf(current), { made: record?.made ?? [], wasMade }));
}

const bytesOf = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, "utf8"));

class UnreadableText extends Error {
  override readonly name = "UnreadableText";
}

/** What cannot be turned back into the same bytes is not touched. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new UnreadableText("it is not UTF-8 text");
  return bytes.toString("utf8");
}
