import type { ErrorDefinition, EventDefinition, ToolDefinition } from "./projections/definition.ts";
import { type Change, change, compareSchemas, isSame, levels, worst } from "./schema-change.ts";

/** Everything that is published under one version. */
export interface ContractSet {
  readonly schemaVersion: string;
  readonly tools: Readonly<Record<string, ToolDefinition>>;
  readonly errors: Readonly<Record<string, ErrorDefinition>>;
  readonly events: Readonly<Record<string, EventDefinition>>;
}

/** The version that is due after a released set: its own, raised by the gravest change since. */
export function dueVersion(released: ContractSet, current: ContractSet): string {
  const [major, minor, patch] = numbersOf(released.schemaVersion);
  switch (levels[worst(compareSets(released, current))]) {
    case "major":
      return `${major + 1}.0.0`;
    case "minor":
      return `${major}.${minor + 1}.0`;
    case "patch":
      return `${major}.${minor}.${patch + 1}`;
    default:
      return released.schemaVersion;
  }
}

/** Whether a version says at least as much as another. */
export function isAtLeast(version: string, other: string): boolean {
  const ours = numbersOf(version);
  const theirs = numbersOf(other);
  const place = ours.findIndex((number, index) => number !== theirs[index]);
  return place === -1 || (ours[place] ?? 0) > (theirs[place] ?? 0);
}

/** Everything that changed between two sets. */
export const compareSets = (before: ContractSet, after: ContractSet): Change[] => [
  ...compareNamed(before.tools, after.tools, "tool", compareTools),
  ...compareNamed(before.errors, after.errors, "error", compareErrors),
  ...compareNamed(before.events, after.events, "event", compareEvents),
];

function numbersOf(version: string): [number, number, number] {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (major === undefined) throw new Error(`"${version}" is no version of the form 1.2.3`);
  return [Number(major), Number(minor), Number(patch)];
}

/** What is gone or renamed is a break, what is new is not. */
function compareNamed<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  noun: string,
  compare: (before: T, after: T, at: string) => Change[],
): Change[] {
  const gone = Object.entries(before).flatMap(([name, old]) => {
    const kept = after[name];
    return kept === undefined ? [change("major", `${noun} ${name}`, "is gone")] : compare(old, kept, `${noun} ${name}`);
  });
  const added = Object.keys(after).filter((name) => !(name in before));
  return [...gone, ...added.map((name) => change("minor", `${noun} ${name}`, "is new"))];
}

function compareTools(before: ToolDefinition, after: ToolDefinition, at: string): Change[] {
  return [
    ...compareSchemas(before.input, after.input, "input", `${at} input`),
    ...compareSchemas(before.output, after.output, "output", `${at} output`),
    ...compareNamed(before.operations ?? {}, after.operations ?? {}, `${at} operation`, compareTools),
    ...compareWords(before.aliases, after.aliases, `${at} alias`, "major"),
    ...compareWords(before.callers, after.callers, `${at} caller`, "major"),
    ...compareWords(before.refusals, after.refusals, `${at} refusal`, "minor"),
    ...changed(before, after, "major", ["family", "effect"], at),
    ...changed(before, after, before.isRepeatable ? "major" : "minor", ["isRepeatable"], at),
    ...changed(before, after, "minor", ["timeoutMs"], at),
    ...changed(before, after, "patch", ["title", "summary", "guidance", "examples"], at),
  ];
}

const compareErrors = (before: ErrorDefinition, after: ErrorDefinition, at: string): Change[] => [
  ...changed(before, after, "major", ["kind", "http", "exitCode", "namespaceCode"], at),
  ...changed(before, after, "patch", ["meaning", "hint"], at),
];

const compareEvents = (before: EventDefinition, after: EventDefinition, at: string): Change[] => [
  ...compareSchemas(before.data, after.data, "output", `${at} data`),
  ...changed(before, after, "major", ["announced"], at),
];

function compareWords(
  before: readonly string[],
  after: readonly string[],
  at: string,
  whenGone: "major" | "minor",
): Change[] {
  return [
    ...before.filter((word) => !after.includes(word)).map((word) => change(whenGone, `${at} ${word}`, "is gone")),
    ...after.filter((word) => !before.includes(word)).map((word) => change("minor", `${at} ${word}`, "is new")),
  ];
}

function changed<T extends object>(
  before: T,
  after: T,
  level: Change["level"],
  keys: readonly (keyof T & string)[],
  at: string,
): Change[] {
  return keys.filter((key) => !isSame(before[key], after[key])).map((key) => change(level, at, `has another ${key}`));
}
