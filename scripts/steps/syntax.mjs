import { parseAst, parseSync } from "vite";

/** The syntax tree of a TypeScript file, with the line of any place in it. */
export function parseSource(text, path) {
  const tree = parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" });
  return { tree, lineOf: linesOf(text) };
}

/** The comments of a file of code or styles, with the line of any place in one of them. */
export function listComments(text, path) {
  const lineOf = linesOf(text);
  const found = path.endsWith(".css") ? styleComments(text) : parseSync(path, text).comments;
  return found.map(({ value, start }) => ({ text: value, lineAt: (index) => lineOf({ start: start + 2 + index }) }));
}

const styleComments = (text) =>
  [...text.matchAll(/\/\*([\s\S]*?)\*\//g)].map((match) => ({ value: match[1], start: match.index }));

function linesOf(text) {
  const lineStarts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return (node) => {
    const next = lineStarts.findIndex((start) => start > node.start);
    return next === -1 ? lineStarts.length : next;
  };
}

/** Every node of a tree, parents first. */
export function* walk(node) {
  if (Array.isArray(node)) {
    for (const child of node) yield* walk(child);
  } else if (node !== null && typeof node === "object") {
    if (typeof node.type === "string") yield node;
    for (const child of Object.values(node)) yield* walk(child);
  }
}

/** The text of a string or of a template without values; undefined for anything else. */
export function textOf(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}
