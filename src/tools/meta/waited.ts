import { z } from "zod";
import { listAgentsById } from "../../domain/agent/queries.ts";
import type { Waited } from "../../domain/context/wait-operations.ts";
import { cursorOf } from "../../domain/ledger/operations.ts";
import { readViewer } from "../../domain/person/viewer-queries.ts";
import type { Work } from "../../domain/work.ts";
import { NewsRecord, newsRecord } from "./voice/news.ts";

/** The longest wait is for programs; a client's own patience comes first. */
export const longestCallMs = 26 * 60_000;

const nexts: Readonly<Record<Waited["ended"], string>> = {
  news: "Act on each item, then wait again with this cursor.",
  timeout: "Nothing has come yet. Wait again with this cursor, or go on with other work.",
  stopping: "The server is stopping. Wait again with this cursor when it is back.",
};

/** How a wait ended, for whoever waited. */
export const WaitedRecord = z.object({
  news: z.array(NewsRecord).describe("Oldest first; empty when nothing came."),
  cursor: z.string(),
  ended: z.enum(["news", "timeout", "stopping"]).describe("Why it returned."),
  waited_seconds: z.number(),
  limit_seconds: z.number().describe("How long it would have waited at most."),
  next: z.string(),
});

export async function waitedRecord(
  work: Work,
  { news, place, ended, waitedMs, limitMs }: Waited,
): Promise<z.input<typeof WaitedRecord>> {
  const viewer = await readViewer(work);
  const agents = await listAgentsById(
    work.db,
    news.flatMap(({ agentId }) => agentId ?? []),
  );
  return {
    news: news.map((one) => newsRecord(one, { viewer, agents })),
    cursor: cursorOf(place),
    ended,
    waited_seconds: Math.round(waitedMs / 1_000),
    limit_seconds: Math.round(limitMs / 1_000),
    next: nexts[ended],
  };
}
