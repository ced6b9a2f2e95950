/** Answers searches of an index in a process of its own, and tells what the first one and all of them together took. */
import { cpuOf, openIndex, searchAsk, watch } from "../kit/codeindex.mjs";

const [home, repository, ...words] = process.argv.slice(2);
const first = await cpuOf(async () => {
  const index = await openIndex(home);
  await index.ports.search(searchAsk(repository, words[0]), watch);
  return index;
});
const ask = (query, more) => first.value.ports.search(searchAsk(repository, query, more), watch);
for (const word of words) {
  await ask(`"${word}("`);
  await ask(`${word} return`, { modes: ["code"], filters: { type: "function,method" } });
}
await ask(`${words.join(" ")}\nreturn`);
process.stdout.write(
  JSON.stringify({ firstMs: first.wallMs, firstCpuMs: first.cpuMs, rss: process.memoryUsage.rss() }),
);
await first.value.close();
