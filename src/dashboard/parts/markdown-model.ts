/** A small, safe part of Markdown. What is not understood stays the text it is. */

export type Block =
  | { readonly kind: "heading" | "paragraph" | "code"; readonly text: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly string[] }
  | { readonly kind: "rule" };

export type Span =
  | { readonly kind: "text" | "code" | "strong" | "emphasis"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

/** Longer texts are cut before they are parsed; nobody reads on from there in a deck. */
const longestText = 100_000;
const deepestQuote = 4;

const bullet = /^\s{0,3}([-*+]|(\d{1,9})[.)])\s+(.*)$/;
const heading = /^\s{0,3}#{1,6}\s+(.*)$/;
const fence = /^\s{0,3}(```+|~~~+)/;
const rule = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const quote = /^\s{0,3}>\s?(.*)$/;

export function parseBlocks(text: string, depth = 0): Block[] {
  const lines = text.slice(0, longestText).split(/\r?\n/);
  const blocks: Block[] = [];
  let place = 0;
  const takeWhile = (fits: (line: string) => boolean): string[] => {
    const from = place;
    while (place < lines.length && fits(lines[place] ?? "")) place += 1;
    return lines.slice(from, place);
  };
  while (place < lines.length) {
    const line = lines[place] ?? "";
    const open = fence.exec(line)?.[1];
    if (line.trim() === "") place += 1;
    else if (open !== undefined) {
      place += 1;
      const body = takeWhile((next) => !next.trimStart().startsWith(open));
      place += 1;
      blocks.push({ kind: "code", text: body.join("\n") });
    } else if (rule.test(line)) {
      place += 1;
      blocks.push({ kind: "rule" });
    } else if (heading.test(line)) {
      place += 1;
      blocks.push({ kind: "heading", text: heading.exec(line)?.[1] ?? "" });
    } else if (quote.test(line) && depth < deepestQuote) {
      const body = takeWhile((next) => quote.test(next)).map((next) => quote.exec(next)?.[1] ?? "");
      blocks.push({ kind: "quote", blocks: parseBlocks(body.join("\n"), depth + 1) });
    } else if (bullet.test(line)) {
      const isOrdered = bullet.exec(line)?.[2] !== undefined;
      const body = takeWhile((next) => bullet.test(next) || (next.startsWith("  ") && next.trim() !== ""));
      blocks.push({ kind: "list", isOrdered, items: joinItems(body) });
    } else {
      place += 1;
      const body = [line, ...takeWhile(isParagraph)];
      blocks.push({ kind: "paragraph", text: body.join("\n") });
    }
  }
  return blocks;
}

const isParagraph = (line: string): boolean =>
  line.trim() !== "" && !fence.test(line) && !heading.test(line) && !bullet.test(line) && !quote.test(line);

/** Lines that are indented go on with the item before them. */
function joinItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const text = bullet.exec(line)?.[3];
    if (text !== undefined) items.push(text);
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return items;
}

/** Each alternative begins with its own character and excludes it inside, so that no text makes this slow. */
const spans =
  /\\([!-/:-@[-`{-~])|(`{1,3})([^`]+)\2|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^[\]]*)\]\(([^()\s]*)\)|(https?:\/\/[^\s<>()[\]"'`]+)/g;

export function parseSpans(text: string): Span[] {
  const found: Span[] = [];
  let last = 0;
  for (const match of text.matchAll(spans)) {
    const [whole, escaped, , code, strong, emphasis, label, target, bare] = match;
    if (match.index > last) found.push({ kind: "text", text: text.slice(last, match.index) });
    last = match.index + whole.length;
    if (escaped !== undefined) found.push({ kind: "text", text: escaped });
    else if (code !== undefined) found.push({ kind: "code", text: code.trim() });
    else if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) found.push({ kind: "emphasis", text: emphasis });
    else found.push(linkOf(label ?? bare ?? "", target ?? bare ?? "", whole));
  }
  if (last < text.length) found.push({ kind: "text", text: text.slice(last) });
  return found;
}

/** Only plain web addresses become links, and none that carries a password in it. */
function linkOf(label: string, target: string, whole: string): Span {
  try {
    const url = new URL(target);
    const isPlain =
      (url.protocol === "http:" || url.protocol === "https:") && url.username === "" && url.password === "";
    if (isPlain) return { kind: "link", text: label || url.href, href: url.href };
  } catch {
    // Not an address: it stays text.
  }
  return { kind: "text", text: whole };
}
