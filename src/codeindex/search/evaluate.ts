import type { Query } from "../query/grammar.ts";
import { type ContentReader, findInTexts, findWord, isInVocabulary, type Occurrences } from "./literals.ts";
import { findPlainText, type PlainScores } from "./plain-text.ts";
import { intersect, type Mask, type Scope, unite, without } from "./scope.ts";

export interface Evaluation {
  /** For each scope the chunks that the query asks for. */
  readonly masks: readonly Mask[];
  /** What was sought, for ranking; what is negated is not among it. */
  readonly occurrences: readonly Occurrences[];
  /** Scores of a question in prose, which are all there is to rank it by. */
  readonly plainScores: PlainScores | undefined;
}

interface EvaluateOptions {
  readonly isCased: boolean;
  readonly reader: ContentReader;
}

/** Finds the chunks a query asks for among those that filters allow. */
export async function evaluate(query: Query, scopes: readonly Scope[], options: EvaluateOptions): Promise<Evaluation> {
  const allowed = scopes.map((scope) => scope.allowed);
  if (query.type === "plain") {
    const plainScores = findPlainText(query, scopes);
    return {
      masks: plainScores.chunks.map(markScored),
      occurrences: [],
      plainScores,
    };
  }
  const occurrences: Occurrences[] = [];
  const masks = await matchAll(query, allowed, { scopes, options, occurrences });
  return { masks, occurrences, plainScores: undefined };
}

function markScored(scores: Float32Array): Mask {
  const mask = new Uint8Array(scores.length);
  for (let chunk = 0; chunk < mask.length; chunk += 1) if ((scores[chunk] ?? 0) > 0) mask[chunk] = 1;
  return mask;
}

interface Under {
  readonly scopes: readonly Scope[];
  readonly options: EvaluateOptions;
  /** Undefined inside of a negation. */
  readonly occurrences: Occurrences[] | undefined;
}

/** The chunks of `within` that a query asks for, one mask for each scope. */
async function matchAll(query: Query, within: readonly Mask[], under: Under): Promise<readonly Mask[]> {
  switch (query.type) {
    case "all":
    case "plain":
      return within;
    case "not": {
      const unwanted = await matchAll(query.part, within, { ...under, occurrences: undefined });
      return within.map((mask, scope) => without(mask, unwanted[scope] ?? mask));
    }
    case "and": {
      let left = within;
      // Each part looks only at what is left, so those that read files come last.
      for (const part of [...query.parts].sort((one, other) => costOf(one) - costOf(other))) {
        left = await matchAll(part, left, under);
      }
      return left;
    }
    case "or": {
      const union = within.map((mask) => new Uint8Array(mask.length));
      for (const part of query.parts) {
        const found = await matchAll(part, within, under);
        for (const [scope, mask] of found.entries()) unite(union[scope] ?? new Uint8Array(), mask);
      }
      return union;
    }
    default: {
      const found =
        query.type === "literal" && isInVocabulary(query)
          ? findWord(query, under.scopes, under.options.isCased)
          : await findInTexts(query, under.scopes, within, under.options);
      under.occurrences?.push(found);
      return found.hits.map((mask, scope) => intersect(mask.slice(), within[scope] ?? mask));
    }
  }
}

function costOf(query: Query): number {
  if (query.type === "literal") return isInVocabulary(query) ? 0 : 2;
  if (query.type === "pattern") return 3;
  return query.type === "not"
    ? costOf(query.part) + 0.5
    : query.type === "and" || query.type === "or"
      ? Math.max(...query.parts.map(costOf))
      : 0;
}
