import { basename } from "node:path";
import { toolVersion } from "../../contract/versions.ts";
import { askConflicts } from "../hook/ask-conflicts.ts";
import { type Conflict, foreignClaim } from "../hook/claims.ts";
import { reconcile } from "../hook/reconcile.ts";
import type { Companion } from "../places.ts";
import { inboxOf } from "../places.ts";
import { listRepos } from "../repos.ts";
import { findRepository, namesOf } from "../repository.ts";
import { callTool, ServerRefusal, type Target } from "../server.ts";
import { type ClientSession, listSessions, readSession, removeSession, writeSession } from "../sessions.ts";
import { flushInbox } from "../telemetry/inbox.ts";
import { syncTranscripts } from "../telemetry/sync.ts";
import { listWorktrees, type Survey, surveyCopy } from "./survey.ts";

type TargetFor = (agent: string, baseUrl?: string) => Promise<Target>;

/** What one look at the machine found and told. */
export interface Round {
  readonly repositories: number;
  readonly snapshots: number;
  readonly violations: number;
  readonly requests: number;
  readonly problems: readonly string[];
}

const limitMs = 10_000;
const beatEveryMs = 60_000;
/** A session of a client that nobody has heard of for this long does not speak for its working copy. */
const liveMs = 30 * 60_000;

/** The name under which the companion itself keeps a session for a working copy in which no agent is at work. */
const ownName = "watch";

/** Looks at every registered repository of the machine, and tells what has changed since the last look. */
export class Watch {
  readonly #companion: Companion;
  readonly #targetFor: TargetFor;
  readonly #now: () => number;
  readonly #told = new Map<string, string>();
  readonly #violations = new Set<string>();
  #beatAt = 0;

  constructor(companion: Companion, targetFor: TargetFor, now: () => number = Date.now) {
    this.#companion = companion;
    this.#targetFor = async (...ask) => ({ ...(await targetFor(...ask)), madeBy: "watch" });
    this.#now = now;
  }

