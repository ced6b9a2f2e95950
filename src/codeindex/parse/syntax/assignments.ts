import { findAssignment, isPath, pathPattern } from "./names.ts";

interface Assignment {
  /** What is given a value: names and paths. */
  readonly targets: readonly Target[];
  /** `name=path` where the value is another name for something. */
  readonly alias: string | undefined;
  /** What the value is, where it can be seen: `number`, `string`, a class that is made. */
  readonly inferred: string | undefined;
  /** Where the sign stands, from the beginning of the text; -1 without one. */
  readonly at: number;
}

interface Target {
  readonly path: string;
  /** A member or an element: something that others may hold as well is changed. */
  readonly isMember: boolean;
}

/** Longer ones are read up to here: the left side comes first. */
export const longestAssignment = 400;

/** Reads `a: T = b`, `a.b += c`, `[a, b] = c`, `a := c`, `let mut a = c`, `a[0] = c` and the like. */
export function readAssignment(text: string, callsMake: boolean): Assignment {
  const at = findAssignment(text);
  const left = at < 0 ? (/^[\w$@*&\s]+/.exec(text)?.[0] ?? "") : text.slice(0, at);
  const right =
    at < 0
      ? ""
      : text
          .slice(at + 1)
          .trim()
          .replace(/;$/, "");
  const targets = readTargets(left);
  const [first] = targets;
  const isPlain = targets.length === 1 && !/[-+*/%|&^<>?.]\s*$/.test(left);
  const isOther = isPlain && first && isPath(right) && !constants.test(right);
  return { targets, at, alias: isOther ? `${first.path}=${right}` : undefined, inferred: inferType(right, callsMake) };
}

const constants = /^(true|false|null|nil|None|True|False|undefined|NULL|nullptr|this|self)$/;

function readTargets(left: string): readonly Target[] {
  const plain = left.trimEnd();
  if (/^[A-Za-z_$][\w$]*$/.test(plain)) return [{ path: plain, isMember: false }];
  const bare = left
    .replace(/[-+*/%|&^<>?.:~]+\s*$/, "")
    .replace(
      /^(?:(?:let|mut|var|const|static|readonly|private|protected|public|export|local|declare|override)\s+|[*&\s]+)+/,
      "",
    );
  if (/^[{[(]/.test(bare)) return namesIn(/^[{[(]([\s\S]*)[}\])]/.exec(bare)?.[1] ?? bare);
  const typed = bare.split(/(?<!:):(?!:)/)[0]?.trim() ?? "";
  return typed.split(",").flatMap((part) => readTarget(part.trim()));
}

function readTarget(part: string): readonly Target[] {
  if (isPath(part)) return [{ path: part, isMember: /[.>]|\w::/.test(part) }];
  const base = /^([^[\]()]+)\[/.exec(part)?.[1]?.trim();
  if (base !== undefined && isPath(base)) return [{ path: base, isMember: true }];
  const last = /[\w$@]+$/.exec(part)?.[0];
  return last && isPath(last) ? [{ path: last, isMember: part.includes(".") }] : [];
}

/** Of a pattern every name that is bound: of `a: b` that is `b`. */
function namesIn(pattern: string): readonly Target[] {
  const found: Target[] = [];
  for (const part of pattern.split(",")) {
    const name = (part.split("=")[0] ?? "").split(":").at(-1)?.match(pathPattern)?.[0];
    if (name) found.push({ path: name, isMember: /[.>]/.test(name) });
  }
  return found;
}

function inferType(value: string, callsMake: boolean): string | undefined {
  const code = value.charCodeAt(0);
  if (code === 34 || code === 39 || code === 96) return "string";
  if (code === 91) return "array";
  if (code === 123) return "object";
  if (code >= 48 && code <= 57) return "number";
  if (/^[frbu]{1,2}["']/i.test(value)) return "string";
  if (/^[-+]?\.?\d/.test(value)) return "number";
  if (/^(true|false)$/i.test(value)) return "boolean";
  if (/^(async\s+)?(function\b|\([^()]*\)\s*=>|\w+\s*=>|lambda\b|func\()/.test(value)) return "function";
  const made = /^(?:new\s+([\w$.\\:]+)|&?([A-Z]\w*)\s*\{|([A-Z]\w*)(?:::|\.)new\b|([A-Z]\w*)\()/.exec(value);
  return made?.[1] ?? made?.[2] ?? made?.[3] ?? (callsMake ? made?.[4] : undefined);
}
