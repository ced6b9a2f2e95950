/**
 * Reading of what scanners send, which may be anything. Only named fields are taken out of it; text is cut to what is
 * worth keeping and freed of what no database stores.
 */

type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a dotted path, if everything on the way is an object's own. */
export function valueAt(from: unknown, path: string): unknown {
  let at: unknown = from;
  for (const key of path.split(".")) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** The first of these paths that has a text or a number. */
export function textAt(from: unknown, paths: readonly string[], most = 500): string | null {
  for (const path of paths) {
    const value = valueAt(from, path);
    const text = typeof value === "number" ? String(value) : typeof value === "string" ? tidy(value) : "";
    if (text !== "") return text.slice(0, most);
  }
  return null;
}

export function numberAt(from: unknown, paths: readonly string[]): number | null {
  for (const path of paths) {
    const value = valueAt(from, path);
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
  }
  return null;
}

export function flagAt(from: unknown, path: string): boolean | null {
  const value = valueAt(from, path);
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : null;
}

const mostListed = 50;

/** A list of texts; of objects in it the field `key` counts, and a single text is a list of one. */
export function listAt(from: unknown, paths: readonly string[], key?: string): string[] {
  for (const path of paths) {
    const value = valueAt(from, path);
    const all = Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
    const texts = all
      .slice(0, mostListed)
      .map((one) => (isObject(one) && key !== undefined ? one[key] : one))
      .filter((one) => typeof one === "string")
      .map((one) => tidy(one).slice(0, 500))
      .filter((one) => one !== "");
    if (texts.length > 0) return [...new Set(texts)];
  }
  return [];
}

/** Without NUL and halves of characters, which no database keeps. */
const tidy = (text: string): string =>
  text
    .replaceAll("\0", "")
    .replaceAll(/\p{Surrogate}/gu, "")
    .trim();
