import { walk } from "../steps/syntax.mjs";
import { roleOf } from "./nouns.mjs";
import { roomOf } from "./rooms.mjs";

/**
 * Where a value is said to be an id or a stored word instead of being known to be one. Rows are typed with both; text
 * from elsewhere is parsed (`TaskId.parse`) or recognised (`isIdOf`).
 */
export function listAssertions(path, { tree, lineOf }) {
  if (!["domain", "engine", "tools"].includes(roomOf(path))) return [];
  const isOfRows = ["store", "queries"].includes(roleOf(path));
  const found = [];
  for (const node of walk(tree)) {
    if (node.type !== "TSAsExpression") continue;
    const add = (fence) => found.push({ line: lineOf(node), what: "as", fence });
    if (namesIn(node.typeAnnotation).some((name) => /[a-z]Id$/.test(name)) && !isParsed(node.expression))
      add("an id is read from a row, parsed or recognised, never asserted");
    else if (isOfRows && isPlain(node)) add("columns have the types of what they hold; nothing is asserted of them");
  }
  return found;
}

const namesIn = (type) => walk(type).flatMap((node) => (node.type === "Identifier" ? [node.name] : []));

/** JSON text holds what was written into it: reading it is an edge. */
const isParsed = (node) => node.type === "CallExpression" && node.callee.object?.name === "JSON";

const isPlain = ({ expression, typeAnnotation }) =>
  ["Identifier", "MemberExpression"].includes(expression.type) && namesIn(typeAnnotation)[0] !== "const";
