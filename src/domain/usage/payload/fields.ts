import { Refusal } from "../../../contract/refusal.ts";
import { mostDollars, nanosOf } from "../money-model.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** More tokens than any single report can be about; a figure beyond it is a mistake or an attack. */
const mostTokens = 1_000_000_000;

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** The object at the end of a path of keys. */
export const fieldsAt = (value: unknown, ...path: readonly string[]): Fields | undefined =>
  path.reduce<Fields | undefined>((at, key) => fieldsOf(own(at, key)), fieldsOf(value));

/** The first object that one of the paths leads to. */
export const firstFields = (value: unknown, paths: readonly (readonly string[])[]): Fields | undefined =>
  paths.map((path) => fieldsAt(value, ...path)).find((found) => found !== undefined);

/** The count under the first of these keys that is there. What is there and no count is refused, by our own word for it. */
export function countIn(fields: Fields | undefined, what: string, ...keys: readonly string[]): number | undefined {
  const value = valueIn(fields, keys);
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostTokens) return value;
  throw new Refusal(
    "INVALID_INPUT",
    `The payload's ${what} is no count of tokens.`,
    `Counts are whole numbers from 0 to ${mostTokens}. Nothing was recorded.`,
    { counter: what },
  );
}

/** An amount of dollars under the first of these keys that is there, `perDollar` units to one. */
export function costIn(fields: Fields | undefined, perDollar: 1 | 100, ...keys: readonly string[]): bigint | null {
  const value = valueIn(fields, keys);
  if (value === undefined) return null;
  if (typeof value === "number" && value >= 0 && value / perDollar <= mostDollars) return nanosOf(value / perDollar);
  throw new Refusal(
    "INVALID_INPUT",
    "The payload's cost is no amount of money.",
    `A cost is a number of dollars from 0 to ${mostDollars}. Nothing was recorded.`,
    { counter: "cost" },
  );
}

/** The name of a model under the first of these keys that has a plain one. */
export function modelIn(places: readonly (Fields | undefined)[], ...keys: readonly string[]): string | null {
  for (const place of places) {
    for (const key of keys) {
      const name = own(place, key);
      if (typeof name === "string" && isModelName(name)) return name;
    }
  }
  return null;
}

/** It is the only text of a payload that is kept, so it must look like a name and not like a secret. */
const isModelName = (text: string): boolean =>
  /^[A-Za-z0-9][\w.:/@+[\]-]{0,99}$/.test(text) && !/^(cdk_|sk-|sk_|ghp_|gho_|github_pat_|xox|AKIA|eyJ)/i.test(text);

const valueIn = (fields: Fields | undefined, keys: readonly string[]): unknown =>
  keys.map((key) => own(fields, key)).find((value) => value !== undefined && value !== null);

const own = (fields: Fields | undefined, key: string): unknown =>
  fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;
