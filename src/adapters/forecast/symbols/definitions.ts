import { commonWords, type Family } from "./families.ts";

/** What is defined under a name in one file: nothing but its parameters matters to those who use it. */
export interface Definition {
  /** The parameters of each definition of the name; empty for what takes none, such as a type. */
  readonly parameters: readonly (readonly string[])[];
  /** Nothing stands around it, so that there can be only one of it. */
  readonly isOuter: boolean;
}

interface Pattern {
  readonly look: RegExp;
  /** What must follow the closing bracket, where the same look could be a call. */
  readonly follows?: RegExp;
}

const name = "([A-Za-z_$][\\w$]*)";
const generic = "(?:<[^()\\n]{0,200}>)?";
const types = `[A-Za-z_$][\\w$.<>\\[\\],? &]*?`;

const patterns: Readonly<Record<Family, readonly Pattern[]>> = {
  go: [
    { look: new RegExp(`^func\\s+(?:\\([^)\\n]*\\)\\s*)?${name}\\s*(?:\\[[^\\]\\n]*\\])?\\(`, "gm") },
    { look: new RegExp(`^(?:type|var|const)\\s+${name}\\b`, "gm") },
  ],
  java: [
    {
      look: new RegExp(
        `^[ \\t]*(?:@\\w+\\s+)?(?:(?:public|protected|private|static|final|abstract|synchronized|native|default)[ \\t]+){0,6}(?:<[^()\\n]{0,200}>\\s+)?(?!return\\b|new\\b|throw\\b|else\\b)(?:${types}[ \\t]+)${name}\\s*\\(`,
        "gm",
      ),
      follows: /^\s*(?:throws\s[^{;]*)?[{;]/,
    },
    { look: new RegExp(`\\b(?:class|interface|enum|record)\\s+${name}`, "g") },
    { look: new RegExp(`^[ \\t]*(?:\\w+[ \\t]+){0,6}static[ \\t]+(?:final\\s+)?${types}\\s+${name}\\s*[=;]`, "gm") },
  ],
  js: [
    { look: new RegExp(`\\bfunction\\s*\\*?\\s*${name}\\s*${generic}\\(`, "g") },
    { look: new RegExp(`\\b(?:class|interface|enum|namespace)\\s+${name}`, "g") },
    { look: new RegExp(`^[ \\t]*(?:export\\s+)?(?:declare\\s+)?type\\s+${name}\\s*[=<]`, "gm") },
    {
      look: new RegExp(
        `(?:^(?:export\\s+)?(?:const|let|var)\\s+|\\.|^[ \\t]+(?:(?:public|private|protected|static|readonly)[ \\t]+){0,6})${name}\\s*(?::[^=;(){}\\n]+)?[:=]\\s*(?:async\\s*)?(?:function\\b[^(\\n]*)?${generic}\\(`,
        "gm",
      ),
      follows: /^\s*(?::[^;=]{1,200}?)?(?:=>|\{)/,
    },
    { look: new RegExp(`^(?:export\\s+)?(?:const|let|var)\\s+${name}\\b`, "gm") },
    {
      look: new RegExp(
        `^[ \\t]+(?:(?:public|private|protected|static|async|override|abstract|get|set|declare)[ \\t]+){0,6}\\*?${name}\\??\\s*${generic}\\(`,
        "gm",
      ),
      follows: /^\s*(?::\s*[^;={}]{1,200}(?:[{;]|\n)|:\s*\{|\{)/,
    },
  ],
  py: [
    { look: new RegExp(`^[ \\t]*(?:async\\s+)?def\\s+${name}\\s*\\(`, "gm") },
    { look: new RegExp(`^[ \\t]*class\\s+${name}`, "gm") },
    { look: new RegExp(`^${name}\\s*(?::[^=\\n]+)?=(?!=)`, "gm") },
  ],
  rs: [
    { look: new RegExp(`\\bfn\\s+${name}\\s*(?:<[^()]{0,200}>)?\\(`, "g") },
    { look: new RegExp(`\\b(?:struct|enum|trait|union|type|mod)\\s+${name}`, "g") },
    { look: new RegExp(`\\b(?:const|static)\\s+(?:mut\\s+)?${name}\\s*:`, "g") },
    { look: new RegExp(`\\bmacro_rules!\\s*${name}`, "g") },
  ],
};

/** Everything that a text defines; comments and strings are not in it any more. */
export function readDefinitions(text: string, family: Family): Map<string, Definition> {
  const found = new Map<string, Definition>();
  const seen = new Set<number>();
  for (const { look, follows } of patterns[family]) {
    for (const match of text.matchAll(look)) {
      const called = match[1] ?? "";
      const at = match.index + match[0].lastIndexOf(called);
      if (seen.has(at) || commonWords.has(called) || called.length < 3) continue;
      const inside = match[0].endsWith("(") ? readBrackets(text, match.index + match[0].length) : undefined;
      if (match[0].endsWith("(") && inside === undefined) continue;
      if (follows && !follows.test(text.slice(inside?.end ?? at, (inside?.end ?? at) + 400))) continue;
      seen.add(at);
      const before = found.get(called);
      found.set(called, {
        parameters: [...(before?.parameters ?? []), ...(inside ? [splitParameters(inside.text, family)] : [])],
        isOuter: (before?.isOuter ?? true) && isOuter(text, match.index, match[0]),
      });
    }
  }
  return found;
}

/** In Go a method belongs to a type, wherever it stands. */
const isOuter = (text: string, at: number, look: string): boolean =>
  !/^\s/.test(look.replace(/^\n+/, "")) &&
  !/^func\s+\(/.test(look) &&
  (at === 0 ||
    /^(?:export\s+|default\s+|async\s+|pub\s+|declare\s+)*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at)));

const mostParameters = 4_000;

function readBrackets(text: string, from: number): { readonly text: string; readonly end: number } | undefined {
  let depth = 1;
  for (let at = from; at < Math.min(text.length, from + mostParameters); at += 1) {
    const letter = text[at];
    if (letter === "(" || letter === "[" || letter === "{") depth += 1;
    else if (letter === ")" || letter === "]" || letter === "}") depth -= 1;
    if (depth === 0) return { text: text.slice(from, at), end: at + 1 };
  }
  return undefined;
}

function splitParameters(text: string, family: Family): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  const plain = text.replaceAll("=>", "→");
  for (const letter of plain) {
    if ("([{<".includes(letter)) depth += 1;
    else if (")]}>".includes(letter)) depth -= 1;
    if (letter === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += letter;
  }
  const all = [...parts, part].map((one) => one.replace(/\s+/g, " ").trim()).filter((one) => one !== "");
  return all.filter((one, at) => at > 0 || !isReceiver(one, family));
}

const isReceiver = (parameter: string, family: Family): boolean =>
  (family === "py" && /^(?:self|cls)$/.test(parameter)) ||
  (family === "rs" && /^(?:&\s*)?(?:'\w+ )?(?:mut )?self\b/.test(parameter)) ||
  (family === "js" && parameter.startsWith("this:"));
