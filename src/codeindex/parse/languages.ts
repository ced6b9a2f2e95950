import type { SyntaxFilter } from "../parsed-file.ts";

/** The language of a file by its name alone, so that a filter on languages needs no parsing. */
export function languageOf(path: string): Language {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const known = byName.get(name);
  if (known) return known;
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? undefined : byEnding.get(name.slice(dot + 1))) ?? "text";
}

/** What people call a language, to the name it has here; undefined for one that no file can have. */
export function findLanguage(said: string): Language | undefined {
  const name = said.trim().toLowerCase();
  return isLanguage(name) ? name : (aliases.get(name) ?? byEnding.get(name));
}

/** Which filters a language's parser answers. Those it cannot are refused, where nobody would know why nothing is found. */
export function answersOf(language: Language): ReadonlySet<SyntaxFilter> {
  return new Set(table[language].answers);
}

/** Whether its files are prose, data or, undefined, code. */
export const readsOf = (language: string): "prose" | "data" | undefined =>
  isLanguage(language) ? table[language].reads : undefined;

export const isProse = (language: Language): boolean => table[language].reads === "prose";

/** The grammar that reads a file, if one does. Files that hold markup among code have a grammar of their own. */
export function grammarOf(path: string, language: Language): Grammar | undefined {
  if (language === "typescript" && path.toLowerCase().endsWith(".tsx")) return "tsx";
  return table[language].grammar;
}

export const grammars = [
  "typescript",
  "tsx",
  "javascript",
  "python",
  "go",
  "rust",
  "java",
  "c-sharp",
  "cpp",
  "php",
  "ruby",
  "bash",
  "css",
] as const;

export type Grammar = (typeof grammars)[number];

interface LanguageFacts {
  readonly endings: readonly string[];
  /** Whole file names, for files without an ending. */
  readonly names?: readonly string[];
  readonly aliases?: readonly string[];
  readonly grammar?: Grammar;
  /** What people read, and what programs do; else code. */
  readonly reads?: "prose" | "data";
  readonly answers: readonly SyntaxFilter[];
}

const flow = ["calls", "uses", "reads", "writes", "mutates", "alias", "import"] as const;
const shape = ["param", "signature", "returns", "branches", "loops", "breaks", "continues"] as const;
const risk = ["riskTag", "riskSource", "riskSink", "riskCategory", "riskFlow"] as const;
const every = [...flow, ...shape] as const;

