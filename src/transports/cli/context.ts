import type { Home } from "../../adapters/home.ts";
import type { LoadProgram } from "../program.ts";
import type { Screen } from "./screen.ts";
import { toJson } from "./text.ts";

/** What a command runs with. */
export interface Context {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly screen: Screen;
  readonly loadProgram: LoadProgram;
}

/** A command's result: as JSON for programs, as lines for people. */
export function answer(context: Pick<Context, "isJson">, value: unknown, lines: () => readonly string[]): void {
  if (context.isJson) printJson(value);
  else for (const line of lines()) print(line);
}

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** One line for programs, indented where a person looks at it. */
export const printJson = (value: unknown): void => print(toJson(value, process.stdout.isTTY ? 2 : undefined));

/** One of several answers, each on a line of its own wherever it goes. */
export const printJsonLine = (value: unknown): void => print(toJson(value));

/** What is not part of the result but good to know; on stderr where the result is copied by programs. */
export function note(
  context: Pick<Context, "isJson" | "isQuiet">,
  line: string,
  to: NodeJS.WritableStream = process.stdout,
): void {
  if (!context.isJson && !context.isQuiet) to.write(`${line}\n`);
}
