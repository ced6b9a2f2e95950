import type { FileOutcome } from "../parsed-file.ts";
import { grammarOf, isProse, languageOf } from "./languages.ts";
import { mostBytes } from "./limits.ts";
import { cutLines } from "./lines.ts";
import { cutProse } from "./prose.ts";
import { decodeText, SourceText } from "./source-text.ts";
import { parseCode } from "./syntax/parse-code.ts";

/** Reads a file's bytes into chunks and facts. What cannot be read is skipped as a whole, with the reason. */
export async function parseFile(path: string, bytes: Uint8Array): Promise<FileOutcome> {
  if (bytes.length > mostBytes) return { skipped: "larger than 5 MB" };
  const decoded = decodeText(bytes);
  if (!decoded) return { skipped: "binary" };
  const language = languageOf(path);
  const source = new SourceText(decoded, bytes.length);
  const grammar = grammarOf(path, language);
  if (grammar && !isPacked(source)) return parseCode(source, language, grammar);
  const chunks = isProse(language) ? cutProse(source, language) : cutLines(source, language);
  return { language, encoding: source.encoding, chunks, imports: [], words: [], facts: new Uint32Array(0) };
}

/** Code that a program has written on a few endless lines: its syntax tells nobody anything. */
const isPacked = ({ text, lineCount }: SourceText): boolean => text.length > 50_000 && text.length / lineCount > 500;
