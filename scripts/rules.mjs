/**
 * Holds the numbered rules, the tests and the comments together: every rule of docs/spec is cited by a test that runs,
 * and every id that a test or a comment cites exists. `--root DIR` looks at another tree.
 */
import { listCitations } from "./rules/citations.mjs";
import { listCommentCitations } from "./rules/comments.mjs";
import { listRules } from "./rules/spec.mjs";
import { readRootOption } from "./steps/root.mjs";

const root = readRootOption();
const { rules, faults } = listRules(root);
const citations = listCitations(root);
const known = new Set(rules.map((rule) => rule.id));
const proven = new Set(citations.filter((citation) => citation.isProof).map((citation) => citation.id));

const problems = [
  ...faults,
  ...listDuplicates(),
  ...rules.filter(({ id }) => !proven.has(id)).map(({ place, id }) => `${place}  ${id} has no test`),
  ...[...citations, ...listCommentCitations(root)]
    .filter(({ id }) => !known.has(id))
    .map(({ place, id }) => `${place}  ${id} is not a rule of docs/spec`),
];
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? `${known.size} rules, each with a test` : `${problems.length} to settle`);
process.exitCode = problems.length === 0 ? 0 : 1;

function listDuplicates() {
  const first = new Map();
  return rules.flatMap(({ id, place }) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, place);
    return before === undefined ? [] : [`${place}  ${id} was given out before, at ${before}`];
  });
}
