/** JSON as people write it, comments and trailing commas included, with the place of every part. */
export type JsonNode = JsonList | JsonScalar;

interface Part {
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}

interface JsonScalar extends Part {
  readonly kind: "scalar";
}

/** An object or an array: what is in it, in order. */
export interface JsonList extends Part {
  readonly kind: "object" | "array";
  readonly members: readonly JsonMember[];
  /** Where the comma after the last member is, if somebody wrote one. */
  readonly lastComma: number | undefined;
}

export interface JsonMember extends Part {
  /** Empty in an array. */
  readonly key: string;
  readonly value: JsonNode;
}

export class BrokenJson extends Error {
  override readonly name = "BrokenJson";
}

/** Deeper than any configuration, and no deeper than the stack. */
const mostLevels = 200;

/** Throws `BrokenJson` where the text is none. A text without any value is an error too. */
export function parseJson(text: string): JsonNode {
  const reader = new Reader(text);
  const root = reader.value(0);
  reader.skip();
  if (reader.at < text.length) throw reader.broken();
  return root;
}

/** The position after white space and comments. */
export function skipTrivia(text: string, from: number): number {
  const reader = new Reader(text, from);
  reader.skip();
  return reader.at;
}

class Reader {
  readonly #text: string;
  at: number;

  constructor(text: string, at = text.startsWith("\uFEFF") ? 1 : 0) {
    this.#text = text;
    this.at = at;
  }

  broken(): BrokenJson {
    const line = this.#text.slice(0, this.at).split("\n").length;
    return new BrokenJson(`line ${line} is not valid JSON`);
  }

  skip(): void {
    const text = this.#text;
    for (;;) {
      while (/[ \t\r\n]/.test(text.charAt(this.at))) this.at += 1;
      if (text.startsWith("//", this.at)) {
        const end = text.indexOf("\n", this.at);
        this.at = end === -1 ? text.length : end;
      } else if (text.startsWith("/*", this.at)) {
        const end = text.indexOf("*/", this.at + 2);
        if (end === -1) throw this.broken();
        this.at = end + 2;
      } else return;
    }
  }

  value(level: number): JsonNode {
    if (level > mostLevels) throw this.broken();
    this.skip();
    const sign = this.#text.charAt(this.at);
    return sign === "{" || sign === "[" ? this.#list(sign, level) : this.#scalar();
  }

  #list(open: "{" | "[", level: number): JsonList {
    const start = this.at;
    const [close, kind] = open === "{" ? (["}", "object"] as const) : (["]", "array"] as const);
    const members: JsonMember[] = [];
    let lastComma: number | undefined;
    this.at += 1;
    for (;;) {
      this.skip();
      if (this.#text.charAt(this.at) === close) {
        this.at += 1;
        return { kind, start, end: this.at, members, lastComma };
      }
      if (members.length > 0 && lastComma === undefined) throw this.broken();
      const member = this.#member(kind, level);
      members.push(member);
      this.skip();
      lastComma = this.#text.charAt(this.at) === "," ? this.at : undefined;
      if (lastComma !== undefined) this.at += 1;
    }
  }

  #member(kind: "object" | "array", level: number): JsonMember {
    const start = this.at;
    let key = "";
    if (kind === "object") {
      if (this.#text.charAt(this.at) !== '"') throw this.broken();
      const { end } = this.#scalar();
      key = JSON.parse(this.#text.slice(start, end)) as string;
      this.skip();
      if (this.#text.charAt(this.at) !== ":") throw this.broken();
      this.at += 1;
    }
    const value = this.value(level + 1);
    return { start, end: value.end, key, value };
  }

  #scalar(): JsonScalar {
    const start = this.at;
    scalar.lastIndex = start;
    const [found] = scalar.exec(this.#text) ?? [];
    if (found === undefined) throw this.broken();
    this.at += found.length;
    return { kind: "scalar", start, end: this.at };
  }
}

const scalar =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them inside a string.
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

/** What a part of the text means; comments are left out. */
export function meaningOf(text: string, node: JsonNode): unknown {
  if (node.kind === "scalar") return JSON.parse(text.slice(node.start, node.end));
  if (node.kind === "array") return node.members.map(({ value }) => meaningOf(text, value));
  // Not by assignment: a key may be called __proto__.
  return Object.fromEntries(node.members.map(({ key, value }) => [key, meaningOf(text, value)]));
}
