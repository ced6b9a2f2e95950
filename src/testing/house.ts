import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, inject, onTestFinished } from "vitest";
import { findingPorts } from "../adapters/artifacts/findings.ts";
import { artifactPorts } from "../adapters/artifacts/ports.ts";
import { evidencePorts } from "../adapters/checks/ports.ts";
import { checkHands } from "../adapters/checks/run-checks.ts";
import { openForecast } from "../adapters/forecast/forecast.ts";
import { gitHands, gitPorts } from "../adapters/git/hands.ts";
import { openGitHost } from "../adapters/git/host.ts";
import { projectPorts } from "../adapters/git/locate.ts";
import { openGit } from "../adapters/git/open.ts";
import { installedGit } from "../adapters/git/run.ts";
import { pullHands, pullPorts } from "../adapters/github/hands.ts";
import { reachGitHub } from "../adapters/github/hosts.ts";
import { openCodeindex } from "../codeindex/open-codeindex.ts";
import type { Caller } from "../contract/caller.ts";
import type { LedgerEntry, Stream } from "../contract/event.ts";
import { listEntries } from "../domain/ledger/queries.ts";
import type { Reply } from "../engine/call.ts";
import { dispatch } from "../engine/dispatch.ts";
import type { House } from "../engine/house.ts";
import { sweepLiveness } from "../engine/keepers/sweeps.ts";
import { silentLog } from "../engine/log.ts";
import { openHouse } from "../engine/open-house.ts";
import { realSources, type Sources } from "../engine/sources.ts";
import { indexCopies } from "../storage/index-copy/write-copy.ts";
import { catalog, personTools } from "../tools/catalog.ts";
import { copyPostgresTemplate, copySqliteTemplate } from "./template.ts";
import { until } from "./waiting.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export type StoreKind = "sqlite" | "postgres";

/** A house for tests: real store, real dispatch, a clock that is moved by hand. */
export class TestHouse {
  readonly house: House;
  readonly location: string;
  readonly ownerToken: string;
  readonly owner: Caller;
  readonly clock: TestClock;

  constructor(house: House, location: string, ownerToken: string, owner: Caller, clock: TestClock) {
    this.house = house;
    this.location = location;
    this.ownerToken = ownerToken;
    this.owner = owner;
    this.clock = clock;
  }

  /** Calls a tool and answers its value; a refusal fails the test. */
  async call<T = Record<string, unknown>>(tool: string, args: unknown = {}, caller: Caller = this.owner): Promise<T> {
    const reply = await this.reply(tool, args, caller);
    if (!reply.ok) throw new Error(`${tool} was refused: ${JSON.stringify(reply.failure)}`);
    return reply.value as T;
  }

  /** Calls a tool and answers the refusal's code; success fails the test. */
  async refusal(tool: string, args: unknown = {}, caller: Caller = this.owner): Promise<string> {
    const reply = await this.reply(tool, args, caller);
    if (reply.ok) throw new Error(`${tool} was expected to be refused`);
    return reply.failure.code;
  }

  reply(tool: string, args: unknown = {}, caller: Caller = this.owner, idempotencyKey?: string): Promise<Reply> {
    return dispatch(this.house, { tool, args, caller, transport: "http", idempotencyKey });
  }

  /** A developer with a token, and the caller it makes. */
  async developer(handle: string, ask: Record<string, unknown> = {}): Promise<{ caller: Caller; token: string }> {
    await this.call("developer_create", { handle, ...ask });
    const { token } = await this.call<{ token: string }>("token_create", { developer: handle });
    return { caller: await this.house.authenticator.identify(token), token };
  }

  async agent(name: string, caller: Caller = this.owner, ask: Record<string, unknown> = {}): Promise<string> {
    return (await this.call<{ id: string }>("agent_register", { name, runtime: "custom", ...ask }, caller)).id;
  }

