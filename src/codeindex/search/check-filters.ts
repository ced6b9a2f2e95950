import { Refusal } from "../../contract/refusal.ts";
import type { CodeFilters } from "../../domain/codeindex/model.ts";
import { answersOf, findLanguage, languageOf } from "../parse/languages.ts";
import { countFacts, flagFacts, type SyntaxFilter, wordFacts } from "../parsed-file.ts";
import { listEndings, splitWords } from "../query/filter-values.ts";

/**
 * Refuses what would find nothing for a reason that nobody sees: an unknown language, or a filter that a parser of the
 * languages in question cannot answer.
 */
export function checkFilters(filters: CodeFilters, present: Iterable<string>): void {
  const named = namedLanguages(filters);
  const asked = listAsked(filters);
  for (const [argument, filter] of asked) {
    const languages = [...(named ?? present)];
    const deaf = languages.filter((language) => !answersOf(languageNamed(language)).has(filter));
    const isUnanswered = named ? deaf.length > 0 : languages.length > 0 && deaf.length === languages.length;
    if (!isUnanswered) continue;
    throw new Refusal(
      "CAPABILITY_MISSING",
      `The filter \`${argument}\` can't be answered for ${deaf.slice(0, 5).join(", ")}.`,
      "Leave the filter out, or narrow lang to languages that answer it; index_status lists them.",
      { filter: argument, languages: deaf },
    );
  }
}

const languageNamed = (name: string) => findLanguage(name) ?? "text";

function namedLanguages({ lang, ext }: CodeFilters): string[] | undefined {
  if (lang !== undefined) {
    return splitWords(lang).map((name) => {
      const language = findLanguage(name);
      if (language !== undefined) return language;
      throw new Refusal("INVALID_REQUEST", "lang names an unknown language.", "index_status lists the languages.", {
        lang: name,
      });
    });
  }
  return ext === undefined ? undefined : listEndings(ext).map((ending) => languageOf(`file${ending}`));
}

/** The arguments that were given, each with what a parser must know for it. */
function listAsked(filters: CodeFilters): [string, SyntaxFilter][] {
  const asked: [string, SyntaxFilter][] = [];
  for (const fact of wordFacts) if (filters[fact] !== undefined) asked.push([fact, fact]);
  if (filters.risk !== undefined) asked.push(["risk", "riskTag"]);
  for (const count of countFacts) if (filters[`${count}Min`] !== undefined) asked.push([`${count}Min`, count]);
  for (const flag of flagFacts) if (filters[flag] === true) asked.push([flag, flag]);
  if (filters.import !== undefined) asked.push(["import", "import"]);
  if (filters.signature !== undefined) asked.push(["signature", "signature"]);
  return asked;
}
