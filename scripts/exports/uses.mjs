import { posix } from "node:path";
import { entries } from "../steps/bundle.mjs";
import { textOf, walk } from "../steps/syntax.mjs";

/** Stands for every export of a file. */
export const everything = "*";

/**
 * What a file takes from others: `target` is a file of the tree, `name` one of its exports. What is loaded as a whole
 * and handed on counts as taking everything. The built program is read as its source.
 */
export function listUses(path, { tree }) {
  const nodes = walk(tree);
  const lazy = lazyNames(nodes);
  return nodes.flatMap((node) => {
    const names = namesTaken(node, lazy);
    const target = names && resolveTarget(path, textOf(node.source ?? node.arguments?.[0]));
    return target === undefined ? [] : names.map((name) => ({ target, name }));
  });
}

function namesTaken(node, lazy) {
  switch (node.type) {
    case "ImportDeclaration":
      return node.specifiers.map(importedName);
    case "ExportNamedDeclaration":
      return node.source ? node.specifiers.map(({ local }) => local.name ?? local.value) : undefined;
    case "ExportAllDeclaration":
      return [everything];
    case "ImportExpression":
      return lazy.get(node) ?? [everything];
    case "CallExpression":
      return ["require", "load"].includes(node.callee.name) ? [everything] : undefined;
    case "TSImportType":
      return [node.qualifier?.name ?? everything];
    default:
      return undefined;
  }
}

function importedName({ type, imported }) {
  if (type === "ImportDefaultSpecifier") return "default";
  return type === "ImportSpecifier" ? (imported.name ?? imported.value) : everything;
}

/** Of an `import()`: the names it is taken apart into on the spot, or that are given along with it. */
function lazyNames(nodes) {
  const found = new Map();
  const keep = (node, names) => {
    if (node?.type === "ImportExpression" && names) found.set(node, names);
  };
  for (const node of nodes) {
    if (node.type === "VariableDeclarator") {
      keep(awaited(node.init), keysOf(node.id));
      for (const [index, part] of partsOf(node.init).entries()) keep(part, keysOf(node.id.elements?.[index]));
    }
    if (node.type === "MemberExpression" && !node.computed) keep(awaited(node.object), [node.property.name]);
    if (node.type === "CallExpression") {
      const words = node.arguments.map(textOf).filter((word) => word !== undefined);
      for (const argument of node.arguments) if (words.length > 0) keep(returned(argument), words);
    }
  }
  return found;
}

const awaited = (node) => (node?.type === "AwaitExpression" ? node.argument : undefined);
const returned = (node) => (node.type === "ArrowFunctionExpression" ? node.body : undefined);

/** The members of `await Promise.all([…])`. */
const partsOf = (node) => awaited(node)?.arguments?.[0]?.elements ?? [];

const keysOf = (pattern) =>
  pattern?.type === "ObjectPattern" ? pattern.properties.map((part) => part.key?.name ?? everything) : undefined;

function resolveTarget(path, specifier) {
  if (specifier === undefined || !specifier.startsWith(".")) return undefined;
  const target = posix.normalize(posix.join(posix.dirname(path), specifier));
  const [, entry = ""] = /^dist\/program\/([\w-]+)\.js$/.exec(target) ?? [];
  return entries[entry] ?? target.replace(/^dist\/(.*)\.js$/, "src/$1.ts");
}

/**
 * Scripts load parts of the built program under paths that they put together. Such a file takes what it names of the
 * files whose paths end as one of its texts does.
 */
export function listGuesses({ tree }, files) {
  const nodes = walk(tree);
  const texts = nodes.map(textOf).filter((text) => text !== undefined && /^[\w./-]+$/.test(text));
  const endings = new Set(texts.map((text) => `/${text.replace(/\.[jt]sx?$/, "")}`));
  const targets = files.filter((path) => endingsOf(path).some((ending) => endings.has(ending)));
  const names = [...new Set(nodes.filter((node) => node.type === "Identifier").map((node) => node.name))];
  return targets.flatMap((target) => names.map((name) => ({ target, name })));
}

/** `/a/b`, `/b` for `src/a/b.ts`. */
function endingsOf(path) {
  const parts = path.replace(/\.tsx?$/, "").split("/");
  return parts.map((_, index) => `/${parts.slice(index).join("/")}`);
}
