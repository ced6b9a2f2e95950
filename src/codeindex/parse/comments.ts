/** What a comment or doc string says, without the marks around it. */
export function readComment(text: string): string {
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

/** Separators and directives say nothing to people. */
export const saysSomething = (text: string): boolean => /\p{L}{2,}[^\p{L}]+\p{L}{2,}/u.test(text);
