import type { Home } from "../../adapters/home.ts";
import { noteUnchecked } from "../journal.ts";
import type { Companion } from "../places.ts";
import { isSetUp, registerRepo } from "../repos.ts";
import { branchOf, findRepository, namesOf, pathInside, type Repository } from "../repository.ts";
import { serverOf } from "../repository-server.ts";
import { callTool, findTarget, ServerRefusal, type Target } from "../server.ts";
import { type ClientSession, readSession, removeSession, writeSession } from "../sessions.ts";
import { passesWord, type Word } from "./answers.ts";
import { askConflicts } from "./ask-conflicts.ts";
import { briefing } from "./briefing.ts";
import { foreignClaim, whyDenied } from "./claims.ts";
import { endOnServer } from "./end-on-server.ts";
import { reconcile } from "./reconcile.ts";
import type { Signal } from "./signal.ts";
import { usageOfOpencode } from "./usage.ts";

export interface Surroundings {
  readonly companion: Companion;
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly now: Date;
  /** How long the server may take before an edit goes on without its word. */
  readonly limitMs: number;
}

/** How much longer than before an edit the server may take where nobody waits for its word. */
const tellLonger = 2.5;
/** A task's pack that takes longer than this is left out. */
const packWithin = 2;

/** Does what a signal asks for. Whatever fails, the client goes on: there is nothing here that throws at it. */
export async function respond(signal: Signal, around: Surroundings): Promise<Word> {
  const repository = findRepository(signal.cwd);
  if (repository === undefined || !isOurs(signal, repository, around.companion)) return {};
  const visit = new Visit(signal, repository, around);
  return signal.moment === "before-edit" ? visit.check() : visit.tell();
}

/** Hooks of an account run in every repository of it; only those that somebody has set up concern us. */
const isOurs = ({ client }: Signal, repository: Repository, companion: Companion): boolean =>
  (client !== "codex" && client !== "copilot") || isSetUp(companion, repository);

class Visit {
  readonly #signal: Signal;
  readonly #repository: Repository;
  readonly #around: Surroundings;
  readonly #session: ClientSession | undefined;
  readonly #baseUrl: string | undefined;

  constructor(signal: Signal, repository: Repository, around: Surroundings) {
    this.#signal = signal;
    this.#repository = repository;
    this.#around = around;
    this.#session = readSession(around.companion, signal.client, signal.session);
    this.#baseUrl = serverOf(around, repository);
  }

