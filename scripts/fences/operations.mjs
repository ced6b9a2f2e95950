import { posix } from "node:path";
import { roleOf } from "./nouns.mjs";

/**
 * Where an operations file hands a store or queries on as its own: whoever wants to read imports the queries, and
 * nobody but its noun uses a store.
 */
export function listPassages(path, { tree, lineOf }) {
  if (roleOf(path) !== "operations") return [];
  const sources = listSources(path, tree);
  const found = [];
  for (const node of tree.body.filter(({ type }) => type.startsWith("Export"))) {
    const add = (what, fence) => found.push({ line: lineOf(node), what, fence });
    for (const name of listReExported(node, path, sources)) add(name, "operations do not re-export stores or queries");
    for (const { id, init } of listDeclared(node)) {
      if (isPassage(init, sources)) add(id.name, "an operation does more than call its store or queries");
    }
  }
  return found;
}

const isData = (target) => ["store", "queries"].includes(roleOf(target));

const resolve = (path, source) => posix.normalize(posix.join(posix.dirname(path), source));

/** Names that a file has from stores and queries. */
function listSources(path, tree) {
  const imports = tree.body.filter(({ type }) => type === "ImportDeclaration");
  const ofData = imports.filter(({ source }) => isData(resolve(path, source.value)));
  return new Set(ofData.flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name)));
}

function listReExported(node, path, sources) {
  if (node.source) return isData(resolve(path, node.source.value)) ? [resolve(path, node.source.value)] : [];
  return (node.specifiers ?? []).map(({ local }) => local.name).filter((name) => sources.has(name));
}

function listDeclared({ declaration }) {
  if (declaration?.type === "FunctionDeclaration") return [{ id: declaration.id, init: declaration }];
  return declaration?.type === "VariableDeclaration" ? declaration.declarations : [];
}

/** The function itself under another name, or one that calls it with nothing but what it was given. */
function isPassage(init, sources) {
  if (init?.type === "Identifier") return sources.has(init.name);
  if (!["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"].includes(init?.type)) return false;
  const call = onlyValue(init.body);
  if (call?.type !== "CallExpression" || !sources.has(call.callee.name)) return false;
  const given = new Set(init.params.map((param) => (param.type === "AssignmentPattern" ? param.left : param).name));
  return call.arguments.every((argument) => isGiven(argument, given));
}

function onlyValue(body) {
  if (body.type !== "BlockStatement") return withoutAwait(body);
  const [statement, ...others] = body.body;
  return others.length > 0 ? undefined : withoutAwait(statement?.argument ?? statement?.expression);
}

const withoutAwait = (node) => (node?.type === "AwaitExpression" ? node.argument : node);

const isGiven = (node, given) =>
  node.type === "Identifier"
    ? given.has(node.name)
    : node.type === "MemberExpression" && node.property.name === "db" && given.has(node.object.name);
