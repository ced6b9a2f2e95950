import { UnsafeCredentialsError } from "../../adapters/home.ts";
import { failureIn, failureOf } from "../../contract/envelope.ts";
import { exitCodeOf, exitCodes } from "../../contract/errors.ts";
import { Refusal } from "../../contract/refusal.ts";
import { isStoreHeld } from "../program.ts";
import { type Context, printJson } from "./context.ts";
import { cleanText } from "./text.ts";

/**
 * Tells why a command did not do it: as JSON on stdout for programs, in two lines on stderr for people. `family` is
 * that of the tool that was called, if the answer is the tool's.
 */
export function reportFailure(context: Pick<Context, "isJson" | "env">, error: unknown, family?: string): number {
  if (error instanceof Refusal) {
    const failure = failureOf(error, "");
    if (context.isJson) printJson(failureIn(family, failure));
    else complain(failure.message, ...candidatesOf(failure["candidates"]), failure.hint);
    return exitCodeOf(error.code);
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isStoreHeld(error)) {
    complain(message, "Stop that process, or use another home with --home.");
    return exitCodes.storeHeld;
  }
  complain(message);
  const isExpected = error instanceof UnsafeCredentialsError || isSystemError(error);
  if (!isExpected && error instanceof Error && context.env["MCP_LOG_LEVEL"] === "debug") {
    process.stderr.write(`${error.stack ?? ""}\n`);
  }
  return exitCodes.refused;
}

export function complain(message: string, ...more: readonly string[]): void {
  const lines = [`crewdeck: ${cleanText(message)}`, ...more.map((line) => `  ${cleanText(line)}`)];
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** What an ambiguous id could stand for, one line each. */
const candidatesOf = (candidates: unknown): string[] => (Array.isArray(candidates) ? candidates.map(String) : []);

const isSystemError = (error: unknown): boolean => error instanceof Error && "code" in error && "syscall" in error;
