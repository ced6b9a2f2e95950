import { z } from "zod";
import { DeveloperId, InstanceId, TaskId, TokenId, WorktreeId } from "../../contract/ids.ts";
import {
  attentionKinds,
  instanceOrigins,
  instanceStatuses,
  instanceTypes,
  launchModes,
  processStates,
} from "../../contract/words.ts";

/** Why a person should look at an instance, and since when. */
const Attention = z.object({ kind: z.enum(attentionKinds), reason: z.string(), since: z.number() });
export type Attention = z.infer<typeof Attention>;

/** What an instance may use; null where it is not bound. */
const Budget = z.object({ tokens: z.number().nullable(), dollars: z.number().nullable() });
export type Budget = z.infer<typeof Budget>;

/** What it has used so far, as its program says; dollars where it says those too. */
export const Used = z.object({ tokens: z.number(), dollars: z.number().nullable() });
export type Used = z.infer<typeof Used>;

/** What it was told after its prompt, at the beginning of a turn or typed into its terminal. */
const Told = z.object({ turn: z.number(), at: z.number(), text: z.string() });
export type Told = z.infer<typeof Told>;

/** What is known of a program that we start. */
export const InstanceRun = z.object({
  state: z.enum(processStates),
  mode: z.enum(launchModes),
  /** Where its branch begins. */
  commit: z.string(),
  /** How often it was started: once, and again for each new turn of its conversation. */
  turn: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  exitCode: z.number().nullable(),
  /** What it is still to be told. */
  words: z.string().nullable(),
  /** Why it could not be started. */
  problem: z.string().nullable(),
  attention: Attention.nullish(),
  budget: Budget.nullish(),
  used: Used.nullish(),
  /** The last of it, oldest first. */
  told: z.array(Told).nullish(),
});
export type InstanceRun = z.infer<typeof InstanceRun>;

/** An agent with something to do in one work tree: it writes, it judges what another wrote, or it plans (IN1). */
export const Instance = z.object({
  id: InstanceId,
  type: z.enum(instanceTypes),
  status: z.enum(instanceStatuses),
  origin: z.enum(instanceOrigins),
  developerId: DeveloperId,
  /** The token that says it is this one; an adopted one calls with its developer's. */
  tokenId: TokenId.nullable(),
  /** The server that can reach its folder. */
  place: z.string(),
  /** The main folder of the repository that its work tree belongs to. */
  repositoryPath: z.string(),
  worktreePath: z.string(),
  worktreeId: WorktreeId.nullable(),
  /** What is checked out there; null where no branch is. */
  branch: z.string().nullable(),
  baseBranch: z.string().nullable(),
  /** Under which name its program is configured; null where somebody else started it. */
  program: z.string().nullable(),
  sessionName: z.string().nullable(),
  /** The one whose work it judges. */
  parentId: InstanceId.nullable(),
  taskId: TaskId.nullable(),
  /** A reviewer's own round; of a coder how many it has asked for. */
  reviewIteration: z.number(),
  /** Rounds that people have allowed beyond the limit. */
  grantedRounds: z.number(),
  pullNumber: z.number().nullable(),
  pullUrl: z.string().nullable(),
  /** Why it is over, in our own words. */
  endReason: z.string().nullable(),
  /** Null where somebody else started it. */
  run: InstanceRun.nullable(),
  /** What its program was told at first. */
  prompt: z.string().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  lastActivityAt: z.number(),
  terminatedAt: z.number().nullable(),
  version: z.number(),
});
export type Instance = z.infer<typeof Instance>;
export type InstanceType = Instance["type"];
export type InstanceStatus = Instance["status"];
