/**
 * What a text must have in it to be asked for, as far as a database can tell from its small letters: never more than
 * that. Undefined where any text may be meant.
 */
export type TextNeed =
  | { readonly has: string }
  | { readonly all: readonly TextNeed[] }
  | { readonly any: readonly TextNeed[] };
