import type { Call } from "./call.ts";
import type { House } from "./house.ts";

type Wrapping = Pick<Call, "tool" | "args" | "isExcluded">;

/**
 * `call_tool` stands for the tool it names, whichever way it came in (HT26, MC23): that tool is then checked, limited and
 * recorded under its own name. What does not fit `call_tool` stays as it is, for dispatch to refuse.
 */
export function unwrapCall<Given extends Wrapping>(house: Pick<House, "tools">, call: Given): Given {
  if (call.tool !== wrapper || call.isExcluded?.(wrapper)) return call;
  const parsed = house.tools.get(wrapper)?.input.safeParse(call.args ?? {});
  if (!parsed?.success) return call;
  const { name, arguments: args } = parsed.data as { name: string; arguments: unknown };
  return name === wrapper ? call : { ...call, tool: name, args };
}

const wrapper = "call_tool";
