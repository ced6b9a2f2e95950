import fc from "fast-check";

/** Whatever agents may write: words, code, scripts of the world, emoji, runs without a break, marks and escapes. */
export const text = (most: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...samples), fc.integer({ min: 1, max: most }))
    .map(([sample, length]) => cut(sample.repeat(Math.ceil(length / sample.length)), length));

const samples = [
  "The parser now reads nested lists, but a closing bracket is missing in line 12. ",
  "export const sum = (list: number[]) => list.reduce((all, one) => all + one, 0);\n\t// 👍\n",
  "a",
  " ",
  "\n",
  '"\\',
  "😀",
  "👨‍👩‍👧‍👦",
  "龘",
  "これは長い文章です。",
  "مرحبا بالعالم ",
  "𒀀",
  "e\u0301",
  "-",
  "1234567890",
  "cp_01hzy3v7k9x2m4n6p8q0rstuvw ",
  "<|endoftext|>",
  "SGVsbG8gd29ybGQhIQ==",
  "\u0001\u0007",
];

/** Never in the middle of a character. */
const cut = (value: string, length: number): string => value.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
