import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { gitHands, gitPorts } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { pullHands, pullPorts } from "../../src/adapters/github/hands.ts";
import { reachGitHub } from "../../src/adapters/github/hosts.ts";
import { Launcher } from "../../src/adapters/launcher/launcher.ts";
import type { AgentProgram } from "../../src/adapters/launcher/programs.ts";
import type { Caller } from "../../src/contract/caller.ts";
import { InstanceId } from "../../src/contract/ids.ts";
import type { AnyHand } from "../../src/domain/errand.ts";
import { getInstance } from "../../src/domain/instance/queries.ts";
import type { ReviewLimits } from "../../src/domain/review/port.ts";
import type { Reply } from "../../src/engine/call.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { sweepInstances } from "../../src/engine/keepers/instance-keeper.ts";
import { countLinesWith } from "../../src/main/count-lines.ts";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { makeFeature, makeFolder } from "../git/scratch.ts";

const idle: AgentProgram = { command: ["sleep", "1000"], prompt: "file", mode: "headless", env: {} };

interface Options {
  readonly limits?: Partial<ReviewLimits>;
  readonly mostAtOnce?: number;
  readonly program?: AgentProgram;
  readonly folder?: string;
  readonly location?: string;
  readonly quietMs?: number;
  readonly budget?: { readonly tokens: number | null; readonly dollars: number | null };
  /** Under which name the program is configured. */
  readonly name?: string;
  /** What stands between the house and its hands. */
  readonly watch?: (hands: Readonly<Record<string, AnyHand>>) => Record<string, AnyHand>;
}

/** A house that starts programs, without a port to call it by: tests speak as the instances themselves. */
export async function openLaunchedHouse(kind: StoreKind, options: Options = {}) {
  const dataDir = options.folder ?? makeFolder("crewdeck-launch-");
  const host = openGitHost({ dataDir });
  const { quietMs, budget, name = "idle" } = options;
  const programs = { [name]: options.program ?? idle };
  const launcher = new Launcher({
    dataDir,
    host,
    programs,
    mostAtOnce: options.mostAtOnce ?? 4,
    countLines: countLinesWith([]),
    ...(quietMs === undefined ? {} : { quietMs }),
    ...(budget === undefined ? {} : { budget }),
  });
  launcher.listensAt("http://127.0.0.1:9");
  onTestFinished(() => endPrograms(dataDir));
  const { instance, review, ...more } = gitPorts(host);
  const github = reachGitHub({ settings: {}, env: {} });
  const limits = { agent: name, maxIterations: 3, autoAbandonAfter: 5, timeoutMs: 3_600_000, ...options.limits };
  const house = await openTestHouse(kind, {
    ...(options.location === undefined ? {} : { location: options.location }),
    ports: {
      ...more,
      ...pullPorts(host, github, () => "/pulls/{number}"),
      instance: { ...instance, ...launcher.ports },
      review: { ...review, limits },
    },
    hands: (options.watch ?? Object)({ ...gitHands(host), ...pullHands(host, github), ...launcher.hands }),
  });
  return { house, launcher, dataDir, sweep: () => sweepInstances(house.house) };
}

/** A repository whose branch is ready to be reviewed. */
export function makeWork() {
  const repository = makeFeature();
  return repository;
}

export const callIn = (
  house: TestHouse,
  tool: string,
  args: object,
  folder: string,
  caller = house.owner,
): Promise<Reply> =>
  dispatch(house.house, { tool, args, caller, transport: "mcp", folder, seat: { role: undefined, isHere: true } });

/** The caller that an instance's own token makes. */
export async function callerOf({ house }: TestHouse, id: string): Promise<Caller> {
  const { tokenId, developerId } = await house.store.read((db) => getInstance(db, InstanceId.parse(id)));
  const { findCaller } = await import("../../src/domain/person/operations.ts");
  const caller = tokenId && (await house.store.read((db) => findCaller(db, tokenId, house.sources.now())));
  if (!caller) throw new Error(`${id} of ${developerId} has no token any more`);
  return caller;
}

export const readInstance = ({ house }: TestHouse, id: string) =>
  house.store.read((db) => getInstance(db, InstanceId.parse(id)));

/** Ends whatever was started for a home; it would outlive the test. */
export function endPrograms(dataDir: string): void {
  mkdirSync(join(dataDir, "agents"), { recursive: true });
  for (const name of readdirSync(join(dataDir, "agents"))) {
    try {
      const { pid } = JSON.parse(readFileSync(join(dataDir, "agents", name, "process.json"), "utf8")) as {
        pid: number;
      };
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended, or was never started.
    }
  }
}
