import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../steps/files.mjs";
import { listComments } from "../steps/syntax.mjs";

/** One letter too: ids of that form belong to documents that are not here, so a reader cannot follow them. */
const idPattern = /\b[A-Z]{1,2}\d+\b/g;

/** Every rule id in a comment. What stands in backticks is code and cites nothing. */
export function listCommentCitations(root) {
  return ["src", "scripts", "bench", "tests", "bin"]
    .flatMap((folder) => listFiles(root, folder))
    .filter((path) => /\.(tsx?|m?js|css)$/.test(path))
    .flatMap((path) => citationsOf(path, readFileSync(join(root, path), "utf8")));
}

function citationsOf(path, text) {
  if (text.search(idPattern) === -1) return [];
  return listComments(text, path).flatMap((comment) =>
    [...withoutCode(comment.text).matchAll(idPattern)].map((match) => ({
      id: match[0],
      place: `${path}:${comment.lineAt(match.index)}`,
    })),
  );
}

/** Blanks of the same length in its place, so that the rest keeps its lines. */
const withoutCode = (text) => text.replaceAll(/`[^`\n]*`/g, (code) => " ".repeat(code.length));
