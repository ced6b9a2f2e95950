import { callOf, programLine } from "../../../adapters/program-line.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { exitCodes } from "../../../contract/errors.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { isStoreHeld, type RunningServer } from "../../program.ts";
import { openLog } from "../../stderr-log.ts";
import { answer, type Context, note } from "../context.ts";
import { complain, reportFailure } from "../failure.ts";
import { awaitServer } from "../progress.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { findSignInLink, openDeck } from "./up.ts";

interface Options {
  readonly port?: string;
  readonly host?: string;
  readonly database?: string;
  readonly open?: true;
  readonly background?: true;
}

export function addServe(shell: Shell): void {
  const command = shell
    .add({
      name: "serve",
      makesHome: true,
      summary: "Run the server in the foreground",
      examples: [
        "serve",
        "serve --port 0 --json",
        "serve --database postgres://user@host/crewdeck",
        "serve --background",
      ],
    })
    .option(
      "--port <number>",
      "port, 0 for any free one (default: $MCP_SERVER_PORT, else the last one used, else 3001)",
    )
    .option("--host <name>", "address to listen on (default: 127.0.0.1)")
    .option("--database <url>", "a postgres:// address or a SQLite file (default: $MCP_DATABASE_PATH, else the home's)")
    .option("--open", "open the deck in a browser")
    .option("--background", "start in the background and return");
  shell.does<Options>(command, async (context, options) => {
    const port = readPort(options.port ?? (context.env["MCP_SERVER_PORT"] || undefined));
    return options.background ? startBehind(context, options) : serveHere(context, options, port);
  });
}

async function serveHere(context: Context, options: Options, port: number | undefined): Promise<number> {
  const stopped = stopSignal();
  let server: RunningServer;
  try {
    const { startServer } = await context.loadProgram();
    server = await startServer({
      home: context.home,
      port,
      host: options.host,
      database: options.database,
      log: await openLog("info"),
      allowFreePort: port === undefined,
    });
  } catch (error) {
    return reportFailedStart(context, error, port);
  }
  const signIn = context.isJson ? undefined : await findSignInLink(context, server.url);
  const { url, pid, home } = server;
  answer(context, { url, pid, home }, () => [
    `Crewdeck is running at ${url}`,
    "",
    ...table([
      ["Deck", signIn ?? url],
      ["Agents", `add this MCP server command: ${callOf(programLine(context.home, context.env), "mcp")}`],
      ["Data", home],
      ["Stop", "Ctrl-C"],
    ]),
  ]);
  if (options.open) openDeck(context, signIn ?? url);
  await stopped;
  await closeInTime(server);
  note(context, "Crewdeck stopped.");
  return exitCodes.done;
}

const closeLimitMs = 8_000;

/** Everything acknowledged is on disk already; a connection that will not end must not hold the server. */
async function closeInTime(server: RunningServer): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeLimitMs);
  });
  await Promise.race([server.close(), limit]);
  clearTimeout(timer);
}

function stopSignal(): Promise<void> {
  // The command line's own handler ends at once; a server first finishes what it has begun.
  process.removeAllListeners("SIGINT");
  process.stdout.removeAllListeners("error").on("error", () => undefined);
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(exitCodes.interrupted));
        resolve();
      });
    }
  });
}

async function reportFailedStart(context: Context, error: unknown, port: number | undefined): Promise<number> {
  if ((error as { code?: unknown }).code === "EADDRINUSE") {
    complain(`Port ${port} is in use.`, "Choose another with --port, or a free one with --port 0.");
    return exitCodes.refused;
  }
  const running = isStoreHeld(error) ? await findServer(context.home) : undefined;
  if (!running) return reportFailure(context, error);
  complain((error as Error).message, `The server of this home is running at ${running.url}`);
  return exitCodes.storeHeld;
}

async function startBehind(context: Context, { port, host, database }: Options): Promise<number> {
  const given = { "--port": port, "--host": host, "--database": database };
  const args = Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
  const { url, pid } = await awaitServer(context.home, { env: context.env, args });
  answer(context, { url, pid, home: context.home.dir }, () => [`Crewdeck is running at ${url} (process ${pid})`]);
  return exitCodes.done;
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Refusal("INVALID_REQUEST", "The port must be a number from 0 to 65535.", "Use --port 0 for any free port.");
}