  /** Everything in the ledger of one stream since `after`, in order. */
  async entries(stream: Stream = "work", after = 0): Promise<LedgerEntry[]> {
    await this.house.usage.flush();
    const read = () => this.house.store.read((db) => listEntries(db, { after, limit: 10_000, stream }));
    if (this.house.store.dialect === "sqlite") return read();
    const listUnsealed = () => this.house.store.read((db) => db.sql('select 1 from "unsealed" limit 1'));
    await until(async () => (await listUnsealed()).length === 0);
    return read();
  }

  /** The kinds of what `act` did, in order. */
  async eventsOf(act: () => Promise<unknown>): Promise<string[]> {
    const before = (await this.entries()).at(-1)?.seq ?? 0;
    await act();
    return (await this.entries("work", before)).map((entry) => entry.kind);
  }

  async sweep(): Promise<void> {
    await sweepLiveness(this.house);
  }
}

export interface TestClock extends Sources {
  advance(ms: number): void;
}

function testClock(): TestClock {
  let offset = 0;
  return {
    ...realSources,
    now: () => Date.now() + offset,
    advance(ms) {
      offset += ms;
    },
  };
}

let schemas = 0;
let homes = 0;

/** A place where there is no store yet, of either kind. */
export function freshLocation(kind: StoreKind): string {
  if (kind === "postgres") {
    schemas += 1;
    return `${inject("postgresUrl")}?schema=t${process.pid}_${schemas}`;
  }
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return join(dir, "crewdeck.db");
}

/** A place with an empty store: its tables are copied, because making them anew takes longer than most tests. */
async function preparedLocation(kind: StoreKind): Promise<string> {
  if (kind === "postgres") return copyPostgresTemplate(inject("postgresUrl"));
  const location = freshLocation(kind);
  await copySqliteTemplate(location);
  return location;
}

const { takeSnapshot: _take, compareSnapshot: _compare, ...unsnapped } = evidencePorts.evidence;

export async function openTestHouse(
  kind: StoreKind,
  options: Partial<Parameters<typeof openHouse>[0]> = {},
): Promise<TestHouse> {
  const location = options.location ?? (await preparedLocation(kind));
  const clock = testClock();
  const git = openGitHost({ dataDir: join(tmpdir(), "crewdeck-test-data") });
  const homeDir = join(tmpdir(), `crewdeck-test-home-${process.pid}-${homes++}`);
  onTestFinished(() => rmSync(homeDir, { recursive: true, force: true, maxRetries: 5 }));
  const codeindex = openCodeindex({ homeDir, openGit: (signal) => openGit(installedGit, signal), now: clock.now });
  const github = reachGitHub({ settings: {}, env: {} });
  const { house, firstToken } = await openHouse({
    location,
    hands: { ...gitHands(git), ...pullHands(git, github), ...checkHands },
    // A task that names no repository must not be about the one these tests lie in, so no snapshot is taken.
    ports: {
      ...gitPorts(git),
      codeindex: codeindex.ports,
      ...pullPorts(git, github, () => "/pulls/{number}"),
      project: projectPorts(true),
      finding: findingPorts(homeDir),
      forecast: openForecast(homeDir),
      artifact: artifactPorts({
        homeDir,
        downloads: { allow: true, hosts: ["127.0.0.1"], files: {} },
        copies: indexCopies,
      }),
      evidence: unsnapped,
    },
    tools: [...catalog, ...personTools],
    sources: clock,
    log: silentLog,
    settings: { toolTimeoutsMs: {}, timeoutMs: undefined, checksReplies: true },
    keepers: [() => codeindex],
    identity: { name: "Ada Example", email: "ada@example.com" },
    sweeps: false,
    ...options,
  });
  onTestFinished(() => house.close());
  const token = firstToken ?? "";
  const owner = token ? await house.authenticator.identify(token) : (undefined as unknown as Caller);
  return new TestHouse(house, location, token, owner, clock);
}

/** Runs the same tests on both databases. */
export function forEachStore(title: string, body: (open: () => Promise<TestHouse>, kind: StoreKind) => void): void {
  describe.each(["sqlite", "postgres"] as const)(`${title} on %s`, (kind) => {
    body(() => openTestHouse(kind), kind);
  });
}
