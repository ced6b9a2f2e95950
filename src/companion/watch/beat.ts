import { toolVersion } from "../../contract/versions.ts";
import { reconcile } from "../hook/reconcile.ts";
import type { Companion } from "../places.ts";
import { listRepos } from "../repos.ts";
import { callTool, ServerRefusal, type Target } from "../server.ts";
import { heardAt, isAtWork, listSessions } from "../sessions.ts";

const limitMs = 10_000;
const everyMs = 60_000;

interface Ask {
  readonly companion: Companion;
  readonly target: Target;
  readonly baseUrl: string | undefined;
  readonly now: number;
}

/** Tells each server that the machine is alive, and with it the clients that have shown themselves since. */
export class Beat {
  /** By server; no server hears of what belongs to another. */
  readonly #beatAt = new Map<string | undefined, number>();
  readonly #heardAt = new Map<string, number>();

  isDue(baseUrl: string | undefined, now: number): boolean {
    return now - (this.#beatAt.get(baseUrl) ?? Number.NEGATIVE_INFINITY) >= everyMs;
  }

  async send({ companion, target, baseUrl, now }: Ask): Promise<void> {
    const registered_repos = listRepos(companion)
      .filter(({ base_url }) => base_url === baseUrl)
      .map(({ path }) => path);
    await call(target, { operation: "heartbeat", registered_repos, companion_version: toolVersion });
    await this.#sendLive({ companion, target, baseUrl, now });
    await reconcile(companion, { target, baseUrl, signal: AbortSignal.timeout(limitMs), now });
    this.#beatAt.set(baseUrl, now);
  }

  /** Hooks are silent while an agent thinks or runs commands; its transcript grows. */
  async #sendLive({ companion, target, baseUrl, now }: Ask): Promise<void> {
    for (const session of listSessions(companion)) {
      const { client, session_id, base_url } = session;
      if (client === "watch" || base_url !== baseUrl || !isAtWork(session, now)) continue;
      const at = heardAt(session);
      if (this.#heardAt.get(session_id) === at) continue;
      try {
        await call(target, { operation: "heartbeat", session_id });
      } catch (error) {
        // It has ended there; the client's next hook starts another.
        if (!(error instanceof ServerRefusal)) throw error;
      }
      this.#heardAt.set(session_id, at);
    }
  }
}

const call = (target: Target, args: Record<string, unknown>) =>
  callTool(target, "covibe_session", args, { signal: AbortSignal.timeout(limitMs) });
