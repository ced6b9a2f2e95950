export class BrokenToml extends Error {
  override readonly name = "BrokenToml";
}

/**
 * The tables and keys of a TOML text, each as the list of its names. It knows as much of the language as is needed to
 * see whether a table of ours may be added behind it: where values end, and which names are in use.
 */
export function listTomlNames(text: string): string[][] {
  const scan = new Scan(text.startsWith("\uFEFF") ? text.slice(1) : text);
  const names: string[][] = [];
  const tables = new Set<string>();
  let table: string[] = [];
  while (scan.skipToLine()) {
    if (scan.sees("[")) {
      const isList = scan.sees("[[");
      scan.take(isList ? 2 : 1);
      table = scan.names();
      scan.want(isList ? "]]" : "]");
      const id = JSON.stringify(table);
      if (!isList && tables.has(id)) throw scan.broken();
      if (!isList) tables.add(id);
      names.push(table);
    } else {
      const key = scan.names();
      scan.want("=");
      scan.value();
      names.push([...table, ...key]);
    }
    scan.endLine();
  }
  return names;
}

class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  broken(): BrokenToml {
    return new BrokenToml(`line ${this.#text.slice(0, this.#at).split("\n").length} is not valid TOML`);
  }

  sees(sign: string): boolean {
    return this.#text.startsWith(sign, this.#at);
  }

  take(count: number): void {
    this.#at += count;
  }

  want(sign: string): void {
    this.#blanks();
    if (!this.sees(sign)) throw this.broken();
    this.take(sign.length);
    this.#blanks();
  }

  /** To the next line that says something; false at the end. */
  skipToLine(): boolean {
    this.#gaps();
    return this.#at < this.#text.length;
  }

  endLine(): void {
    this.#blanks();
    this.#comment();
    if (this.#at < this.#text.length && this.#match(/\r?\n/y) === undefined) throw this.broken();
  }

  names(): string[] {
    const found: string[] = [];
    do {
      this.#blanks();
      found.push(this.#name());
      this.#blanks();
    } while (this.#match(/\./y) !== undefined);
    return found;
  }

  #name(): string {
    const bare = this.#match(/[A-Za-z0-9_-]+/y);
    if (bare !== undefined) return bare;
    const literal = this.#match(/'[^'\n]*'/y);
    if (literal !== undefined) return literal.slice(1, -1);
    const quoted = this.#match(basicString);
    if (quoted === undefined) throw this.broken();
    return quoted.slice(1, -1).replaceAll(/\\(["\\])/g, "$1");
  }

  value(level = 0): void {
    if (level > mostLevels) throw this.broken();
    this.#blanks();
    if (this.sees('"""')) this.#long(/"""(?:[^\\]|\\[\s\S])*?"""(?:""|")?/y);
    else if (this.sees("'''")) this.#long(/'''[\s\S]*?'''(?:''|')?/y);
    else if (this.sees("[")) this.#list(level);
    else if (this.sees("{")) this.#inline(level);
    else if ((this.#match(basicString) ?? this.#match(/'[^'\n]*'/y) ?? this.#match(plainValue)) === undefined)
      throw this.broken();
  }

  #long(pattern: RegExp): void {
    if (this.#match(pattern) === undefined) throw this.broken();
  }

  #list(level: number): void {
    this.take(1);
    for (;;) {
      this.#gaps();
      if (this.#match(/\]/y)) return;
      this.value(level + 1);
      this.#gaps();
      if (this.#match(/,/y)) continue;
      if (this.#match(/\]/y)) return;
      throw this.broken();
    }
  }

  #inline(level: number): void {
    this.take(1);
    this.#gaps();
    if (this.#match(/\}/y)) return;
    for (;;) {
      this.#gaps();
      this.names();
      this.want("=");
      this.value(level + 1);
      this.#gaps();
      if (this.#match(/,/y)) {
        this.#gaps();
        if (this.#match(/\}/y)) return;
        continue;
      }
      if (this.#match(/\}/y)) return;
      throw this.broken();
    }
  }

  #blanks(): void {
    this.#match(/[ \t]+/y);
  }

  #comment(): void {
    this.#match(/#[^\n]*/y);
  }

  #gaps(): void {
    while (this.#match(/[ \t\r\n]+/y) !== undefined || this.#match(/#[^\n]*/y) !== undefined);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined || found === "") return undefined;
    this.#at += found.length;
    return found;
  }
}

const mostLevels = 200;
const basicString = /"(?:[^"\\\n]|\\.)*"/y;
/** Booleans, numbers and times: which of them it is does not matter here, but that it is one does. */
const plainValue =
  /(?:true|false|[+-]?(?:inf|nan)|\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?|0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)(?=[\s,\]}#]|$)/y;
