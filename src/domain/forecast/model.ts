import { z } from "zod";
import { AgentId, CollisionId } from "../../contract/ids.ts";
import { symbolClashReasons } from "../../contract/symbol-clash.ts";
import { collisionVerdicts } from "../../contract/words.ts";

const CollisionPlace = z.object({
  path: z.string(),
  heading: z.string().nullable(),
  /** What is wrong with a name there, for verdict `symbol`. */
  symbol: z.object({ name: z.string(), why: z.enum(symbolClashReasons), definedIn: z.string() }).optional(),
});

/** Two worktrees of a repository that do not go together, or one and the base it goes into. */
export const Collision = z.object({
  id: CollisionId,
  /** The server that can reach the folders. */
  place: z.string(),
  repositoryPath: z.string(),
  one: z.string(),
  /** Null where it is the base that has moved on. */
  other: z.string().nullable(),
  baseBranch: z.string().nullable(),
  verdict: z.enum(collisionVerdicts),
  places: z.array(CollisionPlace),
  /** Since when the verdict holds. */
  since: z.number(),
  /** Which agents were told of which verdict; when, unless it was noted before times were. */
  told: z.array(z.object({ agentId: AgentId, verdict: z.enum(collisionVerdicts), at: z.number().optional() })),
  createdAt: z.number(),
  endedAt: z.number().nullable(),
  version: z.number(),
});
export type Collision = z.infer<typeof Collision>;
export type CollisionVerdict = Collision["verdict"];

/** Whether agents hear of it by themselves; what is merely near is told to who asks (FC13). */
export const isToTell = ({ verdict }: Pick<Collision, "verdict">): boolean => verdict !== "near";

/** Whether this agent has heard of just this, and the verdict has been the same since. */
export const wasTold = (
  { told, verdict, since }: Pick<Collision, "told" | "verdict" | "since">,
  agentId: string,
): boolean => told.some((one) => one.agentId === agentId && one.verdict === verdict && (one.at ?? since) >= since);
