/** A program that speaks MCP with us. */
export interface McpClient {
  /** As it calls itself; undefined where it does not say. */
  readonly name: string | undefined;
  readonly way: "stdio" | "http";
  /** Whether it asked to be told of progress with this call. */
  readonly hasProgress: boolean;
}

interface Patience {
  /** How its name begins, in lower case with dashes. */
  readonly name: string;
  readonly stdioMs: number;
  readonly httpMs: number;
  /** Where progress begins its time anew. */
  readonly withProgressMs?: number;
}

const seconds = 1_000;
const minutes = 60 * seconds;

/**
 * How long clients let one call take, with a margin, as they were seen to do (docs/clients.md). A call that its client
 * has given up answers nobody, so it ends before.
 */
const known: readonly Patience[] = [
  { name: "claude-code", stdioMs: 25 * minutes, httpMs: 25 * seconds },
  { name: "codex", stdioMs: 4 * minutes, httpMs: 4 * minutes },
  { name: "gemini", stdioMs: 9 * minutes, httpMs: 9 * minutes },
  { name: "opencode", stdioMs: 25 * seconds, httpMs: 25 * seconds, withProgressMs: 9 * minutes },
  { name: "jcode", stdioMs: 25 * seconds, httpMs: 25 * seconds },
];

/** Most clients are built with the SDK, which gives a call a minute. */
const unknown: Omit<Patience, "name"> = { stdioMs: 50 * seconds, httpMs: 50 * seconds };

/** Without a client that has a limit of its own: a program that asks over plain HTTP says how long it waits. */
export const longestWaitMs = 25 * minutes;

/** How long a wait may last so that the client is still there to hear its end. */
export function patienceOf(client: McpClient | undefined): number {
  if (!client) return longestWaitMs;
  const name = (client.name ?? "").toLowerCase().replaceAll(/[\s_]+/g, "-");
  const { stdioMs, httpMs, withProgressMs } = known.find((one) => name.startsWith(one.name)) ?? unknown;
  if (client.hasProgress && withProgressMs !== undefined) return withProgressMs;
  return client.way === "stdio" ? stdioMs : httpMs;
}

/** How long a program waits that speaks no MCP and says nothing about it. */
export const plainWaitMs = 50 * seconds;
