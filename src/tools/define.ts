import type { z } from "zod";
import { type DoorSpec, doorOf } from "../contract/door.ts";
import type { Door, OperationsOf, Route, ToolSpec } from "../contract/tool.ts";
import type { Look } from "../domain/port.ts";
import type { Work } from "../domain/work.ts";
import { nextStepWords } from "./next-steps.ts";

/** A tool of this house, with all that its definition says about types. */
type Tool<
  Name extends string,
  Shape extends z.core.$ZodLooseShape,
  Output extends z.ZodType,
  Facts,
  Routes extends readonly Route[],
> = ToolSpec<Work, z.ZodObject<Shape, z.core.$strict>, Output, Look, Facts, Name, Routes>;

/** Defines a tool. The input is checked strictly before `handle` sees it: unknown arguments are refused (ID19). */
export function defineTool<
  const Name extends string,
  Shape extends z.core.$ZodLooseShape,
  Output extends z.ZodType,
  Facts = undefined,
  const Routes extends readonly Route[] = readonly [],
>(
  spec: ToolSpec<Work, z.ZodObject<Shape>, Output, Look, Facts, Name, Routes>,
): Tool<Name, Shape, Output, Facts, Routes> {
  return { nextSteps: nextStepWords, ...spec, input: spec.input.strict() };
}

/** Defines a tool with operations; see `doorOf`. */
export const defineDoor = <
  const Name extends string,
  Output extends z.ZodType,
  Operations extends OperationsOf<Output>,
>(
  spec: DoorSpec<Name, Output, Operations>,
): Door<Name, Output, Operations> => ({ ...doorOf(spec), nextSteps: nextStepWords });
