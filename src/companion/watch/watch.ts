import { basename } from "node:path";
import type { Companion } from "../places.ts";
import { inboxOf } from "../places.ts";
import { listRepos } from "../repos.ts";
import { findRepository, namesOf } from "../repository.ts";
import { callTool, ServerRefusal, type Target } from "../server.ts";
import {
  type ClientSession,
  heardAt,
  isAtWork,
  listSessions,
  readSession,
  removeSession,
  writeSession,
} from "../sessions.ts";
import { flushInbox } from "../telemetry/inbox.ts";
import { syncTranscripts } from "../telemetry/sync.ts";
import { Beat } from "./beat.ts";
import { listWorktrees, type Survey, surveyCopy } from "./survey.ts";
import { hashOf, Told } from "./told.ts";
import { tellViolations } from "./violations.ts";

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

/** The name under which the companion itself keeps a session for a working copy in which no agent is at work. */
const ownName = "watch";

/** Looks at every registered repository of the machine, and tells what has changed since the last look. */
export class Watch {
  readonly #companion: Companion;
  readonly #targetFor: TargetFor;
  readonly #now: () => number;
  readonly #seen = new Map<string, string>();
  readonly #told: Told;
  readonly #beat = new Beat();

  constructor(companion: Companion, targetFor: TargetFor, now: () => number = Date.now) {
    this.#companion = companion;
    this.#targetFor = async (...ask) => ({ ...(await targetFor(...ask)), madeBy: "watch" });
    this.#now = now;
    this.#told = new Told(companion);
  }

  async look(): Promise<Round> {
    const problems = new Set<string>();
    const trying = async <T>(where: string, act: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await act();
      } catch (error) {
        problems.add(`${where}: ${(error as Error).message}`);
        return undefined;
      }
    };
    let [snapshots, violations] = [0, 0];
    const repos = listRepos(this.#companion);
    const away = new Set<string | undefined>();
    // One that is out of reach, or refuses, keeps no other from being told.
    for (const { path, base_url } of repos) {
      const isThere = away.has(base_url) ? undefined : await trying(path, () => this.#beatFor(base_url));
      if (isThere === undefined) {
        away.add(base_url);
        continue;
      }
      for (const root of (await trying(path, () => listWorktrees(path))) ?? []) {
        const told = await trying(root, () => this.#tellCopy(root, base_url));
        snapshots += told?.snapshots ?? 0;
        violations += told?.violations ?? 0;
      }
      await trying(path, () => flushInbox(inboxOf(path), (source) => this.#targetFor(source, base_url)));
    }
    const targetOf = ({ client, base_url }: Pick<ClientSession, "client" | "base_url">) =>
      this.#targetFor(client, base_url);
    const counted = await trying("transcripts", () => syncTranscripts(this.#companion, targetOf, this.#now()));
    const requests = (counted ?? []).reduce((sum, { requests }) => sum + requests, 0);
    return { repositories: repos.length, snapshots, violations, requests, problems: [...problems] };
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

  async #beatFor(baseUrl: string | undefined): Promise<true> {
    const now = this.#now();
    if (!this.#beat.isDue(baseUrl, now)) return true;
    const target = await this.#targetFor(ownName, baseUrl);
    await this.#beat.send({ companion: this.#companion, target, baseUrl, now });
    return true;
  }

  async #tellCopy(root: string, baseUrl: string | undefined): Promise<{ snapshots: number; violations: number }> {
    const survey = await surveyCopy(root);
    const state = JSON.stringify(survey);
    if (survey === undefined || this.#seen.get(root) === state) return { snapshots: 0, violations: 0 };
    const session = await this.#report(survey, baseUrl);
    const violations =
      session === undefined
        ? 0
        : await tellViolations(survey, session, {
            target: await this.#targetFor(session.client, baseUrl),
            told: this.#told,
          });
    this.#seen.set(root, state);
    return { snapshots: session === undefined ? 0 : 1, violations };
  }

  /** By the agent at work there; without one, or where the server has ended its session, by the companion's own. */
  async #report(survey: Survey, baseUrl: string | undefined): Promise<ClientSession | undefined> {
    const now = this.#now();
    const [live] = listSessions(this.#companion)
      .filter((session) => session.client !== ownName && session.repository === survey.root && isAtWork(session, now))
      .sort((one, other) => heardAt(other) - heardAt(one));
    if (live !== undefined) {
      try {
        await this.#snapshot(survey, live, baseUrl);
        return live;
      } catch (error) {
        if (!(error instanceof ServerRefusal) || !notThere.includes(error.code)) throw error;
      }
    }
    const own = await this.#ownSession(survey, baseUrl);
    if (own !== undefined) await this.#snapshot(survey, own, baseUrl);
    return own;
  }

  async #snapshot(survey: Survey, session: ClientSession, baseUrl: string | undefined): Promise<void> {
    await this.#call(await this.#targetFor(session.client, baseUrl), {
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
  }

  /** Once there is something to tell. */
  async #ownSession(survey: Survey, baseUrl: string | undefined): Promise<ClientSession | undefined> {
    const known = readSession(this.#companion, ownName, survey.root);
    if (known === undefined && survey.dirty.length + survey.unpushed.length === 0) return undefined;
    const target = await this.#targetFor(ownName, baseUrl);
    if (known !== undefined) {
      try {
        await this.#call(target, { operation: "heartbeat", session_id: known.session_id });
        return known;
      } catch (error) {
        if (!(error instanceof ServerRefusal)) throw error;
        removeSession(this.#companion, ownName, survey.root);
      }
    }
    return this.#start(survey, baseUrl, target);
  }

  async #start(survey: Survey, baseUrl: string | undefined, target: Target): Promise<ClientSession> {
    const start = {
      operation: "start",
      agent_name: `${ownName}: ${basename(survey.root)}`,
      agent_type: ownName,
      repo: repoOf(survey.root),
      branch: survey.branch,
      worktree: survey.root,
    };
    const key = `${this.#told.startKey(survey.root)}-${hashOf(JSON.stringify(start))}`;
    const { data } = await this.#call(target, start, key);
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
    this.#told.endStart(survey.root);
    return session;
  }

  #call(target: Target, args: Record<string, unknown>, key?: string) {
    const signal = AbortSignal.timeout(limitMs);
    return callTool(target, "covibe_session", args, { signal, ...(key === undefined ? {} : { key }) });
  }
}

const notThere = ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"];

function repoOf(root: string): string {
  const repository = findRepository(root);
  return repository === undefined ? basename(root) : namesOf(repository)[0];
}
