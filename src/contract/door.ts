import { z } from "zod";
import { Refusal } from "./refusal.ts";
import type { Actor, AnyTool, Door, Effect, OperationsOf } from "./tool.ts";
import { unfitArguments } from "./unfit-arguments.ts";

export interface DoorSpec<
  Name extends string = string,
  Output extends z.ZodType = z.ZodType,
  Operations extends OperationsOf<Output> = OperationsOf<Output>,
> {
  readonly name: Name;
  readonly family: AnyTool["family"];
  readonly title: string;
  readonly summary: string;
  readonly guidance?: string;
  readonly keywords?: string;
  /** See `ToolSpec`. */
  readonly actor?: Actor;
  statusOf?(answer: z.input<Output>): string;
  readonly output: Output;
  readonly operations: Operations;
}

/**
 * A tool with operations. Clients flatten or skip root unions, so a door publishes one flat object: `operation` plus
 * every key of every operation, optional. The chosen operation then checks its own keys strictly.
 */
export function doorOf<Name extends string, Output extends z.ZodType, Operations extends OperationsOf<Output>>(
  spec: DoorSpec<Name, Output, Operations>,
): Door<Name, Output, Operations> {
  const names = Object.keys(spec.operations) as [string, ...string[]];
  const operations = Object.values(spec.operations);
  // A call is looked at before its transaction and decided in it, with the same arguments.
  const choices = new WeakMap<object, Choice<Output>>();
  const chooseOnce = (input: Record<string, unknown>): Choice<Output> => {
    const choice = choices.get(input) ?? choose(spec, input);
    choices.set(input, choice);
    return choice;
  };
  return {
    name: spec.name,
    family: spec.family,
    title: spec.title,
    summary: spec.summary,
    ...(spec.guidance === undefined ? {} : { guidance: spec.guidance }),
    ...(spec.keywords === undefined ? {} : { keywords: spec.keywords }),
    ...(spec.actor === undefined ? {} : { actor: spec.actor }),
    ...(spec.statusOf === undefined ? {} : { statusOf: spec.statusOf }),
    effect: strongestEffect(operations.map((operation) => operation.effect)),
    callers: [...new Set(operations.flatMap((operation) => operation.callers))],
    input: z.strictObject({ operation: z.enum(names).describe("What to do."), ...sharedKeys(spec) }),
    output: spec.output,
    refusals: [...new Set(operations.flatMap((operation) => operation.refusals))],
    examples: names.flatMap((name) =>
      (spec.operations[name]?.examples ?? []).map((example) => ({
        title: `${name}: ${example.title}`,
        input: { operation: name, ...example.input },
      })),
    ),
    operations: spec.operations,
    async observe(input, look) {
      const { chosen, own } = chooseOnce(input);
      return chosen.observe?.(own, look);
    },
    async handle(input, work, facts) {
      const { chosen, own } = chooseOnce(input);
      return chosen.handle(own, work, facts);
    },
  };
}

interface Choice<Output extends z.ZodType> {
  readonly chosen: OperationsOf<Output>[string];
  readonly own: Record<string, unknown>;
}

/** The operation a call names, and its own arguments, strictly checked. */
function choose<Output extends z.ZodType>(
  spec: DoorSpec<string, Output>,
  input: Record<string, unknown>,
): Choice<Output> {
  const { operation, ...rest } = input as { operation: string };
  const chosen = spec.operations[operation];
  if (!chosen) throw new Refusal("INVALID_REQUEST", `${spec.name} has no such operation.`);
  const parsed = chosen.input.safeParse(rest);
  if (parsed.success) return { chosen, own: parsed.data };
  throw unfitArguments(parsed.error, rest, chosen.input);
}

/** Every key of every operation, in the words of the first that has it: all mean the same (`refuseAmbiguousKeys`). */
function sharedKeys(spec: DoorSpec): Record<string, z.ZodType> {
  const keys: Record<string, z.ZodType> = {};
  for (const { input } of Object.values(spec.operations)) {
    for (const [key, schema] of keysOf(input)) keys[key] ??= publishedKey(schema);
  }
  return keys;
}

/**
 * Throws where a key means two things in two operations of a door. Asked when definitions are published, not whenever
 * the program starts: comparing all keys takes longer than defining them.
 */
export function refuseAmbiguousKeys({ name, operations = {} }: AnyTool): void {
  const meanings = new Map<string, string>();
  for (const [operation, { input }] of Object.entries(operations)) {
    for (const [key, schema] of keysOf(input)) {
      if (key === "operation") throw new Error(`${name}: ${operation} takes a key that the door itself needs`);
      const meaning = meaningOf(publishedKey(schema));
      if ((meanings.get(key) ?? meaning) !== meaning) {
        throw new Error(`${name}: the key ${key} means something else in ${operation}`);
      }
      meanings.set(key, meaning);
    }
  }
}

const keysOf = (input: z.ZodObject): [string, z.ZodType][] => Object.entries(input.shape as Record<string, z.ZodType>);

/** Optional and without its default: that is filled in by the operation that has the key, never for one that has not. */
function publishedKey(schema: z.ZodType): z.ZodType {
  let bare = schema;
  while (bare instanceof z.ZodDefault || bare instanceof z.ZodOptional || bare instanceof z.ZodPrefault) {
    bare = bare.unwrap() as z.ZodType;
  }
  return withoutOwnChecks(bare)
    .optional()
    .describe(schema.description ?? bare.description ?? "");
}

/** What only code can check is one operation's rule about its key, and no other's. */
function withoutOwnChecks(schema: z.ZodType): z.ZodType {
  const { def } = schema._zod;
  const checks = def.checks?.filter((check) => check._zod.def.check !== "custom");
  return checks?.length === def.checks?.length ? schema : schema.clone({ ...def, ...(checks ? { checks } : {}) });
}

const meaningOf = (schema: z.ZodType): string => JSON.stringify(z.toJSONSchema(schema, { io: "input" }));

const strength: readonly Effect[] = ["read", "create", "change", "destroy"];

const strongestEffect = (effects: readonly Effect[]): Effect =>
  effects.reduce((strongest, effect) => (strength.indexOf(effect) > strength.indexOf(strongest) ? effect : strongest));
