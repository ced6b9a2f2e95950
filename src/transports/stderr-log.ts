import type { Log } from "../engine/log.ts";

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** The process's log: lines of JSON on stderr, never stdout, at the level `MCP_LOG_LEVEL` asks for. */
export async function openLog(fallback: "info" | "warn", env: NodeJS.ProcessEnv = process.env): Promise<Log> {
  const { pino } = await import("pino");
  const asked = env["MCP_LOG_LEVEL"]?.toLowerCase() ?? "";
  const log: Log = pino(
    {
      level: levels.includes(asked) ? asked : fallback,
      base: { pid: process.pid },
      redact: ["token", "*.token", "authorization", "*.authorization", "headers.cookie", "*.headers.cookie"],
    },
    pino.destination({ dest: 2, sync: true }),
  );
  return log;
}
