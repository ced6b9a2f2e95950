import { bytesOf, quoteName, type RawName } from "../git/names.ts";

/**
 * A file's name as readers see it: its text, or quoted as git quotes where its bytes are no text. A name that begins
 * with a quote is quoted too, so that every text leads back to one name.
 */
export function textOfName(name: RawName): string {
  const bytes = bytesOf(name);
  const text = bytes.toString("utf8");
  return !text.startsWith('"') && Buffer.from(text).equals(bytes) ? text : quoteName(name);
}

export function nameOfText(text: string): RawName {
  if (!text.startsWith('"')) return Buffer.from(text).toString("latin1");
  return text
    .slice(1, -1)
    .replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
