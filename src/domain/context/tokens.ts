/** Counts the tokens of a text with a real tokenizer (o200k). Loaded at first use: it is large and most calls need none. */
let counter: Promise<(text: string) => number> | undefined;

export async function loadTokenCounter(): Promise<(text: string) => number> {
  counter ??= import("gpt-tokenizer/encoding/o200k_base").then(
    ({ countTokens }) =>
      (text: string) =>
        // Text that spells a control token is plain text to us.
        countTokens(text, { disallowedSpecial: new Set() }),
  );
  return counter;
}
