import { forgetOldReports } from "../../domain/agent/file-mark-operations.ts";
import { staleAfterMs } from "../../domain/agent/model.ts";
import { settleSigns } from "../../domain/agent/operations.ts";
import { settleLeases, sweepClaims } from "../../domain/claim/operations.ts";
import { clockSlackMs } from "../../domain/clock.ts";
import { giveUpSilentAgents } from "../../domain/ending/agent-operations.ts";
import { settleContexts } from "../../domain/exchange/operations.ts";
import { forgetOldCollisions } from "../../domain/forecast/operations.ts";
import { forgetOldNotices } from "../../domain/message/notice-operations.ts";
import { settleLetters } from "../../domain/message/peer-operations.ts";
import { settleScopeChecks } from "../../domain/overlap/scope-check-operations.ts";
import { settleGrants } from "../../domain/person/grant-operations.ts";
import { noteTokenUses, settleTokens } from "../../domain/person/operations.ts";
import { trimVault } from "../../domain/worktree/vault-operations.ts";
import { answersKeptMs, deleteOldAnswers } from "../answers.ts";
import { bringForward, deleteOldErrands } from "../errands/store.ts";
import type { House } from "../house.ts";
import { transactAsSystem } from "../system-work.ts";
import type { Keeper } from "./keepers.ts";

const livenessEveryMs = 2_000;
const tokenUseEveryMs = 10_000;
const housekeepingEveryMs = 3_600_000;
const agentsAtOnce = 100;
const claimsAtOnce = 200;

/**
 * Writes down who is here, gives up every agent that has been silent for too long, and then the code that nobody holds
 * any more. A house that has just opened knows of nobody yet: whoever was connected before has a while to come back.
 */
export async function sweepLiveness(house: Pick<House, "store" | "sources" | "presence" | "startedAt">): Promise<void> {
  const { store, sources, presence, startedAt } = house;
  await presence.write(house);
  if (sources.now() - startedAt >= staleAfterMs) {
    while (await transactAsSystem(store, sources, (work) => giveUpSilentAgents(work, agentsAtOnce)));
  }
  let after: string | undefined = "";
  while (after !== undefined) {
    const page: { after: string; limit: number } = { after, limit: claimsAtOnce };
    after = await transactAsSystem(store, sources, (work) => sweepClaims(work, page));
  }
}

/** Forgets answers that nobody will ask for again. */
export async function sweepAnswers(house: Pick<House, "store" | "sources">): Promise<void> {
  await transactAsSystem(house.store, house.sources, (work) => deleteOldAnswers(work.db, work.now - answersKeptMs));
}

const errandsKeptMs = 30 * 24 * 3_600_000;

/** Forgets outside work that ended long ago. */
export async function sweepErrands({ store, sources }: Pick<House, "store" | "sources">): Promise<void> {
  await transactAsSystem(store, sources, (work) => deleteOldErrands(work.db, work.now - errandsKeptMs));
}

/** Forgets which files sessions had changed once that counts no more; those that never end would leave them for good. */
export async function sweepFileReports({ store, sources }: Pick<House, "store" | "sources">): Promise<void> {
  await transactAsSystem(store, sources, forgetOldReports);
}

/** Forgets word that was delivered, or that nobody came for. */
async function sweepNotices({ store, sources }: Pick<House, "store" | "sources">): Promise<void> {
  await transactAsSystem(store, sources, forgetOldNotices);
}

/** Forgets collisions that ended long ago. */
async function sweepCollisions({ store, sources }: Pick<House, "store" | "sources">): Promise<void> {
  await transactAsSystem(store, sources, forgetOldCollisions);
}

/** Writes down when tokens were last used. */
export async function sweepTokenUse({
  store,
  sources,
  authenticator,
}: Pick<House, "store" | "sources" | "authenticator">): Promise<void> {
  const uses = authenticator.takeUses();
  if (uses.size > 0) await transactAsSystem(store, sources, (work) => noteTokenUses(work, uses));
}

/** Lets go of copies of removed worktrees beyond the quota. */
export async function sweepVault({
  store,
  sources,
  thresholds,
}: Pick<House, "store" | "sources" | "thresholds">): Promise<void> {
  await transactAsSystem(store, sources, (work) => trimVault(work, thresholds.mostVaultEntries));
}

/**
 * What a clock that was ahead has dated into the future, once it is set right: leases, checks, tokens, requests and signs of
 * life would otherwise last until that date.
 */
export async function sweepFuture({ store, sources }: Pick<House, "store" | "sources">): Promise<void> {
  await transactAsSystem(store, sources, async (work) => {
    await settleSigns(work);
    await settleLeases(work);
    await settleScopeChecks(work);
    await settleGrants(work);
    await settleTokens(work);
    await settleContexts(work);
    await settleLetters(work);
    await bringForward(work.db, work.now);
  });
}

/** Sweeps the future when the clock has been set back by more than clocks differ. */
export function watchClock(house: Pick<House, "store" | "sources" | "presence">): () => Promise<void> {
  let last = house.sources.now();
  return async () => {
    const now = house.sources.now();
    const isSetBack = now < last - clockSlackMs;
    last = now;
    if (!isSetBack) return;
    house.presence.settle();
    await sweepFuture(house);
  };
}

/** What the server does by the clock. Closing waits for what is under way. */
export function sweepsOf(house: House): Keeper {
  let stops: (() => Promise<void>)[] = [];
  const canWrite = () => house.store.readOnlyReason === null;
  return {
    async start() {
      if (canWrite()) await sweepFuture(house);
      stops = [
        every(livenessEveryMs, () => sweepLiveness(house)),
        every(livenessEveryMs, watchClock(house)),
        every(housekeepingEveryMs, () => sweepFuture(house)),
        every(tokenUseEveryMs, () => sweepTokenUse(house)),
        every(housekeepingEveryMs, () => sweepAnswers(house)),
        every(housekeepingEveryMs, () => sweepNotices(house)),
        every(housekeepingEveryMs, () => sweepCollisions(house)),
        every(housekeepingEveryMs, () => sweepVault(house)),
        every(housekeepingEveryMs, () => sweepErrands(house)),
        every(housekeepingEveryMs, () => sweepFileReports(house)),
      ];
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      if (!canWrite()) return;
      await house.presence.write(house);
      await sweepTokenUse(house);
    },
  };

  /** A sweep that takes longer than its interval skips a turn instead of queueing up behind itself. */
  function every(intervalMs: number, sweep: () => Promise<void>): () => Promise<void> {
    let running: Promise<void> | undefined;
    const timer = setInterval(() => {
      if (!canWrite()) return;
      running ??= sweep()
        .catch((error: unknown) => house.log.error({ err: error }, "a sweep failed"))
        .finally(() => {
          running = undefined;
        });
    }, intervalMs);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await running;
    };
  }
}
