import type { Home } from "../adapters/home.ts";
import type { Verification } from "../contract/plain-routes.ts";
import type { Log } from "../engine/log.ts";

export interface ServeOptions {
  readonly home: Home;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  /** A `postgres://` address or a SQLite file; the home's own file if left out. */
  readonly database?: string | undefined;
  readonly log: Log;
  /** Take another port when the wanted one is in use; for servers that nobody gave an address. */
  readonly allowFreePort?: boolean | undefined;
}

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  close(): Promise<void>;
}

/** Where that is kept which a restore has put something else in the place of; null where there was nothing to keep. */
export interface RestoredHome {
  readonly previous: string | null;
  /** The credentials, when their token is none of the restored store's. */
  readonly credentials: string | null;
}

/**
 * What only the program as a whole can do, because it opens the house. Handed to the command line and the bridge,
 * which must not know the rooms behind it, and loaded when it is first needed, because it is heavy.
 */
interface Program {
  startServer(options: ServeOptions): Promise<RunningServer>;
  serveInProcess(options: {
    readonly home: Home;
    readonly database?: string | undefined;
    readonly log: Log;
    readonly ask: {
      tools?: string | undefined;
      exclude?: string | undefined;
      readOnly?: boolean | undefined;
      repo?: string | undefined;
      role?: string | undefined;
    };
  }): Promise<void>;
  restoreHome(home: Home, file: string): Promise<RestoredHome>;
  verifyHome(home: Home): Promise<Verification>;
  /** Keeps a damaged store as it is: it takes changes again. */
  acceptDamage(home: Home): Promise<Verification>;
  /** A task's receipt held against its folder, read from the store's file; as the tool of that name answers it. */
  verifyTask(home: Home, taskId: string, options: { readonly runsChecks: boolean }): Promise<object>;
}

export type LoadProgram = () => Promise<Program>;

/** Another process holds the store. Known by its name, for its class lives in a room that is not seen from here. */
export const isStoreHeld = (error: unknown): error is Error =>
  error instanceof Error && error.name === "StoreHeldError";
