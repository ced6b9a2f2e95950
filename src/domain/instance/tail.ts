/** What a terminal is told beside the text: sequences that move, colour or ask, and control characters. */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  /\u001b\[[0-9;:?<=>]*[ -/]*[@-~]|\u001b[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

const longestLine = 240;

/** The last lines of an output that say something, as plain text. */
export function tailOf(output: string, lines: number): string[] {
  return output
    .slice(-64 * 1024)
    .split("\n")
    .map((line) => (line.split("\r").findLast((part) => part.trim() !== "") ?? "").replaceAll(controls, "").trimEnd())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .slice(-lines)
    .map((line) => line.slice(0, longestLine));
}
