import type { AnyTool } from "../contract/tool.ts";
import type { Ports } from "../domain/port.ts";
import type { Store } from "../storage/store.ts";
import type { Authenticator } from "./authentication.ts";
import type { ErrandRunner } from "./errands/runner.ts";
import type { Feed } from "./feed.ts";
import type { WaitingRoom } from "./keepers/waiting-room.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Notices } from "./notices.ts";
import type { People } from "./people.ts";
import type { Presence } from "./presence.ts";
import type { Sources } from "./sources.ts";
import type { AskedThresholds, Thresholds } from "./thresholds.ts";
import type { UsageLog } from "./usage-log.ts";

export interface HouseSettings extends AskedThresholds {
  /** Per-tool time limits; they come before everything else (MC60). */
  readonly toolTimeoutsMs: Readonly<Record<string, number>>;
  /** The limit for every tool (`MCP_TOOL_TIMEOUT`), if set. */
  readonly timeoutMs: number | undefined;
  /** Checks every reply against its published schema: on in tests, off in production for speed. */
  readonly checksReplies: boolean;
}

/** Everything a call needs, opened once for each process. */
export interface House {
  readonly store: Store;
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly sources: Sources;
  readonly ports: Ports;
  readonly log: Log;
  readonly settings: HouseSettings;
  /** What a team has set for itself; the owner may change it while the house is open. */
  readonly thresholds: Thresholds;
  readonly authenticator: Authenticator;
  readonly feed: Feed;
  readonly people: People;
  /** Who is here, as open connections and calls show. */
  readonly presence: Presence;
  /** Word that waits for agents; the next answer each of them gets carries it. */
  readonly notices: Notices;
  /** Those who wait until something concerns them. */
  readonly waiting: WaitingRoom;
  readonly usage: UsageLog;
  /** Does what calls have asked for outside, after their commit. */
  readonly errands: ErrandRunner;
  readonly metrics: Metrics;
  readonly startedAt: number;
  /** Resolves once everything that was acknowledged is on disk and nothing runs any more. */
  close(): Promise<void>;
}
