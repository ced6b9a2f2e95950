import { Refusal } from "../../contract/refusal.ts";

/** What a query asks of a chunk. Words and phrases are looked for as they are written, wherever they stand in a line. */
export type Query =
  | { readonly type: "all" }
  | PlainText
  | { readonly type: "and" | "or"; readonly parts: readonly Query[] }
  | { readonly type: "not"; readonly part: Query }
  | Literal
  | Pattern;

export interface PlainText {
  readonly type: "plain";
  readonly text: string;
  /** Words that words of the text also stand for. */
  readonly also?: readonly string[];
}

/** A word or a quoted phrase: the same to whoever looks for it. */
export interface Literal {
  readonly type: "literal";
  readonly text: string;
  readonly isQuoted?: true;
  /** How much it counts where it was not asked for itself; 1 unless given. */
  readonly worth?: number;
}

export interface Pattern {
  readonly type: "pattern";
  readonly source: string;
  readonly flags: string;
}

/** Longer questions are prose, pasted or written: nobody means every word of them. */
const mostRequiredWords = 24;
const mostNesting = 32;

/** Reads a query: words that are all required, AND, OR, NOT, `-` and `!`, parentheses, "phrases" and /patterns/. */
export function parseQuery(text: string): Query {
  const trimmed = text.trim();
  if (trimmed === "") return { type: "all" };
  const words = trimmed.split(/\s+/).length;
  if (/[\r\n]/.test(trimmed) || words > mostRequiredWords) return { type: "plain", text: trimmed };
  return new Parser(lex(trimmed)).parse();
}

/** What must occur, in the order in which it was asked for; what is negated is not among it. */
export function listSought(query: Query): readonly (Literal | Pattern)[] {
  if (query.type === "literal" || query.type === "pattern") return [query];
  if (query.type === "and" || query.type === "or") return query.parts.flatMap(listSought);
  return [];
}

/** What it counts that something was found. */
export const worthOf = (atom: Literal | Pattern): number => (atom.type === "literal" ? (atom.worth ?? 1) : 1);

type Token =
  | { readonly type: "open" | "close" | "AND" | "OR" | "NOT" | "minus" }
  | { readonly type: "atom"; readonly atom: Literal | Pattern };

function lex(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let depth = 0;
  while (at < text.length) {
    const sign = text[at] ?? "";
    const next = text[at + 1] ?? " ";
    if (/\s/.test(sign)) at += 1;
    else if (sign === "(") {
      depth += 1;
      if (depth > mostNesting) throw unreadable(`Parentheses are nested deeper than ${mostNesting} levels.`);
      tokens.push({ type: "open" });
      at += 1;
    } else if (sign === ")") {
      depth -= 1;
      if (depth < 0) throw unreadable("A closing parenthesis has no opening one.", quoteIt);
      tokens.push({ type: "close" });
      at += 1;
    } else if ((sign === "-" || sign === "!") && !/\s/.test(next)) {
      tokens.push({ type: "minus" });
      at += 1;
    } else {
      const { token, end } = readAtom(text, at, depth);
      tokens.push(token);
      at = end;
    }
  }
  if (depth > 0) throw unreadable("An opening parenthesis has no closing one.", quoteIt);
  return tokens;
}

interface Read {
  readonly token: Token;
  readonly end: number;
}

function readAtom(text: string, at: number, depth: number): Read {
  if (text[at] === '"') return readPhrase(text, at);
  if (text[at] === "/") {
    const pattern = readPattern(text, at);
    if (pattern) return pattern;
  }
  const end = endOfWord(text, at, depth);
  const word = text.slice(at, end);
  if (word === "AND" || word === "OR" || word === "NOT") return { token: { type: word }, end };
  return { token: { type: "atom", atom: { type: "literal", text: word } }, end };
}

function readPhrase(text: string, at: number): Read {
  let phrase = "";
  for (let end = at + 1; end < text.length; end += 1) {
    const sign = text[end];
    if (sign === '"') {
      return { token: { type: "atom", atom: { type: "literal", text: phrase, isQuoted: true } }, end: end + 1 };
    }
    if (sign === "\\" && (text[end + 1] === '"' || text[end + 1] === "\\")) end += 1;
    phrase += text[end] ?? "";
  }
  throw unreadable("A quote is never closed.", 'Close it, or write \\" inside a phrase.');
}

/** `/source/flags` up to a space, a closing parenthesis or the end; anything else that begins with a slash is a word. */
function readPattern(text: string, at: number): Read | undefined {
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === "/") {
      const rest = /^([a-z]*)(?=\s|\)|$)/.exec(text.slice(end + 1));
      if (!rest || end === at + 1) continue;
      const source = text.slice(at + 1, end);
      const flags = rest[1] ?? "";
      return { token: { type: "atom", atom: { type: "pattern", source, flags } }, end: end + 1 + flags.length };
    }
  }
  return undefined;
}

/** A parenthesis that a word opens itself belongs to it: `call(x)` is one word. */
function endOfWord(text: string, at: number, depth: number): number {
  let own = 0;
  let end = at;
  for (; end < text.length; end += 1) {
    const sign = text[end] ?? "";
    if (/\s/.test(sign) || sign === '"') break;
    if (sign === "(") own += 1;
    if (sign === ")") {
      if (own === 0 && depth > 0) break;
      if (own === 0) throw unreadable("A closing parenthesis has no opening one.", quoteIt);
      own -= 1;
    }
  }
  return end;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Query {
    return this.#readOr();
  }

  #readOr(): Query {
    const parts = [this.#readAnd()];
    while (this.#take("OR")) parts.push(this.#readAnd());
    return join("or", parts);
  }

  #readAnd(): Query {
    const parts = [this.#readOne()];
    while (this.#at < this.#tokens.length && !this.#isNext("OR") && !this.#isNext("close")) {
      this.#take("AND");
      parts.push(this.#readOne());
    }
    return join("and", parts);
  }

  #readOne(): Query {
    if (this.#take("NOT") || this.#take("minus")) {
      if (this.#isNext("open")) {
        throw unreadable("A group can't be negated.", "Negate its words one by one: -a -b.");
      }
      const part = this.#readOne();
      return part.type === "not" ? part.part : { type: "not", part };
    }
    if (this.#take("open")) {
      if (this.#isNext("close")) throw unreadable("A group is empty.", quoteIt);
      const group = this.#readOr();
      this.#take("close");
      return group;
    }
    const token = this.#tokens[this.#at];
    if (token?.type !== "atom") {
      throw unreadable(
        token ? `${token.type === "close" ? "A group" : token.type} lacks a word.` : "The query ends with an operator.",
        'Put a word on both sides, or quote it: "AND".',
      );
    }
    this.#at += 1;
    if (token.atom.type === "literal" && token.atom.text === "") throw unreadable("A phrase is empty.");
    return token.atom;
  }

  #isNext(type: Token["type"]): boolean {
    return this.#tokens[this.#at]?.type === type;
  }

  #take(type: Token["type"]): boolean {
    if (!this.#isNext(type)) return false;
    this.#at += 1;
    return true;
  }
}

function join(type: "and" | "or", parts: readonly Query[]): Query {
  const [only] = parts;
  return parts.length === 1 && only ? only : { type, parts };
}

const quoteIt = 'Balance it, or quote what you look for: "f(x".';

const unreadable = (message: string, hint = "Correct the query and search again."): Refusal =>
  new Refusal("INVALID_REQUEST", `The query can't be read. ${message}`, hint);
