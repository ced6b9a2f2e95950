import type { AnyTool } from "../../src/contract/tool.ts";
import type { Belongings } from "./belongings.ts";

/** From whose records an argument is filled. `null`: anyone may name it, it belongs to the team. */
type Maker = ((of: Belongings) => unknown) | null;

/** One line for each argument that names a record. A plain `id` counts as the `noun_id` of its tool's noun. */
const makers: Readonly<Record<string, Maker>> = {
  agent_id: (of) => of.agent,
  sender_id: (of) => of.agent,
  message_id: (of) => of.message,
  message_ids: (of) => [of.message],
  reply_to_id: (of) => of.message,
  token_id: (of) => of.token,
  handle: (of) => of.handle,
  developer: (of) => of.handle,
  recipient_id: null,
  workflow_id: null,
  task_id: null,
  current_task_id: null,
};

const namesRecord = (key: string): boolean => /(^|_)ids?$/.test(key) || key === "handle" || key === "developer";

/** One thing an attacker can do: call this, with the foreign record in this argument. */
export interface Target {
  readonly title: string;
  readonly tool: AnyTool;
  /** The definition that reads the arguments: the tool's own, or that of one operation of a door. */
  readonly definition: AnyTool;
  /** What the operation adds to the arguments. */
  readonly operation: Readonly<Record<string, string>>;
}

/** Everything that can be called, a door once for each of its operations. */
export const listTargets = (tools: readonly AnyTool[]): Target[] =>
  tools.flatMap((tool) =>
    tool.operations === undefined
      ? [{ title: tool.name, tool, definition: tool, operation: {} }]
      : Object.entries(tool.operations).map(([operation, definition]) => ({
          title: `${tool.name} ${operation}`,
          tool,
          definition,
          operation: { operation },
        })),
  );

/** The arguments that must be refused when they name somebody else's record: all of a change, the actor of a read. */
export function listForgeries({
  title,
  tool,
  definition,
}: Target): { key: string; make: (of: Belongings) => unknown }[] {
  const keys = Object.keys(definition.input.shape).filter(namesRecord);
  const actorKey = definition.actorKey ?? tool.actorKey;
  const exposed = definition.effect === "read" ? keys.filter((key) => key === actorKey) : keys;
  return exposed.flatMap((key) => {
    const make = makerOf(title, key);
    return make === null ? [] : [{ key, make }];
  });
}

function makerOf(title: string, key: string): Maker {
  const noun = title.split("_")[0] ?? "";
  const name = key === "id" ? `${noun}_id` : key;
  const maker = makers[name];
  if (maker === undefined) {
    throw new Error(`no id maker for the argument ${key} of ${title}: add a line ${name} to tests/attack/id-makers.ts`);
  }
  return maker;
}
