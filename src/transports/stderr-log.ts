import type { DestinationStream } from "pino";
import type { Log } from "../engine/log.ts";

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/**
 * The process's log: lines of JSON on stderr, never stdout, at the level `MCP_LOG_LEVEL` asks for. `to` is another
 * place to write to.
 */
export async function openLog(
  fallback: "info" | "warn",
  env: NodeJS.ProcessEnv = process.env,
  to?: DestinationStream,
): Promise<Log> {
  const { pino } = await import("pino");
  const asked = env["MCP_LOG_LEVEL"]?.toLowerCase() ?? "";
  const log: Log = pino(
    {
      level: levels.includes(asked) ? asked : fallback,
      base: { pid: process.pid },
      redact: ["token", "*.token", "authorization", "*.authorization", "headers.cookie", "*.headers.cookie"],
      formatters: { log: cleanAll },
      serializers: { err: (error: Error) => cleanAll(pino.stdSerializers.err(error)) },
    },
    to ?? pino.destination({ dest: 2, sync: true }),
  );
  return log;
}

const longestText = 10_000;

/** Errors quote what they failed on: a text in a log is cut, and a token that got into one cannot be read there. */
const cleanAll = (facts: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === "string" ? clean(value) : value]),
  );

const clean = (text: string): string => text.slice(0, longestText).replace(/cdk_[\w-]+/g, "cdk_…");
