import type { Caller } from "../../src/contract/caller.ts";
import type { AnyTool } from "../../src/contract/tool.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { type Input, prepareExamples } from "../contract/examples.ts";
import type { Target } from "./id-makers.ts";

/** In every text that was planted. */
export const bird = "quokka";

/** Words that a developer left behind, by the argument each was given in. */
export const canariesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(new RegExp(`${bird}-([a-z_]+)`, "g"))].map(([, key]) => key ?? "")),
];

/** What names another record, and the names of tasks by which the examples find them again. */
const isKept = (key: string, value: string): boolean =>
  /(^|_)ids?$|^(operation|handle|developer|to|depends_on|config_hash)$/.test(key) ||
  (key === "name" && ["Free", "Held", "Running"].includes(value));

/** The same arguments with a canary in every text that the definition takes one in. */
export function plantCanaries(definition: AnyTool, args: Input): Input {
  const reverted = new Set<string>();
  for (;;) {
    const planted = plant(args, "", [], reverted) as Input;
    const { operation: _, ...own } = planted;
    const parsed = definition.input.safeParse(own);
    if (parsed.success) return planted;
    const places = parsed.error.issues.map(({ path }) => path.join("."));
    const before = reverted.size;
    for (const place of places) reverted.add(place);
    if (reverted.size === before) return args;
  }
}

function plant(value: unknown, key: string, path: readonly PropertyKey[], reverted: ReadonlySet<string>): unknown {
  if (typeof value === "string") {
    const isReverted = path.some((_, at) => reverted.has(path.slice(0, at + 1).join(".")));
    return isKept(key, value) || isReverted
      ? value
      : `${value}-${bird}-${key.toLowerCase().replaceAll(/[^a-z_]/g, "_")}`;
  }
  if (Array.isArray(value)) return value.map((item, at) => plant(item, key, [...path, at], reverted));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, plant(item, name, [...path, name], reverted)]),
  );
}

/** Calls like any caller, with canaries wherever they are taken; where they are not, as it was asked. */
export class CanaryCaller {
  readonly #house: TestHouse;
  readonly #caller: Caller;
  readonly #targets: readonly Target[];

  constructor(house: TestHouse, caller: Caller, targets: readonly Target[]) {
    this.#house = house;
    this.#caller = caller;
    this.#targets = targets;
  }

  async reply(tool: string, args: Input): Promise<{ ok: boolean; value?: unknown }> {
    const definition = this.#targets.find(
      (target) =>
        target.tool.name === tool && (target.operation["operation"] ?? args["operation"]) === args["operation"],
    )?.definition;
    const planted = definition === undefined ? args : plantCanaries(definition, args);
    const reply = await this.#house.reply(tool, planted, this.#caller);
    return reply.ok ? reply : this.#house.reply(tool, args, this.#caller);
  }

  /** Puts records of theirs, full of canaries, where an input has `$agent`, `$task` and their like. */
  fill(input: Input): Promise<Input> {
    const fill = prepareExamples(async (tool, args) => {
      const reply = await this.reply(tool, args);
      if (!reply.ok) throw new Error(`${tool} was refused`);
      return reply.value as Record<string, unknown>;
    });
    return fill(
      JSON.parse(JSON.stringify(input).replaceAll('"$handle"', JSON.stringify(this.#caller.handle))) as Input,
    );
  }
}
