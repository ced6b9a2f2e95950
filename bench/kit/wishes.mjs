import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeCorpus } from "../../scripts/overlap/corpus.mjs";
import { root } from "../../scripts/steps/root.mjs";

/** Titles and descriptions that nobody has asked for before, made of the words that trackers use. */
export function makeWishes(count) {
  const table = JSON.parse(readFileSync(join(root, "src/domain/overlap/engine/background.generated.json"), "utf8"));
  const words = table.lines.flatMap((line) => line.split(" ").slice(1));
  const corpus = makeCorpus(count, [], words).values();
  return () => {
    const { title: wanted, description } = corpus.next().value;
    return { title: wanted, description, task_type: "feature" };
  };
}
