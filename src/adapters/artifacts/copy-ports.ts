import { stat } from "node:fs/promises";
import { join } from "node:path";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { ArtifactPorts, CopyAsk, WrittenCopy } from "../../domain/artifact/port.ts";
import { confinedPath } from "./confined-path.ts";

/** What writes and reads SQLite files; the room that has the driver gives it. */
export interface IndexCopies {
  write(path: string, ask: Omit<CopyAsk, "out">, chunks: Chunks): Promise<WrittenCopy>;
  compact(path: string, keepsBackup: boolean): Promise<{ before: number; after: number }>;
  /** Opens a copy for as long as it is asked. */
  readonly use: ArtifactPorts["withCopy"];
  /** What a copy says of itself; undefined where there is none. */
  read(path: string): Readonly<Record<string, string>> | undefined;
}

type Chunks = Parameters<ArtifactPorts["writeCopy"]>[1];

type CopyPorts = Pick<ArtifactPorts, "writeCopy" | "compactCopy" | "findCopy" | "withCopy">;

export const copyPorts = (homeDir: string, copies: IndexCopies): CopyPorts => ({
  async writeCopy({ out, folder, ...ask }, chunks) {
    return copies.write(placeOf(homeDir, { folder, out }), ask, chunks);
  },
  async compactCopy({ folder, out, isDry, keepsBackup }) {
    const path = placeOf(homeDir, { folder, out });
    if (copies.read(path) === undefined) throw noCopy();
    const before = (await stat(path)).size;
    if (isDry) return { path, before, after: null };
    return { path, ...(await copies.compact(path, keepsBackup)) };
  },
  async withCopy(folder, use) {
    const path = copyIn(folder);
    return copies.read(path) === undefined ? undefined : copies.use(path, use);
  },
  async findCopy(folder) {
    const path = copyIn(folder);
    const meta = copies.read(path);
    return meta === undefined ? undefined : { path, bytes: (await stat(path)).size, builtAt: meta["builtAt"] ?? "" };
  },
});

/** Beside the index it is a copy of, so that both go together. */
const copyIn = (folder: string): string => join(folder, "copy.sqlite");

const placeOf = (homeDir: string, { folder, out }: { folder: string; out?: string | undefined }): string =>
  out === undefined ? copyIn(folder) : confinedPath(homeDir, out, "file");

const noCopy = (): Refusal =>
  new Refusal("NO_INDEX", "The repository has no SQLite copy of its index yet.", nextStep("buildCopy"));
