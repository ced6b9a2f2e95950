import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { nextStep } from "../../contract/next-step.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { ArtifactPorts, CopyAsk, WrittenCopy } from "../../domain/artifact/port.ts";
import { confinedPath } from "./confined-path.ts";
import { listNoted, noteCopy, removeNoted, sizeOfFile } from "./copies-elsewhere.ts";
import { isFolderThere } from "./measure.ts";

/** What writes and reads SQLite files; the room that has the driver gives it. */
export interface IndexCopies {
  write(path: string, ask: Omit<CopyAsk, "out">, chunks: Chunks): Promise<WrittenCopy>;
  compact(path: string, ask: { keepsBackup: boolean; signal: AbortSignal }): Promise<{ before: number; after: number }>;
  /** Opens a copy for as long as it is asked. */
  readonly use: ArtifactPorts["withCopy"];
  /** What a copy says of itself; undefined where there is none. */
  read(path: string): Readonly<Record<string, string>> | undefined;
}

type Chunks = Parameters<ArtifactPorts["writeCopy"]>[1];

type CopyPorts = Pick<
  ArtifactPorts,
  "writeCopy" | "compactCopy" | "findCopy" | "withCopy" | "listCopies" | "removeCopy"
>;

export const copyPorts = (homeDir: string, copies: IndexCopies): CopyPorts => ({
  async writeCopy({ out, folder, ...ask }, chunks) {
    const writing = copies.write(placeOf(homeDir, { folder, out }), ask, chunks);
    if (out === undefined) return unlessGone(folder, writing);
    const written = await writing;
    await noteCopy(folder, { path: written.path, repo: ask.meta["repo"] ?? "" });
    return written;
  },
  async listCopies(folder) {
    const here = copyIn(folder);
    const elsewhere = await listNoted(homeDir, folder, copies);
    const all = (await isFile(here)) ? [here, ...elsewhere] : elsewhere;
    return Promise.all(
      all.map(async (path) => {
        const meta = copies.read(path);
        const said = { builtAt: meta?.["builtAt"] ?? null, content: meta?.["content"] ?? null };
        return { path, bytes: await sizeOfFile(path), isElsewhere: path !== here, ...said };
      }),
    );
  },
  removeCopy: removeNoted,
  async compactCopy({ folder, out, isDry, keepsBackup, signal }) {
    const path = placeOf(homeDir, { folder, out });
    if (copies.read(path) === undefined) throw noCopy();
    const before = (await stat(path)).size;
    if (isDry) return { path, before, after: null };
    return { path, ...(await unlessGone(dirname(path), copies.compact(path, { keepsBackup, signal }))) };
  },
  async withCopy(folder, use) {
    const path = copyIn(folder);
    return copies.read(path) === undefined ? undefined : unlessGone(folder, copies.use(path, use));
  },
  async findCopy(folder) {
    const path = copyIn(folder);
    const meta = copies.read(path);
    return meta === undefined ? undefined : { path, bytes: (await stat(path)).size, builtAt: meta["builtAt"] ?? "" };
  },
});

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

/** Beside the index it is a copy of, so that both go together. */
const copyIn = (folder: string): string => join(folder, "copy.sqlite");

const placeOf = (homeDir: string, { folder, out }: { folder: string; out?: string | undefined }): string =>
  out === undefined ? copyIn(folder) : confinedPath(homeDir, out, "file");

/** Another server with the same home may remove an index whose copy this one has in hand. */
async function unlessGone<T>(folder: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (await isFolderThere(folder)) throw error;
    throw new Refusal("NO_INDEX", "The index was removed meanwhile.");
  }
}

const noCopy = (): Refusal =>
  new Refusal("NO_INDEX", "The repository has no SQLite copy of its index yet.", nextStep("buildCopy"));