  /** Before an edit: a foreign exclusive claim is the only reason for a no; word that waits for the agent goes along. */
  async check(): Promise<Word> {
    const files = this.#files();
    if (files.length === 0) return {};
    try {
      const limit = AbortSignal.timeout(this.#around.limitMs);
      const { conflicts, notices } = await Promise.race([this.#conflicts(files, limit), rejectOn(limit)]);
      const found = foreignClaim(conflicts, this.#session);
      return {
        ...(found === undefined ? {} : { deny: whyDenied(found, files, this.#around.now) }),
        ...(notices.length === 0 ? {} : { context: ["Crewdeck:", ...notices].join("\n") }),
      };
    } catch (error) {
      noteUnchecked(this.#around.companion, {
        at: this.#around.now.toISOString(),
        client: this.#signal.client,
        session: this.#signal.session,
        repository: this.#repository.root,
        files,
        reason: error instanceof ServerRefusal ? error.code : (error as Error).message,
      });
      return {};
    }
  }

  /** Anything else: what happened is told, as far as somebody listens. */
  async tell(): Promise<Word> {
    try {
      const limit = AbortSignal.timeout(this.#around.limitMs * tellLonger);
      return await Promise.race([this.#told(limit), rejectOn(limit)]);
    } catch {
      return {};
    }
  }

  #files(): string[] {
    const { files, cwd } = this.#signal;
    return [...new Set(files.flatMap((file) => pathInside(this.#repository, file, cwd) ?? []))].slice(0, mostFiles);
  }

  async #target(): Promise<Target> {
    const { home, env } = this.#around;
    const target = await findTarget({ home, env, agent: this.#signal.client, baseUrl: this.#baseUrl });
    return { ...target, madeBy: "hook" };
  }

  async #conflicts(paths: readonly string[], signal: AbortSignal) {
    const target = await this.#target();
    const options = { signal, passesNotices: passesWord(this.#signal.client) };
    const branch = branchOf(this.#repository);
    const ask = (session_id: string | undefined) =>
      askConflicts(target, this.#repository, { paths, branch, session_id }, options);
    return ask(this.#session?.session_id).catch((error: unknown) => {
      // It has ended on the server; its claims ended with it.
      if (error instanceof ServerRefusal && this.#session !== undefined) return ask(undefined);
      throw error;
    });
  }

  async #told(limit: AbortSignal): Promise<Word> {
    const { moment } = this.#signal;
    if (moment === "own-session") return this.#learn();
    if (moment === "end") return this.#end(limit);
    const target = await this.#target();
    const tell = (args: Record<string, unknown>) => callTool(target, "covibe_session", args, { signal: limit });
    const known = await this.#live(target, limit);
    const session_id = known.session_id;
    if (moment === "stop") {
      const now = this.#around.now.getTime();
      await reconcile(this.#around.companion, { target, baseUrl: this.#baseUrl, signal: limit, now });
    }
    if (moment === "start") {
      const soon = AbortSignal.timeout(this.#around.limitMs * packWithin);
      const around = { repository: this.#repository, signal: limit, soon };
      return { context: await briefing(target, known, this.#signal, around) };
    }
    if (moment === "after-edit") {
      const files = this.#files();
      const summary = `Edited ${files.length === 1 ? files[0] : `${files.length} files`}`.slice(0, longestSummary);
      if (files.length > 0)
        await tell({ operation: "activity", session_id, kind: "edit", summary, files: files.slice(0, 50) });
    } else if (moment === "waiting") {
      await tell({ operation: "activity", session_id, kind: "note", summary: "Waiting for a person." });
    } else if (moment === "usage") {
      const report = usageOfOpencode(this.#signal.usage ?? {});
      if (report !== undefined)
        await callTool(target, "covibe_ingest_agent_telemetry", { ...report, session_id }, { signal: limit });
    }
    return {};
  }

  /** It is over here first: whether a server runs is no reason to take the client for alive. */
  async #end(signal: AbortSignal): Promise<Word> {
    const transcript = this.#signal.transcript ?? this.#session?.transcript;
    const ended = this.#session && {
      ...this.#session,
      ...(transcript === undefined ? {} : { transcript }),
      ended_at: this.#around.now.toISOString(),
    };
    if (ended !== undefined) writeSession(this.#around.companion, { ...ended, is_end_untold: true });
    const target = await this.#target();
    if (ended !== undefined) await endOnServer(target, ended, signal);
    this.#close(ended);
    const { flushLater } = await import("./flush-later.ts");
    flushLater(this.#around.home, this.#repository.root);
    return {};
  }

  /** Kept until what it used has been counted, which must not wait for somebody to look. */
  #close(ended: ClientSession | undefined): void {
    const { client, session } = this.#signal;
    if (ended?.transcript === undefined) removeSession(this.#around.companion, client, session);
    else writeSession(this.#around.companion, ended);
  }

  /** The session on the server, started anew where there is none or it has ended, and alive by being asked for. */
  async #live(target: Target, signal: AbortSignal): Promise<ClientSession> {
    const { moment } = this.#signal;
    if (this.#session !== undefined) {
      if (moment === "after-edit" || moment === "waiting" || moment === "usage")
        return this.#keep(this.#session.session_id, this.#session.own);
      try {
        const beat = { operation: "heartbeat", session_id: this.#session.session_id };
        await callTool(target, "covibe_session", beat, { signal });
        return this.#keep(this.#session.session_id, this.#session.own);
      } catch (error) {
        if (!(error instanceof ServerRefusal)) throw error;
      }
    }
    return this.#start(target, signal);
  }

  async #start(target: Target, signal: AbortSignal): Promise<ClientSession> {
    const { client, model, session } = this.#signal;
    const [repo] = namesOf(this.#repository);
    const start = {
      operation: "start",
      agent_name: client,
      agent_type: client,
      model: model?.slice(0, 200),
      repo,
      branch: branchOf(this.#repository),
      worktree: this.#repository.root,
    };
    // Two hooks of one session may come here at once.
    const key = `hook-${client}-${session}-${this.#session?.session_id ?? "first"}`.slice(0, 200);
    const { data } = await callTool(target, "covibe_session", start, { signal, key });
    registerRepo(this.#around.companion, {
      path: this.#repository.main,
      ...(this.#baseUrl === undefined ? {} : { base_url: this.#baseUrl }),
    });
    return this.#keep(String(data["session_id"]), []);
  }

  #keep(session_id: string, own: readonly string[]): ClientSession {
    const { client, session, transcript } = this.#signal;
    const kept: ClientSession = {
      client,
      session,
      session_id,
      own,
      repository: this.#repository.root,
      ...(this.#baseUrl === undefined ? {} : { base_url: this.#baseUrl }),
      ...((transcript ?? this.#session?.transcript) === undefined
        ? {}
        : { transcript: transcript ?? this.#session?.transcript ?? "" }),
      seen_at: this.#around.now.toISOString(),
    };
    writeSession(this.#around.companion, kept);
    return kept;
  }

  /** An agent that starts a session by itself claims under it; those claims must not be held against it. */
  #learn(): Word {
    const ids = (this.#signal.answer ?? "").match(/\bag_[A-Za-z0-9]+\b/g) ?? [];
    if (this.#session !== undefined && ids.length > 0) {
      const own = [...new Set([...this.#session.own, ...ids])].slice(-mostOwn);
      this.#keep(this.#session.session_id, own);
    }
    return {};
  }
}

const mostFiles = 100;
const mostOwn = 20;
const longestSummary = 280;

export const rejectOn = (limit: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    limit.addEventListener("abort", () => reject(new Error("no answer in time")), { once: true });
  });
