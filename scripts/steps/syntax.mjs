import { parseAst } from "rolldown/parseAst";
import { parseSync } from "rolldown/utils";

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

const walked = new WeakMap();

/** Every node of a tree, parents first. A dozen fences ask for those of the same file, so the list is kept with the tree. */
export function walk(tree) {
  let nodes = walked.get(tree);
  if (nodes === undefined) {
    nodes = [];
    gather(tree, nodes);
    walked.set(tree, nodes);
  }
  return nodes;
}

function gather(node, nodes) {
  if (Array.isArray(node)) {
    for (const child of node) gather(child, nodes);
  } else if (node !== null && typeof node === "object") {
    if (typeof node.type === "string") nodes.push(node);
    for (const key in node) gather(node[key], nodes);
  }
}

/** The text of a string or of a template without values; undefined for anything else. */
export function textOf(node) {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}
