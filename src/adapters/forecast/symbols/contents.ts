import type { Repository } from "../../git/repository.ts";
import { limits } from "../limits.ts";

/** The contents of many objects in one process. What is missing, too large or no text is not in the answer. */
export async function readContents(repository: Repository, oids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const some of await inPortions(repository, oids)) {
    const { stdout } = await repository.git(["cat-file", "--batch"], { input: some.map((oid) => `${oid}\n`).join("") });
    for (const [oid, content] of readBatch(stdout)) if (!content.includes(0)) found.set(oid, content.toString("utf8"));
  }
  return found;
}

const portionBytes = 64 * 1024 * 1024;

/** What is too large is not even fetched. */
async function inPortions(repository: Repository, oids: readonly string[]): Promise<string[][]> {
  if (oids.length === 0) return [];
  const input = oids.map((oid) => `${oid}\n`).join("");
  const { text } = await repository.git(["cat-file", "--batch-check=%(objecttype) %(objectname) %(objectsize)"], {
    input,
  });
  const portions: string[][] = [[]];
  let bytes = 0;
  for (const line of text.split("\n")) {
    const [type, oid = "", size] = line.split(" ");
    if (type !== "blob" || Number(size) > limits.symbolFile) continue;
    bytes += Number(size);
    if (bytes > portionBytes) {
      portions.push([]);
      bytes = Number(size);
    }
    portions.at(-1)?.push(oid);
  }
  return portions.filter((portion) => portion.length > 0);
}

function* readBatch(output: Buffer): Iterable<[oid: string, content: Buffer]> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const [oid = "", , size] = output.toString("latin1", at, end).split(" ");
    const from = end + 1;
    yield [oid, output.subarray(from, from + Number(size))];
    at = from + Number(size) + 1;
  }
}
