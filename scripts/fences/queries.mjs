import { walk } from "../steps/syntax.mjs";
import { roleOf } from "./nouns.mjs";

/** What begins a change in the query builder, and `run`, which executes one. */
const changing = ["insertInto", "updateTable", "deleteFrom", "replaceInto", "mergeInto", "run", "save"];

const changingSql = /\b(insert|update|delete|merge|replace\s+into|truncate|create|alter|drop)\b/i;

/** Where a file of role queries changes what is stored: others may call it, so it must be safe to call. */
export function listChangesInQueries(path, { tree, lineOf }) {
  if (roleOf(path) !== "queries") return [];
  const fence = "a file of role queries reads and never writes";
  const found = [];
  for (const node of walk(tree)) {
    const add = (what) => found.push({ line: lineOf(node), what, fence });
    if (node.type === "ImportDeclaration") for (const name of listWriters(node)) add(name);
    if (node.type === "MemberExpression" && changing.includes(memberOf(node))) add(memberOf(node));
    if (isSql(node) && changingSql.test(statementOf(node))) add("sql");
  }
  return found;
}

/** Storage's own helpers that write. */
function listWriters({ source, specifiers }) {
  if (!source.value.includes("/storage/")) return [];
  return specifiers.map(({ local, imported }) => imported?.name ?? local.name).filter((name) => writing.test(name));
}

const writing = /^(add|guard|save)/;

const memberOf = (node) => node.property.name ?? node.property.value;

const isSql = (node) =>
  node.type === "CallExpression" && node.callee.type === "MemberExpression" && memberOf(node.callee) === "sql";

/** The fixed parts of a statement; a text that cannot be seen counts as a change. */
function statementOf({ arguments: [text] }) {
  if (text?.type === "Literal") return String(text.value);
  return text?.type === "TemplateLiteral" ? text.quasis.map((part) => part.value.cooked).join(" ") : "update";
}
