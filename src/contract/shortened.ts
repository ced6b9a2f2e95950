/** A text of at most so many characters; one that was cut says so, and never in the middle of a character. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, most - 1)) ? most - 2 : most - 1;
  return `${text.slice(0, Math.max(0, end))}…`;
}
