import { refuseAmbiguousKeys } from "../door.ts";
import { sayHint } from "../envelope.ts";
import { type ErrorEntry, errors, exitCodeOf, namespaceCode } from "../errors.ts";
import { type EventShape, knownEvents } from "../event.ts";
import type { JsonSchema } from "../json-schema.ts";
import type { AnyTool, Effect, Example } from "../tool.ts";
import { inputSchemaOf, outputSchemaOf } from "./schema.ts";

/** A tool's whole definition as it is published, one JSON file each. Versions are computed from these (CT34). */
export interface ToolDefinition {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly family: string;
  readonly title: string;
  readonly summary: string;
  readonly guidance?: string;
  readonly effect: Effect;
  readonly isRepeatable: boolean;
  readonly callers: readonly string[];
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly refusals: readonly string[];
  readonly examples: readonly Example[];
  readonly timeoutMs?: number;
  /** The operations of a door by name. */
  readonly operations?: Readonly<Record<string, ToolDefinition>>;
}

export function toDefinition(tool: AnyTool): ToolDefinition {
  refuseAmbiguousKeys(tool);
  return {
    name: tool.name,
    aliases: tool.aliases ?? [],
    family: tool.family,
    title: tool.title,
    summary: tool.summary,
    ...(tool.guidance === undefined ? {} : { guidance: tool.guidance }),
    effect: tool.effect,
    isRepeatable: tool.effect === "read" || tool.isRepeatable === true,
    callers: tool.callers,
    input: inputSchemaOf(tool.input),
    output: outputSchemaOf(tool.output),
    refusals: tool.refusals,
    examples: tool.examples,
    ...(tool.limits?.timeoutMs === undefined ? {} : { timeoutMs: tool.limits.timeoutMs }),
    ...(tool.operations === undefined ? {} : { operations: definitionsOf(tool.operations) }),
  };
}

function definitionsOf(operations: Readonly<Record<string, AnyTool>>): Record<string, ToolDefinition> {
  return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, toDefinition(operation)]));
}

/** An error code as it is published. */
export interface ErrorDefinition extends Omit<ErrorEntry, "hint"> {
  readonly hint: string;
  readonly namespaceCode: string;
  readonly exitCode: number;
}

export function errorDefinitions(): Record<string, ErrorDefinition> {
  const codes = Object.keys(errors) as (keyof typeof errors)[];
  return Object.fromEntries(
    codes.sort().map((code) => [
      code,
      {
        ...errors[code],
        hint: sayHint(errors[code].hint),
        namespaceCode: namespaceCode(code),
        exitCode: exitCodeOf(code),
      },
    ]),
  );
}

/** A kind of event as it is published. */
export interface EventDefinition {
  readonly announced: string;
  readonly data: JsonSchema;
}

/** Every kind the loaded nouns have defined. */
export function eventDefinitions(): Record<string, EventDefinition> {
  const byKind = (one: [string, EventShape], other: [string, EventShape]): number => (one[0] < other[0] ? -1 : 1);
  return Object.fromEntries(
    [...knownEvents]
      .sort(byKind)
      .map(([kind, shape]) => [kind, { announced: shape.announced, data: outputSchemaOf(shape.data) }]),
  );
}
