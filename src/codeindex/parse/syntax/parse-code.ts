import { type Chunk, flagFacts, type ParsedFile } from "../../parsed-file.ts";
import { makeChunk } from "../chunk.ts";
import { readDoc, saysSomething } from "../comments.ts";
import { FactBook } from "../fact-book.ts";
import { answersOf, type Grammar, type Language } from "../languages.ts";
import type { SourceText } from "../source-text.ts";
import { type Capture, type Definition, findDefinitions } from "./definitions.ts";
import { gatherFacts, type Tally } from "./facts.ts";
import { type LoadedGrammar, loadGrammar } from "./grammar.ts";
import { cutPieces, type Piece } from "./pieces.ts";
import type { Syntax } from "./syntax.ts";

/** Chunks along the syntax of a file, with the facts of each. */
export async function parseCode(source: SourceText, language: Language, grammar: Grammar): Promise<ParsedFile> {
  const loaded = await loadGrammar(grammar);
  const captures = runQuery(source, loaded);
  const pieces = cutPieces(source, findDefinitions(source, captures));
  const answers = answersOf(language);
  const book = new FactBook(answers);
  const { tallies, imports } = gatherFacts({ source, syntax: loaded.syntax, captures, pieces, book });
  const describe = describeWith(source, loaded.syntax, book);
  const hasCounts = answers.has("branches");
  const code = pieces.map((piece, at) =>
    toChunk(source, piece, { ...describe(piece, at), tally: tallies[at], hasCounts }),
  );
  const chunks = [...code, ...extractProse(source, captures, code)];
  return { language, encoding: source.encoding, chunks, imports, words: book.words, facts: book.toFacts() };
}

/** What the query names, in the order of the text, outer ones first, a definition before its parts. */
function runQuery(source: SourceText, { parser, query }: LoadedGrammar): readonly Capture[] {
  const tree = parser.parse(source.text);
  if (!tree) throw new Error("the parser gave no tree");
  try {
    const found = query
      .captures(tree.rootNode)
      .map(({ name, node }) => ({ name, start: node.startIndex, end: node.endIndex, row: node.startPosition.row }));
    return found.sort((a, b) => a.start - b.start || b.end - a.end || rankOf(a.name) - rankOf(b.name));
  } finally {
    tree.delete();
  }
}

/** Of two captures of one node: what encloses first, and data only where it is nothing better. */
const rankOf = (name: string): number => {
  if (name === "wrap") return 0;
  if (name === "d.data") return 2;
  return name.startsWith("d.") ? 1 : 3;
};

interface Described {
  readonly kind: Chunk["kind"];
  readonly name: string;
  readonly signature: string;
  readonly docs: readonly number[];
  readonly header: string;
  readonly nameLine: number;
}

function toChunk(
  source: SourceText,
  piece: Piece,
  { tally, hasCounts, ...described }: Described & { readonly tally: Tally | undefined; readonly hasCounts: boolean },
): Chunk {
  const flags = [/\basync\b/.test(described.signature), tally?.yields ?? false, tally?.returns ?? false];
  const chunk = makeChunk(source, {
    ...piece,
    ...described,
    mode: "code",
    counts: hasCounts ? tally?.counts : undefined,
    flags: flagFacts.reduce((bits, _, at) => bits | (flags[at] ? 1 << at : 0), 0),
  });
  if (!chunk) throw new Error("a piece without a line");
  return chunk;
}

/** Also tells the book what the signature alone shows. */
function describeWith(source: SourceText, syntax: Syntax, book: FactBook): (piece: Piece, at: number) => Described {
  const known = new Map<Definition, Described>();
  return ({ definition, first }, at) => {
    if (!definition || definition.kind === "scope") {
      const header = headerOf(source, definition ? [definition, ...ancestorsOf(definition)] : []);
      return { kind: "file", name: "", signature: "", docs: [], header, nameLine: first };
    }
    const described = known.get(definition) ?? describe(source, definition);
    known.set(definition, described);
    const { name, signature } = described;
    const visibility = syntax.visibility?.({ name, signature, isMember: isMember(definition) });
    if (visibility !== undefined && described.kind !== "data") book.add(at, "visibility", visibility);
    return described;
  };
}

