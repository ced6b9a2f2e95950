import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../steps/files.mjs";

/** `- **AG3** Sentence.` and nothing else: one form, so that nothing is missed. */
const rulePattern = /^- \*\*([A-Z]{2}\d+)\*\* \S.*[.!?)`]$/;
const almostRulePattern = /^\s*[-*+] +\*\*\s*[A-Z]{2}\d+/;

/** The rules of docs/spec, and the lines that look like one but are not. */
export function listRules(root) {
  const lines = listFiles(root, "docs/spec")
    .filter((path) => path.endsWith(".md") && !path.endsWith("/README.md"))
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .map((text, index) => ({ text, place: `${path}:${index + 1}`, id: rulePattern.exec(text)?.[1] })),
    );
  return {
    rules: lines.filter((line) => line.id !== undefined),
    faults: lines
      .filter((line) => line.id === undefined && almostRulePattern.test(line.text))
      .map((line) => `${line.place}  not in the form "- **AB1** Sentence."`),
  };
}
