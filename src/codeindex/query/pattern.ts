import { RE2JS } from "re2js";
import { compileWith } from "../../contract/marked-line.ts";
import { Refusal } from "../../contract/refusal.ts";

const longestPattern = 1_000;
/** Instructions of a compiled pattern: what it costs at most at each letter. */
const largestProgram = 5_000;

/** A pattern that cannot take more than linear time, whoever wrote it. */
export function compilePattern(source: string, flags: string): RE2JS {
  if (source.length > longestPattern) throw unusable(`It is longer than ${longestPattern} characters.`);
  const unknown = [...flags].find((flag) => !"gimsu".includes(flag));
  if (unknown !== undefined) throw unusable(`It has the unknown flag ${JSON.stringify(unknown)}.`, "Use i, m, s or u.");
  const compiled = compile(source, flags);
  if (compiled.programSize() > largestProgram) throw unusable("It repeats too much.");
  return compiled;
}

function compile(source: string, flags: string): RE2JS {
  try {
    return compileWith(RE2JS, { source, flags });
  } catch (error) {
    const detail = error instanceof Error ? { detail: error.message } : {};
    throw unusable("It isn't valid in RE2 syntax.", undefined, detail);
  }
}

/** `/source/flags`, or undefined where a text is not written as a pattern. */
export function readPatternText(text: string): { readonly source: string; readonly flags: string } | undefined {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  return source === undefined || flags === undefined ? undefined : { source, flags };
}

/**
 * Texts that every match must have in it, found without understanding more than the plainest parts of a pattern. Too few
 * only cost time; one too many would hide a match.
 */
export function listRequired(source: string, flags: string): string[] {
  if (source.includes("|") || source.includes("(?")) return [];
  const isFolded = flags.includes("i");
  const found: string[] = [];
  let run = "";
  const cut = (): void => {
    if (run.length >= 3) found.push(run);
    run = "";
  };
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at] ?? "";
    const next = source[at + 1] ?? "";
    if (sign === "(") return found;
    if (sign === "[") {
      cut();
      at = endOfClass(source, at);
    } else if (sign === "\\" && /[^\w\s]/.test(next)) {
      run = add(run, next, isFolded, cut);
      at += 1;
    } else if (sign === "\\") {
      cut();
      // What a letter behind it means may reach on, as in \x41 or \pL.
      return found;
    } else if (/[*?{+]/.test(sign)) {
      run = run.slice(0, -1);
      cut();
      if (sign === "{") at = Math.max(at, source.indexOf("}", at));
    } else if (/[.^$]/.test(sign)) cut();
    else run = add(run, sign, isFolded, cut);
  }
  cut();
  return found;
}

/** Without capitals, k and s also stand for letters that are no ASCII. */
function add(run: string, sign: string, isFolded: boolean, cut: () => void): string {
  if (!isFolded || !/[ks]/i.test(sign)) return run + sign;
  cut();
  return "";
}

function endOfClass(source: string, at: number): number {
  for (let end = at + 2; end < source.length; end += 1) {
    if (source[end] === "\\") end += 1;
    else if (source[end] === "]") return end;
  }
  return source.length;
}

const unusable = (
  why: string,
  hint = "Simplify the pattern; look-around and back-references aren't supported.",
  details = {},
): Refusal => new Refusal("INVALID_REQUEST", `The pattern can't be used. ${why}`, hint, details);
