import type { LookedAt } from "./git-repository.ts";

/** How many bytes each of these blobs has; what the repository lacks, or what is no blob, is left out. */
export async function readSizes(repository: LookedAt, ids: readonly string[]): Promise<Map<string, number>> {
  const wanted = [...new Set(ids)].filter(isId);
  if (wanted.length === 0) return new Map();
  const { text } = await repository.run(["cat-file", "--batch-check"], [128], inLines(wanted));
  return new Map(
    text.split("\n").flatMap((line) => {
      const [id = "", type, size] = line.split(" ");
      return type === "blob" ? [[id, Number(size)] as const] : [];
    }),
  );
}

/** The contents of blobs that are there. */
export async function readBlobs(repository: LookedAt, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(ids)].filter(isId);
  const blobs = new Map<string, Buffer>();
  if (wanted.length === 0) return blobs;
  const { stdout } = await repository.run(["cat-file", "--batch"], [128], inLines(wanted));
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf("\n", at);
    if (end === -1) break;
    const [id = "", type, size] = stdout.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (size === undefined) continue;
    const after = at + Number(size);
    if (type === "blob" && after < stdout.length) blobs.set(id, stdout.subarray(at, after));
    at = after + 1;
  }
  return blobs;
}

/** An id and nothing else: what is asked for by its id cannot be an option, a path or an expression. */
export const isId = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

const inLines = (ids: readonly string[]): string => `${ids.join("\n")}\n`;
