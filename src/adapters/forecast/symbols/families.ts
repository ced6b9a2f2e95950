/** Languages whose definitions and uses are told from each other by their look. */
export type Family = "go" | "java" | "js" | "py" | "rs";

const endings: Readonly<Record<string, Family>> = {
  go: "go",
  java: "java",
  js: "js",
  jsx: "js",
  mjs: "js",
  cjs: "js",
  ts: "js",
  tsx: "js",
  mts: "js",
  cts: "js",
  py: "py",
  pyi: "py",
  rs: "rs",
};

export const familyOf = (path: string): Family | undefined => endings[/\.([a-z]+)$/.exec(path)?.[1] ?? ""];

// What is never closed goes on to the end: a pattern that gave up there would look at the rest again and again.
const slashes = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/.source;
const doubles = /"(?:\\[\s\S]|[^"\\\n])*"/.source;
const singles = /'(?:\\[\s\S]|[^'\\\n])*'/.source;
const unread: Readonly<Record<Family, RegExp>> = {
  go: new RegExp(`${slashes}|${doubles}|${singles}|\`[^\`]*(?:\`|$)`, "g"),
  java: new RegExp(`"""[\\s\\S]*?(?:"""|$)|${slashes}|${doubles}|${singles}`, "g"),
  js: new RegExp(`${slashes}|${doubles}|${singles}|\`(?:\\\\[\\s\\S]|[^\`\\\\])*(?:\`|$)`, "g"),
  py: new RegExp(`"""[\\s\\S]*?(?:"""|$)|'''[\\s\\S]*?(?:'''|$)|#[^\\n]*|${doubles}|${singles}`, "g"),
  // A quote can begin the name of a lifetime, and a string can go on in the next line.
  rs: new RegExp(
    `${slashes}|r(#*)"[\\s\\S]*?(?:"\\1|$)|"(?:\\\\[\\s\\S]|[^"\\\\])*(?:"|$)|'(?:\\\\[^\\n']+|[^'\\\\\\n])'`,
    "g",
  ),
};

/** The text without what is written in comments and strings; every line stays where it is. */
export function stripText(text: string, family: Family): string {
  return text.replace(unread[family], (found) => {
    // What a template fills in is code.
    const kept = family === "js" && found.startsWith("`") ? (found.match(/\$\{[^}]*\}/g) ?? []).join(" ") : "";
    return `""${kept.replaceAll("\n", " ")}${"\n".repeat(found.split("\n").length - 1)}`;
  });
}

/** Words of the languages themselves, and names that every second program defines for its runtime. */
export const commonWords: ReadonlySet<string> = new Set(
  [
    "if else for while do switch case return break continue function func def fn class struct enum trait impl interface type",
    "const let var new delete throw throws try catch finally import export from package use mod pub static async await yield",
    "in of is not and or with as pass raise lambda self this super cls None True False null undefined true false nil void",
    "init main test setup teardown setUp tearDown constructor toString equals hashCode String Error default get set run",
    "describe it expect beforeEach afterEach beforeAll afterAll require module exports props state args kwargs options",
  ].flatMap((line) => line.split(" ")),
);
