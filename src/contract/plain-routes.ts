import type { z } from "zod";
import type { DeviceAnswer, DeviceRequest, PollAnswer, PollRequest } from "./device.ts";
import type { Catalogue, McpTool } from "./listing.ts";

/** What is asked and answered at the addresses that are no tool's, for those who serve them and those who call them. */

export interface PlainReads {
  readonly "/api/me": { readonly query: object; readonly answer: Me };
  readonly "/api/events": { readonly query: EventFilters; readonly answer: EventPage };
  readonly "/api/tools": { readonly query: object; readonly answer: { readonly tools: readonly ToolEntry[] } };
  readonly "/api/verify": { readonly query: object; readonly answer: Verification };
  readonly "/status": {
    readonly query: { readonly repoPath?: string };
    readonly answer: { readonly repo: string; readonly status: ServerStatus & { readonly index: object | null } };
  };
}

export interface PlainWrites {
  readonly "/api/login": { readonly body: { readonly token: string }; readonly answer: { readonly handle: string } };
  readonly "/api/login/page": {
    readonly body: { readonly code: string };
    readonly answer: { readonly handle: string };
  };
  readonly "/api/login-link": { readonly body: object; readonly answer: { readonly url: string } };
  readonly "/api/logout": { readonly body: object; readonly answer: object };
  readonly "/api/backup": { readonly body: { readonly file: string }; readonly answer: { readonly file: string } };
  readonly "/api/thresholds": {
    readonly body: { readonly key: string; readonly value: number | null };
    readonly answer: { readonly key: string; readonly value: number | null; readonly needs_restart: boolean };
  };
  readonly "/api/setup/device": {
    readonly body: z.input<typeof DeviceRequest>;
    readonly answer: z.input<typeof DeviceAnswer>;
  };
  readonly "/api/setup/device/poll": {
    readonly body: z.input<typeof PollRequest>;
    readonly answer: z.input<typeof PollAnswer>;
  };
}

/** Who asks, and what they look at. */
export interface Me {
  readonly handle: string;
  readonly role: "owner" | "member";
  readonly private: boolean;
  /** What is shown is an example. */
  readonly demo: boolean;
  readonly program: ProgramCall;
}

/** The words that call the program, the options that go after those of a command, and the bridge's words apart. */
export interface ProgramCall {
  readonly command: string;
  readonly options: string;
  readonly bridge: readonly string[];
}

/** An entry of the ledger as it leaves the house: `event` is the contracts' name for it, `kind` ours. */
export interface EventView {
  readonly event: string;
  readonly kind: string;
  readonly subject: string;
  /** The handle of whose call it was; null for what the server did by itself. */
  readonly actor: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly cursor: string;
  readonly ts: string;
}

export interface EventFilters {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly kind?: string | undefined;
  /** Only about this record. */
  readonly subject?: string | undefined;
  /** Only of this noun. */
  readonly about?: string | undefined;
  /** Not of this kind. */
  readonly without?: string | undefined;
  /** From the end backwards; `before` goes on from a cursor. */
  readonly newest?: boolean | undefined;
  readonly before?: string | undefined;
}

export interface EventPage {
  readonly events: readonly EventView[];
  /** The cursor to go on from. */
  readonly next: string;
}

/** A tool as the catalogue publishes it. */
export type ToolEntry = Pick<Catalogue["tools"][number], "family" | "effect"> & McpTool;

/** Whether a store is sound, and where not. */
export interface Verification {
  readonly isIntact: boolean;
  readonly entries: number;
  readonly reason: string | null;
  readonly problems: readonly string[];
  /** What is wrong and was accepted by a person. */
  readonly accepted: readonly string[];
  /** Whether damage inside a row would be found. */
  readonly areRowsChecked: boolean;
  readonly readOnlyReason: string | null;
}

/** How the server is, for people and monitors: no work data in it. */
export interface ServerStatus {
  readonly versions: { readonly schema: string; readonly tool: string };
  readonly pid: number;
  readonly uptimeMs: number;
  readonly store: { readonly dialect: string; readonly location: string; readonly readOnlyReason: string | null };
  readonly connections: Readonly<Record<string, number>>;
  readonly agents: Readonly<Record<string, number>>;
  readonly repositories: number;
  readonly ledger: number;
}