const languages = {
  typescript: {
    endings: ["ts", "tsx", "mts", "cts"],
    grammar: "typescript",
    answers: [
      ...every,
      ...risk,
      ...["decorator", "inferredType", "returnType", "throws", "awaits"],
      ...["extends", "visibility", "async", "generator"],
    ],
  },
  javascript: {
    endings: ["js", "jsx", "mjs", "cjs"],
    aliases: ["node", "ecmascript"],
    grammar: "javascript",
    answers: [
      ...every,
      ...risk,
      ...["decorator", "inferredType", "throws", "awaits", "extends", "visibility", "async", "generator"],
    ],
  },
  python: {
    endings: ["py", "pyi", "pyw"],
    aliases: ["python3"],
    grammar: "python",
    answers: [
      ...every,
      ...risk,
      ...["decorator", "inferredType", "returnType", "throws", "awaits"],
      ...["extends", "visibility", "async", "generator"],
    ],
  },
  go: {
    endings: ["go"],
    aliases: ["golang"],
    grammar: "go",
    answers: [...every, ...risk, "inferredType", "returnType", "visibility"],
  },
  rust: {
    endings: ["rs"],
    grammar: "rust",
    answers: [
      ...every,
      ...risk,
      ...["decorator", "inferredType", "returnType", "awaits", "extends", "visibility", "async"],
    ],
  },
  java: {
    endings: ["java"],
    grammar: "java",
    answers: [...every, ...risk, ...["decorator", "inferredType", "returnType", "throws", "extends", "visibility"]],
  },
  csharp: {
    endings: ["cs"],
    aliases: ["c#", "c-sharp"],
    grammar: "c-sharp",
    answers: [
      ...every,
      ...risk,
      ...["decorator", "inferredType", "returnType", "throws", "awaits"],
      ...["extends", "visibility", "async", "generator"],
    ],
  },
  cpp: {
    endings: ["cpp", "cc", "cxx", "hpp", "hh", "hxx", "ipp", "inl", "cu", "cuh"],
    aliases: ["c++"],
    grammar: "cpp",
    answers: [...every, ...risk, "inferredType", "returnType", "throws", "extends"],
  },
  c: { endings: ["c", "h"], grammar: "cpp", answers: [...every, ...risk, "inferredType", "returnType"] },
  php: {
    endings: ["php", "phtml"],
    grammar: "php",
    answers: [
      ...every,
      ...risk,
      ...["decorator", "inferredType", "returnType", "throws", "extends", "visibility", "generator"],
    ],
  },
  ruby: {
    endings: ["rb", "rake", "gemspec"],
    names: ["rakefile", "gemfile"],
    grammar: "ruby",
    answers: [...every, ...risk, "inferredType", "throws", "extends"],
  },
  bash: {
    endings: ["sh", "bash", "zsh", "ksh"],
    aliases: ["shell"],
    grammar: "bash",
    answers: [
      "calls",
      "uses",
      "reads",
      "writes",
      "import",
      "branches",
      "loops",
      "breaks",
      "continues",
      "returns",
      "signature",
    ],
  },
  css: { endings: ["css"], grammar: "css", answers: ["import", "signature"] },

  markdown: { endings: ["md", "markdown", "mdx", "mdc"], reads: "prose", answers: [] },
  restructuredtext: { endings: ["rst", "rest"], reads: "prose", answers: [] },
  asciidoc: { endings: ["adoc", "asciidoc"], reads: "prose", answers: [] },
  text: {
    endings: ["txt", "text"],
    names: [
      "readme",
      "license",
      "copying",
      "authors",
      "changelog",
      "changes",
      "contributing",
      "notice",
      "todo",
      "install",
    ],
    aliases: ["plain", "plaintext"],
    reads: "prose",
    answers: [],
  },

  json: { endings: ["json", "jsonc", "json5", "jsonl", "ndjson", "webmanifest"], reads: "data", answers: [] },
  yaml: { endings: ["yaml", "yml"], reads: "data", answers: [] },
  toml: { endings: ["toml"], reads: "data", answers: [] },
  ini: { endings: ["ini", "cfg", "conf", "properties", "env", "editorconfig"], reads: "data", answers: [] },
  xml: { endings: ["xml", "xsd", "xsl", "xslt", "svg", "csproj", "plist"], reads: "data", answers: [] },
  html: { endings: ["html", "htm", "xhtml", "ejs", "hbs", "jinja", "j2", "erb", "twig"], reads: "data", answers: [] },
  vue: { endings: ["vue"], answers: [] },
  svelte: { endings: ["svelte"], answers: [] },
  scss: { endings: ["scss", "sass", "less"], aliases: ["less", "sass"], answers: [] },
  sql: { endings: ["sql"], answers: [] },
  graphql: { endings: ["graphql", "gql"], answers: [] },
  protobuf: { endings: ["proto"], aliases: ["proto"], answers: [] },
  kotlin: { endings: ["kt", "kts"], answers: [] },
  swift: { endings: ["swift"], answers: [] },
  scala: { endings: ["scala", "sc"], answers: [] },
  groovy: { endings: ["groovy", "gradle"], names: ["jenkinsfile"], answers: [] },
  dart: { endings: ["dart"], answers: [] },
  lua: { endings: ["lua"], answers: [] },
  perl: { endings: ["pl", "pm", "t"], answers: [] },
  r: { endings: ["r"], answers: [] },
  elixir: { endings: ["ex", "exs"], answers: [] },
  erlang: { endings: ["erl", "hrl"], answers: [] },
  haskell: { endings: ["hs"], answers: [] },
  ocaml: { endings: ["ml", "mli"], answers: [] },
  clojure: { endings: ["clj", "cljs", "cljc", "edn"], answers: [] },
  zig: { endings: ["zig"], answers: [] },
  powershell: { endings: ["ps1", "psm1", "psd1"], aliases: ["pwsh"], answers: [] },
  batch: { endings: ["bat", "cmd"], answers: [] },
  dockerfile: { endings: ["dockerfile"], names: ["dockerfile", "containerfile"], aliases: ["docker"], answers: [] },
  makefile: { endings: ["mk", "mak"], names: ["makefile", "gnumakefile"], aliases: ["make"], answers: [] },
  terraform: { endings: ["tf", "tfvars", "hcl"], aliases: ["hcl"], answers: [] },
} as const satisfies Record<string, LanguageFacts>;

export type Language = keyof typeof languages;

const table: Readonly<Record<Language, LanguageFacts>> = languages;

/** Every language a file can have, for those who list what each answers. */
export const languageNames = Object.keys(languages) as readonly Language[];

const isLanguage = (name: string): name is Language => Object.hasOwn(languages, name);

const gather = (read: (facts: LanguageFacts) => readonly string[] | undefined): Map<string, Language> =>
  new Map(languageNames.flatMap((language) => (read(table[language]) ?? []).map((word) => [word, language] as const)));

const byEnding = gather(({ endings }) => endings);
const byName = gather(({ names }) => names);
const aliases = gather((facts) => facts.aliases);
