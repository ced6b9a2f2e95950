import { textOf, walk } from "../steps/syntax.mjs";
import { roleOf } from "./nouns.mjs";

const isTool = (path) => path.startsWith("src/tools/");
const isVoice = (path) => /^src\/tools\/(.*\/)?voice\//.test(path);

/** What a file under src/tools does that belongs into an operation. */
export function listToolFaults(path, { tree, lineOf }, imports) {
  if (!isTool(path)) return [];
  const operations = operationsIn(tree, lineOf, imports);
  return [
    ...listRecords(tree, lineOf),
    ...(isVoice(path)
      ? [...operations].map(([what, line]) => ({ line, what, fence: "a voice calls no operation" }))
      : listOrchestrations(tree, lineOf, operations)),
  ];
}

/** The values that a file imports from operations, each with its line; types call nothing. */
function operationsIn(tree, lineOf, imports) {
  const found = new Map();
  for (const node of tree.body.filter(({ type }) => type === "ImportDeclaration")) {
    const wanted = imports.find(({ line, specifier }) => line === lineOf(node) && specifier === node.source.value);
    if (node.importKind === "type" || roleOf(wanted?.target ?? "") !== "operations") continue;
    for (const one of node.specifiers.filter(({ importKind }) => importKind !== "type")) {
      found.set(one.local.name, lineOf(one));
    }
  }
  return found;
}

/** Whether somebody records an event: only operations know what has happened. */
function* listRecords(tree, lineOf) {
  const fence = "tools record no events";
  for (const node of walk(tree)) {
    const isCall = node.type === "CallExpression" && node.callee.type === "MemberExpression";
    if (isCall && node.callee.property.name === "record" && node.callee.object.name !== "z") {
      yield { line: lineOf(node), what: "record", fence };
    }
    if (node.type === "ObjectPattern" && node.properties.some(({ key }) => key?.name === "record")) {
      yield { line: lineOf(node), what: "record", fence };
    }
  }
}

/** Tools that change something in more than one step: what belongs together is one operation. */
function* listOrchestrations(tree, lineOf, operations) {
  for (const node of walk(tree)) {
    if (node.type !== "CallExpression" || node.callee.name !== "defineTool") continue;
    const [spec] = node.arguments;
    const field = (name) => spec?.properties?.find(({ key }) => key?.name === name)?.value;
    if (field("effect") === undefined || textOf(field("effect")) === "read") continue;
    const called = [...reachedFrom(field("handle"), tree)].filter((name) => operations.has(name));
    if (called.length > 1) {
      yield {
        line: lineOf(field("handle")),
        what: called.sort().join(", "),
        fence: "a changing tool calls one operation",
      };
    }
  }
}

/** Every name that a function uses, by itself or through functions of its own file. */
function reachedFrom(start, tree) {
  const own = new Map(tree.body.flatMap((node) => declared(node.declaration ?? node)));
  const reached = new Set();
  const follow = (node) => {
    for (const name of namesIn(node)) {
      if (reached.has(name)) continue;
      reached.add(name);
      if (own.has(name)) follow(own.get(name));
    }
  };
  follow(start);
  return reached;
}

function declared(node) {
  if (node?.type === "FunctionDeclaration") return [[node.id.name, node]];
  return node?.type === "VariableDeclaration" ? node.declarations.map((one) => [one.id.name, one.init]) : [];
}

/** Names that stand for values: neither what a dot leads to nor the key of a field. */
function* namesIn(node) {
  if (Array.isArray(node)) {
    for (const child of node) yield* namesIn(child);
  } else if (node !== null && typeof node === "object") {
    if (node.type === "Identifier") yield node.name;
    for (const [key, child] of Object.entries(node)) {
      const isLabel = !node.computed && (key === "property" || (key === "key" && !node.shorthand));
      if (!isLabel) yield* namesIn(child);
    }
  }
}

/** The names of all tools of a tree, of which the domain knows none. */
export function toolNamesIn(tree) {
  const names = [];
  for (const node of walk(tree)) {
    if (node.type !== "CallExpression" || !["defineTool", "defineDoor"].includes(node.callee.name)) continue;
    const name = textOf(node.arguments[0]?.properties?.find(({ key }) => key?.name === "name")?.value);
    // A single word is an ordinary word too.
    if (name?.includes("_")) names.push(name);
  }
  return names;
}

/** Where a file of the domain names a tool: it does not know by which of them it is called. */
export function listToolsNamed(path, { tree, lineOf }, names) {
  if (!path.startsWith("src/domain/") || names.length === 0) return [];
  // After a dot stands the name of an event.
  const pattern = new RegExp(`(?<![\\w.])(?:${names.join("|")})(?!\\w)`);
  const found = [];
  for (const node of walk(tree)) {
    const text = node.type === "TemplateElement" ? node.value.cooked : textOf(node);
    const [name] = (text && pattern.exec(text)) ?? [];
    if (name) found.push({ line: lineOf(node), what: name, fence: "the domain names no tool; give a next step a key" });
  }
  return found;
}
