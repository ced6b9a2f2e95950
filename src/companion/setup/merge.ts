import type { BlockPart, ConfigPart, JsonPart, OwnPart } from "../clients/client.ts";
import { isOurEntry } from "../clients/lines.ts";
import { addBlock, findBlock, removeBlock } from "../edit/block.ts";
import { addEntries, holdsEntries, removeEntries } from "../edit/json-edit.ts";

/** What a file should hold; null for no file. `made` are parts of it that exist for our sake alone. */
interface Merged {
  readonly text: string | null;
  readonly made: readonly (readonly string[])[];
}

/** Somebody has changed a text of ours, or has one of their own in its place: it is theirs now. */
export class KeptByOwner extends Error {
  override readonly name = "KeptByOwner";
}

/** Whether there is nothing to do. */
export function isCurrent(part: ConfigPart, text: string): boolean {
  if (part.kind === "own") return text === part.text;
  if (part.kind === "block") {
    const found = findBlock(text, part.marks);
    return found?.isAsWritten === true && found.body.replaceAll("\r\n", "\n") === part.body;
  }
  return text.trim() !== "" && holdsEntries(text, part.entries, isOurEntry);
}

/** `base` is the file without anything of ours; null where there is none. */
export function withOurs(part: ConfigPart, base: string | null): Merged {
  if (part.kind === "own") return ownWith(part, base);
  if (part.kind === "block") return blockWith(part, base);
  return jsonWith(part, base);
}

/** What would be left of a file; `wasMade` when it was not there before setup. */
export function withoutOurs(
  part: ConfigPart,
  text: string,
  { made, wasMade }: { made: readonly (readonly string[])[]; wasMade: boolean },
): string | null {
  if (part.kind === "own") {
    if (text !== part.text && !isOlderOwn(part, text)) throw new KeptByOwner("it isn't as setup wrote it");
    return null;
  }
  if (part.kind === "block") {
    const found = findBlock(text, part.marks);
    if (found === undefined) return text;
    if (!found.isAsWritten) throw new KeptByOwner("somebody has edited the block in it");
    const left = removeBlock(text, found);
    return left === "" && wasMade ? null : left;
  }
  if (text.trim() === "") return text;
  const left = removeEntries(text, isOurEntry, made);
  return wasMade && /^\uFEFF?\s*\{\s*\}\s*$/.test(left) ? null : left;
}

function ownWith(part: OwnPart, base: string | null): Merged {
  if (base !== null) throw new KeptByOwner("it isn't as setup wrote it");
  return { text: part.text, made: [] };
}

/** Files of our own say in their first lines whose they are. */
const isOlderOwn = (part: OwnPart, text: string): boolean =>
  part.text.startsWith("// Written by") && text.startsWith("// Written by `crewdeck setup`");

function blockWith(part: BlockPart, base: string | null): Merged {
  const foreign = base ?? "";
  const obstacle = part.obstacleIn?.(foreign);
  if (obstacle !== undefined) throw new KeptByOwner(obstacle);
  return { text: addBlock(foreign, part.body, part.marks), made: [] };
}

const jsonWith = (part: JsonPart, base: string | null): Merged =>
  addEntries(base === null || base.trim() === "" ? "{}\n" : base, part.entries, isOurEntry);
