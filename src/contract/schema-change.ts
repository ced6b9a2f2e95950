import type { JsonSchema } from "./json-schema.ts";

/** How much a change asks of those who use the contract, in the words of semantic versioning. */
export const levels = ["patch", "minor", "major"] as const;
export type Level = (typeof levels)[number];

export interface Change {
  readonly level: Level;
  /** What changed, with its place, for the person who has to choose the version. */
  readonly what: string;
}

/** An input may accept more, an output may promise more; the other way round is a break. */
type Side = "input" | "output";

interface Pair {
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly side: Side;
  readonly at: string;
}

/** Everything that changed between two published schemas, with the level each change is worth. */
export function compareSchemas(before: JsonSchema, after: JsonSchema, side: Side, at: string): Change[] {
  if (isSame(before, after)) return [];
  const pair = { before, after, side, at };
  return [
    ...(before.description === after.description ? [] : [change("patch", at, "is described in other words")]),
    ...(side === "output" || isSame(before.default, after.default) ? [] : [change("major", at, "has another default")]),
    ...(before.anyOf || after.anyOf ? compareBranches(pair) : compareSingle(pair)),
  ];
}

export const change = (level: Level, at: string, what: string): Change => ({ level, what: `${at} ${what}` });

export const worst = (changes: readonly Change[]): number =>
  changes.reduce((most, { level }) => Math.max(most, levels.indexOf(level)), -1);

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Every branch that was accepted must still fit one; of an answer, every branch that is given must have been there. */
function compareBranches({ before, after, side, at }: Pair): Change[] {
  const old = before.anyOf ?? [before];
  const now = after.anyOf ?? [after];
  const [kept, offered] = side === "input" ? [old, now] : [now, old];
  const closest = kept.map((branch) =>
    offered
      .map((other) => (side === "input" ? [branch, other] : [other, branch]))
      .map(([one, two]) => compareSchemas(bare(one), bare(two), side, at))
      .reduce((best, changes) => (worst(changes) < worst(best) ? changes : best), [lostBranch(at)]),
  );
  const isGrown = offered.length > kept.length ? [change("minor", at, "has another choice of shapes")] : [];
  return [...closest.flat(), ...isGrown];
}

/** The shape alone: what is said around it is compared once, outside. */
function bare({ description: _description, default: _default, ...shape }: JsonSchema = {}): JsonSchema {
  return shape;
}

/** Nobody relied on the default of a key that everybody had to give. */
const withoutDefault = ({ default: _default, ...schema }: JsonSchema): JsonSchema => schema;

const lostBranch = (at: string): Change => change("major", at, "no longer has one of its shapes");

function compareSingle(pair: Pair): Change[] {
  const types = compareTypes(pair);
  if (worst(types) === levels.indexOf("major")) return types;
  return [...types, ...compareValues(pair), ...compareBounds(pair), ...compareItems(pair), ...compareKeys(pair)];
}

const wider = ({ side, at }: Pair, what: string): Change => change(side === "input" ? "minor" : "major", at, what);
const narrower = ({ side, at }: Pair, what: string): Change => change(side === "input" ? "major" : "minor", at, what);

function compareTypes(pair: Pair): Change[] {
  const { before, after } = pair;
  if (before.type === after.type) return [];
  const what = `is ${after.type ?? "anything"}, was ${before.type ?? "anything"}`;
  if (contains(after.type, before.type)) return [wider(pair, what)];
  return contains(before.type, after.type) ? [narrower(pair, what)] : [change("major", pair.at, what)];
}

const contains = (outer: string | undefined, inner: string | undefined): boolean =>
  outer === undefined || (outer === "number" && inner === "integer");

/** A word that is added is no break even in an answer: lists of words grow, and readers are told to expect it. */
function compareValues(pair: Pair): Change[] {
  const old = valuesOf(pair.before);
  const now = valuesOf(pair.after);
  if (old === undefined && now === undefined) return [];
  if (old === undefined) return [narrower(pair, "allows only certain values")];
  if (now === undefined) return [wider(pair, "allows any value")];
  const lost = old.filter((value) => !now.includes(value));
  const gained = now.filter((value) => !old.includes(value));
  return [
    ...lost.map((value) => change("major", pair.at, `no longer has the value ${JSON.stringify(value)}`)),
    ...gained.map((value) => change("minor", pair.at, `has the new value ${JSON.stringify(value)}`)),
  ];
}

