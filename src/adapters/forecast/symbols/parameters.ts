import type { Definition } from "./definitions.ts";
import type { Family } from "./families.ts";

/** Whether those who call what was defined before can no longer call it so. */
export function breaksCallers(before: Definition, after: Definition, family: Family): boolean {
  if (before.parameters.length === 0 || after.parameters.length === 0) return false;
  // Of several under one name one that stays as it was is as good as before.
  return before.parameters.some((old) => !after.parameters.some((now) => takesSame(old, now, family)));
}

/** What was passed before can be passed now: the first are as they were, and what is new can be left out. */
function takesSame(old: readonly string[], now: readonly string[], family: Family): boolean {
  if (now.length < old.length) return false;
  return now.every((parameter, at) => {
    const before = old[at];
    if (before === undefined) return isOptional(parameter, family);
    if (keyOf(parameter, family) !== keyOf(before, family)) return false;
    return !isOptional(before, family) || isOptional(parameter, family);
  });
}

const isOptional = (parameter: string, family: Family): boolean => {
  if (family === "py") return /^\*|=/.test(parameter);
  if (family === "js") return /^\.\.\.|^[\w$]+\?|=/.test(parameter);
  return family === "go" || family === "java" ? /\.\.\./.test(parameter) : false;
};

/** Where types must fit, the type counts; elsewhere what a caller can name. */
function keyOf(parameter: string, family: Family): string {
  if (family === "java" || family === "rs") return typeOf(parameter, family);
  if (family === "go") return parameter.replace(/^\w+ (?=\S)/, "");
  if (family === "js") return /^[{[]/.test(parameter) ? "{}" : "any";
  return parameter.replace(/[:=].*$/, "").trim();
}

const typeOf = (parameter: string, family: Family): string =>
  family === "rs"
    ? parameter.replace(/^[^:]*:\s*/, "")
    : parameter.replace(/(?:@\w+|\bfinal)\s+/g, "").replace(/\s+[\w$]+$/, "");
