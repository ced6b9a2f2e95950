import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { type Input, prepareExamples } from "../contract/examples.ts";

/** Puts records that belong to this caller where an input has `$agent`, `$task` and their like. */
export function fillFor(house: TestHouse, caller: Caller): (input: Input) => Promise<Input> {
  const fill = prepareExamples((tool, args) => house.call(tool, args, caller));
  return (input) => fill(replaceNames(input, (name) => (name === "$handle" ? caller.handle : name)));
}

/** The same input with something plausible in those places: arguments are read before anything is looked up. */
export const fillBlindly = (input: Input): Input => replaceNames(input, (name) => name.slice(1));

const replaceNames = (input: Input, replace: (name: string) => string): Input => {
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return value.startsWith("$") ? replace(value) : value;
    if (Array.isArray(value)) return value.map(walk);
    return typeof value === "object" && value !== null ? replaceNames(value as Input, replace) : value;
  };
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, walk(value)]));
};
