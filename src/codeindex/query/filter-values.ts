import { Refusal } from "../../contract/refusal.ts";
import { foldText } from "./fold.ts";
import { compilePattern, readPatternText } from "./pattern.ts";

/** The values of a filter, of which one has to fit: split at commas and spaces. */
export const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter((value) => value !== "");

/** The same where values may have spaces in them. */
export const splitPhrases = (text: string): string[] =>
  text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");

type Given = string | readonly string[];

/** A filter on paths: a part of the path, or a /pattern/. Entries of a list are taken whole. */
export function pathFilter(given: Given, isCased: boolean): (path: string) => boolean {
  const tests = listPaths(given).map((value) => {
    const pattern = readPatternText(value);
    if (pattern) {
      const compiled = compilePattern(pattern.source, pattern.flags);
      return (path: string): boolean => compiled.matcher(path).find();
    }
    const part = isCased ? value : foldText(value);
    return (path: string): boolean => (isCased ? path : foldText(path)).includes(part);
  });
  return (path) => tests.some((test) => test(path));
}

function listPaths(given: Given): readonly string[] {
  if (typeof given !== "string") return given;
  return readPatternText(given) ? [given] : splitPhrases(given);
}

/** Endings as they stand in paths: `ts`, `.ts` and `*.ts` are one. */
export function listEndings(given: Given): string[] {
  const values = typeof given === "string" ? splitWords(given) : given;
  return values.map((value) => `.${value.replace(/^\*?\.?/, "")}`.toLowerCase());
}

/** The ending of a path, with its dot; empty where it has none. */
export function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot).toLowerCase();
}

const day = 24 * 60 * 60_000;

/** The later of both bounds, in milliseconds. */
export function modifiedBound(
  {
    modifiedAfter,
    modifiedSince,
  }: { readonly modifiedAfter?: string | undefined; readonly modifiedSince?: number | undefined },
  now: number,
): number | undefined {
  const bounds: number[] = [];
  if (modifiedSince !== undefined) bounds.push(now - modifiedSince * day);
  if (modifiedAfter !== undefined) {
    const at = Date.parse(modifiedAfter);
    if (Number.isNaN(at)) {
      throw new Refusal(
        "INVALID_REQUEST",
        "modifiedAfter is no date.",
        "Write it like 2026-01-31 or 2026-01-31T12:00:00Z.",
      );
    }
    bounds.push(at);
  }
  return bounds.length === 0 ? undefined : Math.max(...bounds);
}
