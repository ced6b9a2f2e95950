/**
 * What the extractor has to know of a language; all else is common. The query names nodes of the grammar:
 *
 * - `d.function`, `d.class`, … a definition, and inside it its name `n`, parameters `p`, return type `r` and body `b`;
 *   `d.scope` encloses definitions without being one; `wrap` belongs to the definition that ends with it
 * - `comment`, `docstring`, `str`: no code; `decorator` stands before a definition; `extends`, `type`: names of types
 * - `import`: a whole statement; `call`: what is called, to its last name
 * - `decl`, `assign`, `update`: a whole declaration with a value, assignment, increment
 * - `throw`, `throws`, `await`, `yield`, `return` with a value, `branch`, `loop`, `break`, `continue`
 */
export interface Syntax {
  readonly query: string;
  /** Where the name stands in a parameter. */
  readonly params: "first" | "last" | "dollar";
  /** Words that are no names. */
  readonly keywords: ReadonlySet<string>;
  /** What a statement imports. */
  readonly imports: (statement: string) => readonly string[];
  readonly visibility?: (definition: Seen) => string | undefined;
  /** Commands and methods that do what other languages have words for. */
  readonly wordCalls?: Readonly<Record<string, "throw" | "break" | "continue" | "return" | "import">>;
  /** An object is made by calling its class. */
  readonly callsMake?: boolean;
  /** A body without braces is an expression, and what it gives is returned. */
  readonly arrows?: boolean;
  /** Where the last expression is the result: whatever has a return type returns something. */
  readonly returnsByType?: boolean;
}

/** A definition as far as it can be judged from outside. */
interface Seen {
  readonly name: string;
  /** Up to its body, on one line. */
  readonly signature: string;
  readonly isMember: boolean;
}

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** What stands between quotes or angle brackets. */
export const quoted = (text: string): readonly string[] =>
  [...text.matchAll(/["'`<]([^"'`<>\n]{1,300})["'`>]/g)].map(([, name]) => name ?? "");

/** The first of these words in a signature. */
export const modifierIn = (signature: string, words: RegExp): string | undefined => words.exec(signature)?.[0];
