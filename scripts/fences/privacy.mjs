import { textOf, walk } from "../steps/syntax.mjs";
import { roomOf } from "./rooms.mjs";

/** Whose business it is who is private: the noun that says so, the words it is stored and sent in, and the accounts. */
const isAtHome = (path) =>
  /^src\/(domain\/person|storage|testing|dashboard)\/|^src\/contract\/caller\.ts$/.test(path) || isAccount(path);

/** Tools that administer accounts show people to their owner and to themselves (ID15). */
const isAccount = (path) => /^src\/tools\/person\/(person\/|voice\/people\.ts$)/.test(path);

const privateWords = ["isPrivate", "privateName"];
const privateMark = "@private";

/** Where a file decides by itself what may be seen of whom, instead of asking the viewer. */
export function listIndiscretions(path, { tree, lineOf }, imports) {
  if (isAtHome(path)) return [];
  const found = [];
  const add = (line, what, fence) => found.push({ line, what, fence });
  const isTool = roomOf(path) === "tools";
  const asked = isTool ? listAsked(tree) : new Set();
  for (const node of walk(tree)) {
    const word = privateWordOf(node);
    if (word) add(lineOf(node), word, "who is private is asked of the viewer (src/domain/person/viewer-model.ts)");
    if (isTool && isForeignId(node, asked)) {
      add(lineOf(node), nameOf(node), "a tool says whose something is through the viewer, and never by id");
    }
  }
  for (const { line, target, names } of isTool ? imports : []) {
    if (
      target === "src/domain/person/queries.ts" ||
      (target === "src/domain/person/model.ts" && names.includes("Developer"))
    )
      add(line, target, "only the tools of accounts read developers; others ask the viewer");
  }
  return found;
}

/** A word that says who is private; one's own caller may be asked. */
function privateWordOf(node) {
  if (node.type === "MemberExpression" && privateWords.includes(nameOf(node))) {
    return isCaller(node.object) ? undefined : nameOf(node);
  }
  if (node.type === "Property" && privateWords.includes(keyOf(node))) return keyOf(node);
  if (node.type === "ImportSpecifier" && privateWords.includes(node.imported.name)) return node.imported.name;
  return textOf(node) === privateMark ? privateMark : undefined;
}

/** The id of a developer other than the caller that is read, and not to ask the viewer about. */
function isForeignId(node, asked) {
  if (node.type === "MemberExpression") return isId(nameOf(node)) && !isCaller(node.object) && !asked.has(node);
  return node.type === "Property" && isTaken(node) && isId(keyOf(node)) && !asked.has(node);
}

const isId = (name) => /^(developerId|\w+DeveloperId|developer_id)$/.test(name ?? "");

/** Places that are about the caller, or are what a viewer is asked about. */
function listAsked(tree) {
  const asked = new Set();
  for (const node of walk(tree)) {
    if (node.type === "CallExpression" && isViewer(node.callee.object))
      for (const one of node.arguments) asked.add(one);
    if (node.type === "VariableDeclarator" && node.id.type === "ObjectPattern" && isCaller(node.init)) {
      for (const one of node.id.properties) asked.add(one);
    }
    if (node.type === "ObjectExpression") for (const one of node.properties) asked.add(one);
  }
  return asked;
}

/** Part of a pattern, which takes it out of a record; those of an object that is written are in `asked`. */
const isTaken = (node) => node.kind === "init" && node.value.type !== "ObjectPattern";

const isCaller = (node) => lastNameOf(node) === "caller";
const isViewer = (node) => lastNameOf(node) === "viewer";

const lastNameOf = (node) =>
  node?.type === "Identifier" ? node.name : node?.type === "MemberExpression" ? nameOf(node) : undefined;

const nameOf = (node) => node.property?.name ?? node.property?.value ?? keyOf(node);
const keyOf = (node) => node.key?.name ?? node.key?.value;
