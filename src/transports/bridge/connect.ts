import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Home, UnsafeCredentialsError } from "../../adapters/home.ts";
import { tokenFor } from "../../adapters/token.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Connect } from "./link.ts";
import type { McpOptions } from "./options.ts";

interface Route {
  readonly home: Home;
  /** The server to use; without it the home's own is found or started. */
  readonly baseUrl: string | undefined;
  readonly options: Pick<McpOptions, "tools" | "exclude" | "readOnly" | "repo" | "role">;
}

/** How long a call waits for a server that is down or on its way. */
const limitMs = 20_000;

/** A connection to the server, whichever it is at the moment. What refuses us is final; what merely fails is tried again. */
export function connectorFor({ home, baseUrl, options }: Route): Connect {
  // The same for as long as this process lives: by it the server finds the agents of a connection that was lost (AG24).
  const key = randomUUID();
  return async (events, ask = {}) => {
    // Loaded with the first call: a client that only looks pays for none of it.
    const [{ ensureServer, findServer }, { openPipe }] = await Promise.all([
      import("../../adapters/server-process.ts"),
      import("./pipe.ts"),
    ]);
    // An agent that we started was told where its server was then; by now it may be elsewhere.
    const homeOwn = async (): Promise<string | undefined> =>
      baseUrl !== undefined && process.env["INSTANCE_ID"] !== undefined ? (await findServer(home))?.url : undefined;
    const target = (origin: string) => ({ origin, headers: headersOf(tokenOf(home, origin), options, key) });
    if (ask.startsNone) {
      const origin = baseUrl ?? (await findServer(home))?.url;
      if (origin === undefined) throw new Refusal("SERVER_UNREACHABLE", "No Crewdeck server runs.");
      return openPipe(target(origin), events);
    }
    const deadline = Date.now() + limitMs;
    for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
      const origin = (await homeOwn()) ?? baseUrl ?? (await ensureServer(home)).url;
      try {
        return await openPipe(target(origin), events);
      } catch (error) {
        if (error instanceof Refusal) throw error;
        if (Date.now() >= deadline) throw baseUrl === undefined ? error : nobodyAt(baseUrl);
        await pause(waitMs);
      }
    }
  };
}

/** A server that was named is another's to start. */
const nobodyAt = (baseUrl: string): Refusal =>
  new Refusal(
    "SERVER_UNREACHABLE",
    `No Crewdeck server answers at ${baseUrl}.`,
    "See that COVIBE_BASE_URL is right and that the server runs there, then call again.",
  );

/** Read anew for every connection: a first start writes it only when the server is up. */
function tokenOf(home: Home, origin: string): string | undefined {
  try {
    return tokenFor(home, { origin });
  } catch (error) {
    if (error instanceof UnsafeCredentialsError) throw new Refusal("UNAUTHORIZED", error.message);
    throw error;
  }
}

function headersOf(token: string | undefined, options: Route["options"], key: string): Record<string, string> {
  return {
    "x-crewdeck-connection": key,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(options.tools === undefined ? {} : { "x-crewdeck-tools": options.tools }),
    ...(options.exclude === undefined ? {} : { "x-crewdeck-exclude": options.exclude }),
    ...(options.readOnly ? { "x-crewdeck-read-only": "1" } : {}),
    ...(options.role === undefined ? {} : { "x-crewdeck-role": options.role }),
    // Paths may hold any character, headers may not.
    "x-crewdeck-repo": encodeURI(options.repo ?? process.env["CLAUDE_PROJECT_DIR"] ?? process.cwd()),
  };
}
