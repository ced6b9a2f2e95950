import { posix } from "node:path";
import { textOf, walk } from "../steps/syntax.mjs";

/**
 * Everything a file asks for by name: imports, re-exports, `import()` and `import("…")` in types.
 * `target` is the path of a file below the root, or the package's name; `undefined` when it cannot be known.
 * Only `import type` is gone after compilation: of `import { type A }` an empty import stays, which runs the file.
 */
export function listImports(path, { tree, lineOf }) {
  const found = [];
  const add = (node, source, isType, names = []) => {
    const specifier = textOf(source);
    found.push({ line: lineOf(node), specifier, target: resolveTarget(path, specifier), isType, names });
  };
  for (const node of walk(tree)) {
    if (node.type === "ImportDeclaration") add(node, node.source, node.importKind === "type", importedNames(node));
    else if (isReExport(node)) add(node, node.source, node.exportKind === "type");
    else if (node.type === "ImportExpression") add(node, node.source, false, ["*"]);
    else if (node.type === "TSImportType") add(node, node.source, true);
  }
  return found;
}

const isReExport = (node) =>
  node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node.source !== null);

const importedNames = (node) =>
  node.specifiers.map((specifier) =>
    specifier.type === "ImportSpecifier" ? (specifier.imported.name ?? specifier.imported.value) : "*",
  );

function resolveTarget(path, specifier) {
  if (specifier === undefined) return undefined;
  if (specifier.startsWith(".")) return posix.normalize(posix.join(posix.dirname(path), specifier));
  if (specifier.startsWith("node:")) return specifier;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
