/**
 * The tickets, issues and pull requests a text names: `#389`, `PR 389`, `pull/389` are all `#389`, `ABC-12` is `abc-12`.
 * No agent's text can make these patterns slow: none has a repetition inside a repetition.
 */
export function listReferences(text: string): string[] {
  if (!/\d/.test(text)) return [];
  const found = new Set<string>();
  for (const [, number] of text.matchAll(numbered)) found.add(`#${Number(number)}`);
  for (const [, prefix, number] of text.matchAll(keyed)) {
    if (prefix !== undefined && !notKeys.has(prefix)) found.add(`${prefix.toLowerCase()}-${Number(number)}`);
  }
  return [...found].sort();
}

const numbered = /(?:^|[^\w&])(?:(?:pr|prs|issue|issues|ticket|gh|pull request)[ -]?#?|pull\/|issues\/|#)(\d{1,8})\b/gi;
const keyed = /\b([A-Z][A-Z0-9]{1,9})-(\d{1,8})\b/g;

/** Standards and formats that look like the key of a ticket. */
const notKeys = new Set([
  "UTF",
  "SHA",
  "ISO",
  "RFC",
  "MD",
  "CVE",
  "ES",
  "HTTP",
  "TLS",
  "PR",
  "GH",
  "GPT",
  "AES",
  "RSA",
]);
