import { rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolders, writeBytes } from "../files.ts";
import type { Companion } from "../places.ts";
import { type ChangedFile, hashOf, keepCopy, type Manifest, writeManifest } from "./manifest.ts";
import type { Step } from "./plan.ts";

/**
 * Does what was planned. The manifest is written before each file: after a kill it may speak of a change that never
 * happened, which is harmless, but never miss one.
 */
export function applySteps(
  companion: Companion,
  steps: readonly Step[],
  { manifest, repository }: { manifest: Manifest; repository: string },
): Manifest {
  let files = manifest;
  const folders: string[] = [];
  for (const step of steps) {
    if (step.action === "create" || (step.action === "change" && isAddition(step))) {
      files = { ...files, [step.part.file]: recordOf(companion, step, files[step.part.file], repository) };
      writeManifest(companion, files);
      writeBytes(step.part.file, step.next ?? Buffer.alloc(0));
    } else if (step.action === "change" || step.action === "delete") {
      if (step.next === null) rmSync(step.part.file, { force: true });
      else writeBytes(step.part.file, step.next);
      folders.push(...(files[step.part.file]?.folders ?? []));
      files = forget(companion, files, step.part.file);
    }
  }
  removeFolders(folders);
  return files;
}

/** A file that is gone, or is as it was, is none of ours any more. */
function forget(companion: Companion, files: Manifest, file: string): Manifest {
  const { [file]: _record, ...others } = files;
  writeManifest(companion, others);
  return others;
}

/** The innermost first; one in which somebody keeps something stays. */
function removeFolders(folders: readonly string[]): void {
  for (const folder of [...new Set(folders)].sort((one, other) => other.length - one.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // It is not empty.
    }
  }
}

/** Of a removal what is left is what there was. */
const isAddition = ({ next, base }: Step): boolean => next !== null && (base === null || !base.equals(next));

function recordOf(
  companion: Companion,
  { client, part, next, base, made }: Step,
  known: ChangedFile | undefined,
  repository: string,
): ChangedFile {
  const folders = makeFolders(dirname(part.file));
  return {
    client: client.name,
    repository,
    before: base === null ? null : keepCopy(companion, base),
    after: hashOf(next ?? ""),
    made,
    folders: [...(known?.folders ?? []), ...folders],
  };
}