const valuesOf = (schema: JsonSchema): readonly unknown[] | undefined =>
  schema.enum ?? ("const" in schema ? [schema.const] : undefined);

const lowerBounds = ["minLength", "minItems", "minimum", "exclusiveMinimum"] as const;
const upperBounds = ["maxLength", "maxItems", "maximum", "exclusiveMaximum"] as const;
const forms = ["pattern", "format", "multipleOf"] as const;

function compareBounds(pair: Pair): Change[] {
  const { before, after } = pair;
  const compare = (keyword: keyof JsonSchema, isNarrower: boolean, isWider: boolean): Change[] => [
    ...(isNarrower ? [narrower(pair, `has a stricter ${keyword}`)] : []),
    ...(isWider ? [wider(pair, `has a looser ${keyword}`)] : []),
  ];
  return [
    ...lowerBounds.flatMap((keyword) => {
      const [old, now] = [before[keyword] ?? -Infinity, after[keyword] ?? -Infinity];
      return compare(keyword, now > old, now < old);
    }),
    ...upperBounds.flatMap((keyword) => {
      const [old, now] = [before[keyword] ?? Infinity, after[keyword] ?? Infinity];
      return compare(keyword, now < old, now > old);
    }),
    ...forms
      .filter((keyword) => before[keyword] !== after[keyword])
      .flatMap((keyword) => compare(keyword, after[keyword] !== undefined, before[keyword] !== undefined)),
  ];
}

function compareItems({ before, after, side, at }: Pair): Change[] {
  return before.items || after.items ? compareSchemas(before.items ?? {}, after.items ?? {}, side, `${at}[]`) : [];
}

function compareKeys(pair: Pair): Change[] {
  const { before, after, side, at } = pair;
  const old = before.properties ?? {};
  const now = after.properties ?? {};
  const changes = Object.entries(old).flatMap(([key, schema]) => {
    const kept = now[key];
    return kept
      ? [
          ...compareSchemas(schema, isRequired(before, key) ? withoutDefault(kept) : kept, side, `${at}.${key}`),
          ...compareNeed(pair, key),
        ]
      : [change("major", `${at}.${key}`, "is gone")];
  });
  const added = Object.entries(now).flatMap(([key, schema]) => (key in old ? [] : compareAdded(pair, key, schema)));
  return [...changes, ...added, ...compareOpenness(pair)];
}

const isRequired = (schema: JsonSchema, key: string): boolean => schema.required?.includes(key) ?? false;

function compareNeed({ before, after, side, at }: Pair, key: string): Change[] {
  const was = isRequired(before, key);
  const is = isRequired(after, key);
  if (was === is) return [];
  const place = `${at}.${key}`;
  const isBreak = is === (side === "input");
  return [change(isBreak ? "major" : "minor", place, is ? "is required now" : "is optional now")];
}

function compareAdded({ before, after, side, at }: Pair, key: string, schema: JsonSchema): Change[] {
  const place = `${at}.${key}`;
  if (side === "input" && isRequired(after, key)) return [change("major", place, "is new and required")];
  const anythingBefore = openness(before);
  const isTakenFromOpen = side === "input" && anythingBefore !== false;
  return [
    change("minor", place, "is new"),
    ...(isTakenFromOpen ? compareSchemas(bare(anythingBefore), bare(schema), side, place) : []),
  ];
}

/** What an object says about keys it does not name. */
function openness({ additionalProperties: further = true }: JsonSchema): JsonSchema | false {
  return further === true ? {} : further;
}

function compareOpenness(pair: Pair): Change[] {
  const old = openness(pair.before);
  const now = openness(pair.after);
  if (old === false) return now === false ? [] : [wider(pair, "takes further keys")];
  if (now === false) return [narrower(pair, "takes no further keys")];
  return compareSchemas(old, now, pair.side, `${pair.at}.*`);
}
