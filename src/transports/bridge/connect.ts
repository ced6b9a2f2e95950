import { setTimeout as pause } from "node:timers/promises";
import { type Home, tokenFrom, UnsafeCredentialsError } from "../../adapters/home.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { Connect } from "./link.ts";
import type { McpOptions } from "./options.ts";

interface Route {
  readonly home: Home;
  /** The server to use; without it the home's own is found or started. */
  readonly baseUrl: string | undefined;
  readonly options: Pick<McpOptions, "tools" | "exclude" | "readOnly" | "repo">;
}

/** How long a call waits for a server that is down or on its way. */
const limitMs = 20_000;

/** A connection to the server, whichever it is at the moment. What refuses us is final; what merely fails is tried again. */
export function connectorFor({ home, baseUrl, options }: Route): Connect {
  return async (events) => {
    // Loaded with the first call: a client that only looks pays for none of it.
    const [{ ensureServer }, { openPipe }] = await Promise.all([
      import("../../adapters/server-process.ts"),
      import("./pipe.ts"),
    ]);
    const deadline = Date.now() + limitMs;
    for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1_000)) {
      const origin = baseUrl ?? (await ensureServer(home)).url;
      try {
        return await openPipe({ origin, headers: headersOf(tokenOf(home), options) }, events);
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
function tokenOf(home: Home): string | undefined {
  try {
    return tokenFrom(home);
  } catch (error) {
    if (error instanceof UnsafeCredentialsError) throw new Refusal("UNAUTHORIZED", error.message);
    throw error;
  }
}

function headersOf(token: string | undefined, options: Route["options"]): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(options.tools === undefined ? {} : { "x-crewdeck-tools": options.tools }),
    ...(options.exclude === undefined ? {} : { "x-crewdeck-exclude": options.exclude }),
    ...(options.readOnly ? { "x-crewdeck-read-only": "1" } : {}),
    // Paths may hold any character, headers may not.
    "x-crewdeck-repo": encodeURI(options.repo ?? process.env["CLAUDE_PROJECT_DIR"] ?? process.cwd()),
  };
}
