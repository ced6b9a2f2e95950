/** Names in source text, read without a tree: they look alike in all languages that are parsed. */

/** A name, or several joined to a path; `$` and `@` begin names of variables in some languages. */
export const pathPattern =
  /[$@]{0,2}[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*(?:(?:\?\.|\.|->|::|\\)#?[$A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)*/g;

const wholePath = new RegExp(`^(?:${pathPattern.source})$`);

export const isPath = (text: string): boolean => text.length <= 120 && wholePath.test(text);

/** The names of a path. Most are one name, which costs no splitting. */
export function segmentsOf(path: string): readonly string[] {
  for (let at = path.length - 1; at > 0; at -= 1) {
    const code = path.charCodeAt(at);
    if (code === 46 || code === 58 || code === 62 || code === 92) return path.split(/\?\.|\.|->|::|\\/);
  }
  return [path];
}

/** The path that ends where a called name ends, such as `fs.promises.open`; what is called on a result has no beginning. */
export function pathEndingAt(text: string, end: number): string {
  let at = end;
  const floor = Math.max(0, end - 120);
  while (at > floor && isPathCode(text, at - 1)) at -= 1;
  while (at < end && isJoint(text.charCodeAt(at))) at += 1;
  return text.slice(at, end);
}

function isPathCode(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)) return true;
  if (code === 95 || code === 36 || code === 46 || code === 35 || code === 92 || code >= 128) return true;
  if (code === 58) return text.charCodeAt(at - 1) === 58 || text.charCodeAt(at + 1) === 58;
  if (code === 62) return text.charCodeAt(at - 1) === 45;
  if (code === 45) return text.charCodeAt(at + 1) === 62;
  return (code === 63 && text.charCodeAt(at + 1) === 46) || code === 33;
}

const isJoint = (code: number): boolean =>
  code === 46 || code === 58 || code === 62 || code === 45 || code === 63 || code === 33;

/** The names of the parameters between the brackets. */
export function readParams(text: string, place: "first" | "last" | "dollar"): readonly string[] {
  if (place === "dollar") return [...text.matchAll(/\$(\w+)/g)].map(([, name]) => name ?? "");
  const inner = /^\(/.test(text) ? text.slice(1, -1) : text;
  return splitList(inner).flatMap((part) => readParam(part, place));
}

function readParam(part: string, place: "first" | "last"): readonly string[] {
  const bare = part.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|#[^\n]*/g, "").trim();
  const assigned = findAssignment(bare);
  const named = (assigned < 0 ? bare : bare.slice(0, assigned)).trim();
  if (place === "last") {
    const name = /([A-Za-z_]\w*)\s*(?:\[[^\]]*\])*\s*$/.exec(named)?.[1];
    return name && /[\s*&>\].]/.test(named) ? [name] : [];
  }
  if (/^[{[]/.test(named))
    return [...(named.split(/[}\]]\s*:/)[0]?.matchAll(/[A-Za-z_$][\w$]*/g) ?? [])].map(([name]) => name);
  const words = named.replace(
    /^(?:@\w+(?:\([^)]*\))?\s*|(?:public|private|protected|readonly|override|mut|ref)\s+|[.*&'|]+)*/,
    "",
  );
  const name = /^[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/.exec(words)?.[0];
  return name && name !== "self" && name !== "this" && name !== "cls" ? [name] : [];
}

/** Splits at commas that no bracket encloses. */
function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123 || code === 60) depth += 1;
    else if (code === 41 || code === 93 || code === 125) depth -= 1;
    else if (code === 62 && text.charCodeAt(at - 1) !== 61 && text.charCodeAt(at - 1) !== 45) depth -= 1;
    else if (code === 44 && depth <= 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part.trim() !== "");
}

/** The place of the sign that assigns, not of one that compares or points. */
export function findAssignment(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) depth += 1;
    else if (code === 41 || code === 93 || code === 125) depth -= 1;
    else if (code === 61 && depth <= 0) {
      const next = text.charCodeAt(at + 1);
      const before = text.charCodeAt(at - 1);
      if (next === 61 || next === 62 || next === 126) at += 1;
      else if (before !== 33 && before !== 61) return at;
    }
  }
  return -1;
}
