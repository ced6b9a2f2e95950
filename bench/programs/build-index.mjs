/**
 * Builds an index in a process of its own, and tells what that took: memory is known by its highest mark, which another build
 * before it would have left. Then the part without syntax alone: chunks by line, their words, trigrams.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuOf, fromBuild, openIndex, watch } from "../kit/codeindex.mjs";

const [home, repository] = process.argv.slice(2);
const index = await openIndex(home);
const built = await cpuOf(() =>
  index.ports.build({ repository: { root: repository, main: repository }, isFromScratch: false }, watch),
);
await index.close();
const rss = process.resourceUsage().maxRSS * 1e3;
const lexical = await cpuOf(indexWords);
const { files, bytes } = built.value;
const lexicalRate = lexical.value / lexical.cpuMs;
process.stdout.write(JSON.stringify({ files, bytes, cpuMs: built.cpuMs, rss, lexicalRate }));

/** Answers how many bytes were read. */
async function indexWords() {
  const [{ cutLines }, { decodeText, SourceText }, { languageOf }, { SegmentBuilder }] = await Promise.all([
    fromBuild("codeindex", "parse", "lines.js"),
    fromBuild("codeindex", "parse", "source-text.js"),
    fromBuild("codeindex", "parse", "languages.js"),
    fromBuild("codeindex", "segment", "builder.js"),
  ]);
  let builder = new SegmentBuilder({ isLarge: true });
  let size = 0;
  const paths = execFileSync("git", ["ls-files", "-z"], { cwd: repository, maxBuffer: 2 ** 28 })
    .toString()
    .split("\0");
  for (const path of paths) {
    const place = join(repository, path);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > 5 * 1024 * 1024) continue;
    const bytes = readFileSync(place);
    const decoded = decodeText(bytes);
    if (!decoded) continue;
    const language = languageOf(path);
    const chunks = cutLines(new SourceText(decoded, bytes.length), language);
    const parsed = { language, encoding: decoded.encoding, chunks, imports: [], words: [], facts: new Uint32Array(0) };
    builder.add({ key: path, bytes, text: decoded.text, parsed });
    size += bytes.length;
    if (builder.size < 24 * 1024 * 1024) continue;
    builder.finish();
    builder = new SegmentBuilder({ isLarge: true });
  }
  builder.finish();
  return size / 1e3;
}
