/**
 * Somebody else's text in Markdown of ours: on one line, and nothing in it a heading, a list, a link, an image, code or
 * markup. What it says can be read as it was written.
 */
export function inert(text: string): string {
  return text
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .trim()
    .replace(/[\\`*_[\]<>#!|~&]/g, "\\$&")
    .replace(/:(?=\/\/)|@/g, "\\$&")
    .replace(/\bwww\./gi, (word) => `${word.slice(0, -1)}\\.`)
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}
