import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../steps/files.mjs";
import { parseSource, walk } from "../steps/syntax.mjs";

const citedPattern = /^\[([A-Z]{2}\d+(?:, ?[A-Z]{2}\d+)*)\]/;
const tablePattern = /^\[\$rule\]/;
const rulePattern = /^[A-Z]{2}\d+$/;

/** Every rule id in the title of a test. A test that is skipped cites its rule but does not prove it. */
export function listCitations(root) {
  return listFiles(root, "tests")
    .filter((path) => /\.test\.tsx?$/.test(path))
    .flatMap((path) => citationsOf(path, parseSource(readFileSync(join(root, path), "utf8"), path)));
}

function citationsOf(path, { tree, lineOf }) {
  const nodes = walk(tree);
  const titles = nodes
    .filter((node) => node.type === "CallExpression")
    .map(titleOf)
    .filter(Boolean);
  const fromTitles = titles.flatMap(({ text, node, isProof }) =>
    (citedPattern.exec(text)?.[1].split(/, ?/) ?? []).map((id) => ({ id, node, isProof })),
  );
  const fromTables = titles.some(({ text }) => tablePattern.test(text)) ? nodes.flatMap(ruleColumnOf) : [];
  return [...fromTitles, ...fromTables].map(({ id, node, isProof }) => ({
    id,
    isProof,
    place: `${path}:${lineOf(node)}`,
  }));
}

/** A value inside a template is written like a column of a table, `$rule`. */
function titleOf(call) {
  const title = call.arguments[0];
  const text =
    title?.type === "TemplateLiteral" ? title.quasis.map((part) => part.value.cooked).join("$rule") : title?.value;
  return typeof text === "string" ? { text, node: title, isProof: !isSkipped(call.callee) } : undefined;
}

/** `test.skip(…)`, `test.todo(…)` and what is built on them, such as `test.skip.each(…)(…)`. */
function isSkipped(callee) {
  if (callee?.type === "CallExpression") return isSkipped(callee.callee);
  if (callee?.type !== "MemberExpression") return false;
  return ["skip", "todo"].includes(callee.property.name) || isSkipped(callee.object);
}

/** The column `rule` of a table whose rows fill the title `[$rule] …`. */
function ruleColumnOf(node) {
  if (node.type !== "Property" || node.key.name !== "rule") return [];
  return rulePattern.test(node.value.value ?? "") ? [{ id: node.value.value, node: node.value, isProof: true }] : [];
}