  async look(): Promise<Round> {
    const problems: string[] = [];
    let [snapshots, violations] = [0, 0];
    const repos = listRepos(this.#companion);
    for (const { path, base_url } of repos) {
      try {
        await this.#beat(base_url);
        for (const root of await listWorktrees(path)) {
          const survey = await surveyCopy(root);
          if (survey === undefined) continue;
          const told = await this.#tell(survey, base_url);
          snapshots += told.snapshots;
          violations += told.violations;
        }
        await flushInbox(inboxOf(path), (source) => this.#targetFor(source, base_url));
      } catch (error) {
        problems.push(`${path}: ${(error as Error).message}`);
      }
    }
    const requests = await this.#count(problems);
    return { repositories: repos.length, snapshots, violations, requests, problems };
  }

  /** Ends the sessions that the companion itself has. */
  async end(): Promise<void> {
    for (const { client, session, session_id, base_url } of listSessions(this.#companion)) {
      if (client !== ownName) continue;
      try {
        await this.#call(await this.#targetFor(ownName, base_url), { operation: "end", session_id });
      } catch {
        // It goes stale by itself.
      }
      removeSession(this.#companion, client, session);
    }
  }

  async #count(problems: string[]): Promise<number> {
    try {
      const counted = await syncTranscripts(this.#companion, ({ client, base_url }) =>
        this.#targetFor(client, base_url),
      );
      return counted.reduce((sum, { requests }) => sum + requests, 0);
    } catch (error) {
      problems.push((error as Error).message);
      return 0;
    }
  }

  /** Without a session: the machine is alive, and these are its repositories. */
  async #beat(baseUrl: string | undefined): Promise<void> {
    if (this.#now() - this.#beatAt < beatEveryMs) return;
    const target = await this.#targetFor(ownName, baseUrl);
    const registered_repos = listRepos(this.#companion).map(({ path }) => path);
    await this.#call(target, { operation: "heartbeat", registered_repos, companion_version: toolVersion });
    await reconcile(this.#companion, target, AbortSignal.timeout(limitMs));
    this.#beatAt = this.#now();
  }

  async #tell(survey: Survey, baseUrl: string | undefined): Promise<{ snapshots: number; violations: number }> {
    const state = JSON.stringify(survey);
    if (this.#told.get(survey.root) === state) return { snapshots: 0, violations: 0 };
    const session = await this.#sessionFor(survey, baseUrl);
    if (session === undefined) {
      this.#told.set(survey.root, state);
      return { snapshots: 0, violations: 0 };
    }
    const target = await this.#targetFor(session.client, baseUrl);
    await this.#call(target, {
      operation: "snapshot",
      session_id: session.session_id,
      repo: repoOf(survey.root),
      branch: survey.branch,
      worktree: survey.root,
      head: survey.head,
      dirty_files: survey.dirty,
      unpushed_files: survey.unpushed,
      diff_hashes: survey.hashes,
      recent_commits: survey.commits,
    });
    const violations = await this.#tellViolations(survey, session, target);
    this.#told.set(survey.root, state);
    return { snapshots: 1, violations };
  }

  /** The agent at work there; without one the companion's own, once there is something to tell. */
  async #sessionFor(survey: Survey, baseUrl: string | undefined): Promise<ClientSession | undefined> {
    const live = listSessions(this.#companion)
      .filter(
        ({ client, repository, ended_at }) =>
          client !== ownName && repository === survey.root && ended_at === undefined,
      )
      .filter(({ seen_at }) => this.#now() - Date.parse(seen_at) < liveMs)
      .sort((one, other) => other.seen_at.localeCompare(one.seen_at))[0];
    if (live !== undefined) return live;
    const known = readSession(this.#companion, ownName, survey.root);
    if (known === undefined && survey.dirty.length + survey.unpushed.length === 0) return undefined;
    const target = await this.#targetFor(ownName, baseUrl);
    if (known !== undefined) {
      try {
        await this.#call(target, { operation: "heartbeat", session_id: known.session_id });
        return known;
      } catch (error) {
        if (!(error instanceof ServerRefusal)) throw error;
      }
    }
    const { data } = await this.#call(target, {
      operation: "start",
      agent_name: `${ownName}: ${basename(survey.root)}`,
      agent_type: ownName,
      repo: repoOf(survey.root),
      branch: survey.branch,
      worktree: survey.root,
    });
    const session: ClientSession = {
      client: ownName,
      session: survey.root,
      session_id: String(data["session_id"]),
      own: [],
      repository: survey.root,
      ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
      seen_at: new Date(this.#now()).toISOString(),
    };
    writeSession(this.#companion, session);
    return session;
  }

  /** Edits that no hook has seen, of files that somebody else has claimed: told once for each claim and state of a file. */
  async #tellViolations(survey: Survey, session: ClientSession, target: Target): Promise<number> {
    if (survey.dirty.length === 0) return 0;
    const { session_id } = session;
    const repository = findRepository(survey.root);
    if (repository === undefined) return 0;
    const ask = { branch: survey.branch, paths: survey.dirty.slice(0, 100), session_id };
    const signal = AbortSignal.timeout(limitMs);
    const { conflicts } = await askConflicts(target, repository, ask, { signal });
    let told = 0;
    for (const conflict of conflicts) {
      const claim = foreignClaim([conflict], session);
      const files = (claim?.your_paths ?? []).filter((file) => !this.#violations.has(keyOf(survey, file, claim)));
      if (claim === undefined || files.length === 0) continue;
      const what = files.length === 1 ? files[0] : `${files.length} files`;
      const summary = `Changed ${what}, claimed by ${claim.holder} until ${claim.expires_at}.`.slice(0, 280);
      await this.#call(target, { operation: "activity", session_id, kind: "note", summary, files: files.slice(0, 50) });
      for (const file of files) this.#violations.add(keyOf(survey, file, claim));
      told += files.length;
    }
    return told;
  }

  #call(target: Target, args: Record<string, unknown>) {
    return callTool(target, "covibe_session", args, { signal: AbortSignal.timeout(limitMs) });
  }
}

const keyOf = ({ root, hashes }: Survey, file: string, claim: Conflict | undefined): string =>
  JSON.stringify([root, file, hashes[file] ?? null, claim?.claim_id ?? null]);

function repoOf(root: string): string {
  const repository = findRepository(root);
  return repository === undefined ? basename(root) : namesOf(repository)[0];
}
