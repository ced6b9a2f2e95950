import type { z } from "zod";
import { type DoorSpec, doorOf } from "../contract/door.ts";
import type { AnyTool, ToolSpec } from "../contract/tool.ts";
import type { Look } from "../domain/port.ts";
import type { Work } from "../domain/work.ts";

/** Defines a tool. The input is checked strictly before `handle` sees it: unknown arguments are refused (C2). */
export function defineTool<const Input extends z.ZodObject, const Output extends z.ZodType, Facts = undefined>(
  spec: ToolSpec<Work, Input, Output, Look, Facts>,
): AnyTool {
  return { ...spec, input: spec.input.strict() };
}

/** Defines a tool with operations; see `doorOf`. */
export const defineDoor = (spec: DoorSpec): AnyTool => doorOf(spec);
