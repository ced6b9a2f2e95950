import { parseSource, walk } from "./syntax.mjs";

/** Where strings stand that people or models read. */
export const spokenRooms = [
  "src/transports",
  "src/tools",
  "src/contract",
  "src/domain",
  "src/engine",
  "src/adapters",
  "src/companion",
  "src/dashboard",
  "bin",
  "scripts/start.mjs",
];

export const isSpoken = (path) => /\.(ts|tsx|js|mjs)$/.test(path);

/**
 * What somebody may get to read of a file of code, as it is written there: its strings of several words, with `…` for
 * each value in them, and its labels of one word. A class name is no label.
 */
export function listStrings(text, path) {
  const { tree, lineOf } = parseSource(text, path);
  const nodes = walk(tree);
  const unseen = new Set(nodes.filter(isUnseen).flatMap((node) => [...walk(node)]));
  return nodes
    .filter((node) => !unseen.has(node))
    .flatMap((node) => {
      const said = sayOf(node)?.replace(/\s+/g, " ").trim();
      return said !== undefined && isRead(said) ? [{ line: lineOf(node), said }] : [];
    });
}

const isUnseen = ({ type, name }) =>
  type === "ImportDeclaration" || (type === "JSXAttribute" && name?.name === "className");

function sayOf({ type, value, quasis }) {
  if (type === "TemplateLiteral") return quasis.map((part) => part.value.cooked).join("…");
  return (type === "Literal" || type === "JSXText") && typeof value === "string" ? value : undefined;
}

/** Keys, ids and words of the wire have no space and do not begin like a sentence. */
const isRead = (said) => /\p{L}/u.test(said) && (said.includes(" ") || /^\p{Lu}\p{Ll}+[.!?…:]?$/u.test(said));
