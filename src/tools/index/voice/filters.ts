import { z } from "zod";
import { Refusal } from "../../../contract/refusal.ts";
import { noteKinds } from "../../../contract/words.ts";
import type { CodeFilters } from "../../../domain/codeindex/model.ts";
import type { ReadableRecord } from "../../../domain/context/record-operations.ts";

const text = z.string().min(1).max(2_000).optional();
const texts = z.union([z.string().min(1).max(2_000), z.array(z.string().min(1).max(2_000)).min(1).max(100)]).optional();
const least = z.number().min(0).max(1_000_000_000).optional();
const flag = z.boolean().optional();

/** What `search` can be narrowed by. Strings hold one value or several, separated by commas; any of them will do. */
export const filterInputs = {
  type: text.describe("Kinds: function, method, class, interface, enum, type, section, comment, data, file."),
  author: text.describe("Part of the name or address of somebody who changed the file."),
  import: text.describe("A module that the file imports, exactly."),
  calls: text.describe("A function that it calls, exactly."),
  uses: text.describe("A name that it uses, exactly."),
  signature: text.describe("Part of its signature."),
  param: text.describe("A parameter's name, exactly."),
  decorator: text.describe("Part of a decorator."),
  inferredType: text.describe("Part of a variable's type."),
  returnType: text.describe("Part of its return type."),
  throws: text.describe("Part of what it throws."),
  reads: text.describe("Part of what it reads."),
  writes: text.describe("Part of what it assigns."),
  mutates: text.describe("Part of what it changes in place."),
  alias: text.describe("Part of a name given to something else."),
  awaits: text.describe("Part of what it awaits."),
  risk: text.describe("The same as riskTag."),
  riskTag: text.describe("command-injection, sql-injection, code-execution, path-traversal, xss."),
  riskSource: text.describe("Where untrusted input comes from, such as req.query."),
  riskSink: text.describe("Where it can do harm, such as exec."),
  riskCategory: text.describe("As riskTag."),
  riskFlow: text.describe("source->sink, such as req.query->exec."),
  branchesMin: least.describe("At least so many branches."),
  loopsMin: least.describe("At least so many loops."),
  breaksMin: least.describe("At least so many breaks."),
  continuesMin: least.describe("At least so many continues."),
  churnMin: least.describe("At least so many lines added and deleted in the file's history."),
  chunkAuthor: text.describe("Part of the name of somebody who wrote one of its lines."),
  modifiedAfter: text.describe("Files committed since this date."),
  modifiedSince: z.number().min(0).max(100_000).optional().describe("Files committed within so many days."),
  visibility: text.describe("public, private, protected."),
  extends: text.describe("Part of what it extends or implements."),
  lint: flag.describe("Not available: no linter's report can be read."),
  async: flag.describe("Only asynchronous functions."),
  generator: flag.describe("Only generators."),
  returns: flag.describe("Only functions that return a value."),
  branch: text.describe("Answers nothing unless this branch is checked out."),
  lang: text.describe("Languages, such as typescript or py."),
  case: flag.describe("Capitals matter, in paths and in words."),
  caseFile: flag.describe("Capitals matter in paths."),
  caseTokens: flag.describe("Capitals matter in words."),
  path: texts.describe("Part of the path, or a /pattern/."),
  file: texts.describe("The same as path."),
  ext: texts.describe("Endings, such as ts or .ts."),
};

type FilterInput = { readonly [Name in keyof typeof filterInputs]?: z.output<(typeof filterInputs)[Name]> };

/** Options that change how something is compared but narrow nothing. */
const options: ReadonlySet<string> = new Set(["case", "caseFile", "caseTokens", "lint"]);

export const hasFilter = (input: FilterInput): boolean =>
  Object.keys(filterInputs).some((name) => {
    const value = input[name as keyof FilterInput];
    return !options.has(name) && value !== undefined && value !== false;
  });

export function codeFiltersOf(input: FilterInput): CodeFilters {
  const { case: isCased, lint: _lint, caseFile, caseTokens, ...filters } = pickFilters(input);
  return { ...filters, caseFile: isCased ?? caseFile, caseTokens: isCased ?? caseTokens };
}

const pickFilters = (input: FilterInput): FilterInput =>
  Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(filterInputs, name)));

const chunkKinds = "function method class interface enum type section comment data file".split(" ");
const recordKinds: readonly string[] = ["task", ...noteKinds, "receipt", "finding", "message", "feedback"];

const split = (text: string): string[] => text.split(/[\s,]+/).filter((value) => value !== "");

/** A kind that nothing can have would find nothing, and nobody would know why. */
export function checkKinds({ type, mode }: FilterInput & { readonly mode: string }): void {
  const known = mode === "records" ? recordKinds : mode === "all" ? [...chunkKinds, ...recordKinds] : chunkKinds;
  const unknown = split(type ?? "").find((kind) => !known.includes(kind));
  if (unknown === undefined) return;
  throw new Refusal("INVALID_REQUEST", "type names a kind that this mode doesn't have.", `Use ${known.join(", ")}.`, {
    type: unknown,
  });
}

const day = 24 * 60 * 60_000;

interface RecordFilter {
  /** Undefined is any. */
  readonly kinds: readonly string[] | undefined;
  passes(record: ReadableRecord): boolean;
}

/** Which records pass the filters that can be asked of them; undefined where any other leaves none. */
export function recordFilter(input: FilterInput, now: number): RecordFilter | undefined {
  const { type, author, modifiedAfter, modifiedSince, ...others } = pickFilters(input);
  if (hasFilter(others)) return undefined;
  const kinds = type === undefined ? undefined : split(type);
  const authors = author
    ?.toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const after = Math.max(
    modifiedAfter === undefined ? 0 : Date.parse(modifiedAfter) || 0,
    modifiedSince === undefined ? 0 : now - modifiedSince * day,
  );
  return {
    kinds,
    passes: ({ kind, developer, at }) =>
      (kinds?.includes(kind) ?? true) &&
      (authors?.some((name) => developer.toLowerCase().includes(name)) ?? true) &&
      at >= after,
  };
}
