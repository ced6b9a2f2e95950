import type { AnyHand } from "../domain/errand.ts";
import type { Look, Ports } from "../domain/port.ts";
import { checkReach } from "../domain/project/locate-operations.ts";
import type { ProjectPorts } from "../domain/project/port.ts";
import type { Store } from "../storage/store.ts";

/**
 * The ports as a server that other machines reach may use them: whatever looks into a folder looks into registered
 * repositories alone (RL4). Here and not in each tool, so that none can forget it.
 */
export function guardPorts(ports: Ports, read: Look["read"]): Ports {
  const { evidence, forecast, instance, project, pull, review, worktree } = ports;
  if (project.isLocal) return ports;
  const check = (folder: string, signal: AbortSignal): Promise<void> => checkReach({ project, read, signal }, folder);
  return {
    ...ports,
    instance: {
      ...instance,
      async readWorkTree(folder, signal) {
        await check(folder, signal);
        return instance.readWorkTree(folder, signal);
      },
    },
    review: {
      ...review,
      async readShape(ask, signal) {
        await check(ask.folder, signal);
        return review.readShape(ask, signal);
      },
    },
    pull: {
      ...pull,
      async survey(ask, signal) {
        await check(ask.repositoryPath, signal);
        return pull.survey(ask, signal);
      },
      async compare(ask, signal) {
        await check(ask.repositoryPath, signal);
        return pull.compare(ask, signal);
      },
      async checkTarget(ask, signal) {
        await check(ask.repositoryPath, signal);
        return pull.checkTarget(ask, signal);
      },
      async findHost(folder, signal) {
        await check(folder, signal);
        return pull.findHost(folder, signal);
      },
    },
    forecast: {
      ...forecast,
      async compare(ask, signal) {
        await check(ask.repositoryPath, signal);
        return forecast.compare(ask, signal);
      },
    },
    worktree: {
      ...worktree,
      async checkGround(ask, signal) {
        await check(ask.repositoryPath, signal);
        return worktree.checkGround(ask, signal);
      },
    },
    evidence: {
      async takeSnapshot(folder, signal) {
        await check(folder, signal);
        const snapshot = await evidence.takeSnapshot(folder, signal);
        // A folder that was exchanged for a link after it was judged has led somewhere else.
        await check(snapshot.root, signal);
        return snapshot;
      },
      async compareSnapshot(snapshot, signal) {
        if (snapshot.type !== "none") await check(snapshot.root, signal);
        return evidence.compareSnapshot(snapshot, signal);
      },
      async identifyTree(folder, signal) {
        await check(folder, signal);
        return evidence.identifyTree(folder, signal);
      },
      async listStale(ask, signal) {
        await check(ask.root, signal);
        return evidence.listStale(ask, signal);
      },
      async *readSides(ask, signal) {
        await check(ask.root, signal);
        yield* evidence.readSides(ask, signal);
      },
      async readChecks(folder, signal) {
        await check(folder, signal);
        return evidence.readChecks(folder, signal);
      },
      async runChecks(ask, signal) {
        await check(ask.folder, signal);
        return evidence.runChecks(ask, signal);
      },
    },
  };
}

/** The same for work that is done after a call: a plan may name any folder. */
export function guardHands(
  hands: Readonly<Record<string, AnyHand>>,
  project: ProjectPorts,
  store: Store,
): Readonly<Record<string, AnyHand>> {
  if (project.isLocal) return hands;
  const read: Look["read"] = (body) => store.read(body);
  return Object.fromEntries(
    Object.entries(hands).map(([name, hand]) => [
      name,
      {
        ...hand,
        async run(payload, turn) {
          const { repositoryPath, folder = repositoryPath } = payload as { repositoryPath?: string; folder?: string };
          if (folder !== undefined) await checkReach({ project, read, signal: turn.signal }, folder);
          return hand.run(payload, turn);
        },
      } satisfies AnyHand,
    ]),
  );
}