function describe(source: SourceText, definition: Definition): Described {
  const { kind, name, docs } = definition;
  const isMethod = kind === "function" && isMember(definition);
  return {
    kind: isMethod || kind === "scope" ? "method" : kind,
    name,
    signature: signatureOf(source, definition),
    docs: joinDocs(source, docs),
    header: headerOf(source, ancestorsOf(definition)),
    nameLine: source.lineOf(headOf(source, definition)),
  };
}

/** As pairs of places; comments on lines next to each other are one. */
function joinDocs({ text }: SourceText, docs: Definition["docs"]): readonly number[] {
  const places: number[] = [];
  for (const { start, end } of docs) {
    const before = places.at(-1);
    if (before !== undefined && /^[ \t\r]*\n[ \t]*$/.test(text.slice(before, start))) places.pop();
    else places.push(start);
    places.push(end);
  }
  return places;
}

const isMember = ({ parent, isQualified }: Definition): boolean =>
  isQualified || parent?.kind === "class" || parent?.kind === "interface" || parent?.kind === "enum";

function ancestorsOf({ parent }: Definition): readonly Definition[] {
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

const headerOf = (source: SourceText, around: readonly Definition[]): string =>
  around
    .map((one) => signatureOf(source, one))
    .filter((text) => text !== "")
    .reverse()
    .join(" › ");

/** Where the definition's own words begin: at the start of its line, behind decorators. */
function headOf(source: SourceText, { start, head }: Definition): number {
  let at = head > start ? head : (source.lineStarts[source.lineOf(start)] ?? 0);
  while (at < source.text.length && source.text.charCodeAt(at) <= 32) at += 1;
  return at;
}

const signatures = new WeakMap<Definition, string>();

/** Kept, because every member of a class asks for the class's. */
function signatureOf(source: SourceText, definition: Definition): string {
  const known = signatures.get(definition) ?? readSignature(source, definition);
  signatures.set(definition, known);
  return known;
}

function readSignature(source: SourceText, definition: Definition): string {
  const from = headOf(source, definition);
  const line = source.endOf(source.lineOf(from));
  const to = definition.body && definition.body.start > from ? definition.body.start : Math.min(line, definition.end);
  return (
    source.text
      .slice(from, Math.min(to, from + 1_000))
      // A comment between a colon and the first statement belongs to neither.
      .replace(/:\s*#[\s\S]*$/, "")
      .replace(/\s+/g, " ")
      .replace(/\s*(=>|[{:=])\s*$/, "")
      .slice(0, 300)
      .trim()
  );
}

/** Comments and doc strings as prose of their own; those on lines next to each other are one. */
function extractProse(source: SourceText, captures: readonly Capture[], code: readonly Chunk[]): readonly Chunk[] {
  const blocks: { from: number; to: number; first: number; last: number; isAlone: boolean }[] = [];
  for (const { name, start, end, row } of captures) {
    if ((name !== "comment" && name !== "docstring") || source.text.startsWith("#!", start)) continue;
    let to = end;
    while (to > start && source.text.charCodeAt(to - 1) <= 32) to -= 1;
    const before = blocks.at(-1);
    if (to <= start || (before && start < before.to)) continue;
    const isAlone = source.text.slice(source.lineStarts[row], start).trim() === "";
    const last = source.lineOf(to - 1);
    if (before?.isAlone && isAlone && row === before.last + 1 && row - before.first < 80)
      Object.assign(before, { to, last });
    else blocks.push({ from: start, to, first: row, last, isAlone });
  }
  let around = 0;
  return blocks.flatMap(({ from, to, first, last }) => {
    if (!saysSomething(readDoc(source.text, [from, to]))) return [];
    while (around + 1 < code.length && (code[around]?.to ?? 0) <= from) around += 1;
    const near = code[around];
    return [
      {
        ...{
          mode: "extracted-prose",
          kind: "comment",
          name: near?.name ?? "",
          signature: "",
          header: near?.header ?? "",
        },
        ...{ docs: [], startLine: first + 1, endLine: last + 1, nameLine: first + 1, part: 0 },
        ...{ start: source.byteOf(from), end: source.byteOf(to), from, to, counts: undefined, flags: 0 },
      } as const,
    ];
  });
}
