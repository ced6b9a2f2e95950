/** What a comment or doc string says, without the marks around it. */
function readComment(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^(\/\*+!?|\/\/+!?|#+!?|--+|\*+(?!\/)|[rRbBuUfF]{0,2}("""|''')|;+|<!--)\s?/, "")
        .replace(/<\/?(summary|remarks|param|returns|para|see|exception)\b[^>]{0,200}>/g, "")
        .replace(/\s*(\*+\/|"""|'''|-->)$/, "")
        .trim(),
    )
    .join("\n")
    .trim();
}

/** What the comments at these places say, pairs of a beginning and an end. */
export function readDoc(text: string, places: readonly number[]): string {
  const comments: string[] = [];
  for (let at = 0; at < places.length; at += 2) comments.push(text.slice(places[at], places[at + 1]));
  return readComment(comments.join("\n")).slice(0, longestDoc);
}

const longestDoc = 2_000;

/** Separators and directives say nothing to people. */
export const saysSomething = (text: string): boolean => /\p{L}{2,}[^\p{L}]+\p{L}{2,}/u.test(text);
