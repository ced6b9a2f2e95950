import { checkCompanion } from "../doctor/check-companion.ts";
import { checkClock } from "../doctor/clock.ts";
import { reportMachine } from "../doctor/report-machine.ts";
import type { Companion } from "../places.ts";
import { listRepos } from "../repos.ts";
import type { Target } from "../server.ts";

/** Approvals come once and files rarely change; each look starts a program for every client. */
const everyMs = 3_600_000;

interface Ask {
  readonly companion: Companion;
  readonly homeDir: string;
  readonly userHome: string;
  readonly env: NodeJS.ProcessEnv;
  readonly targetFor: (agent: string, baseUrl?: string) => Promise<Target>;
}

/** Reports how the clients of every registered repository are set up, at first and then once an hour. */
export class ClientTeller {
  readonly #toldAt = new Map<string, number>();

  async tell({ companion, homeDir, userHome, env, targetFor }: Ask, now = Date.now()): Promise<void> {
    for (const { path, base_url } of listRepos(companion)) {
      if (now - (this.#toldAt.get(path) ?? Number.NEGATIVE_INFINITY) < everyMs) continue;
      const place = { repository: path, userHome, env, baseUrl: base_url };
      try {
        const target = await targetFor("watch", base_url);
        const clock = await checkClock(target.origin);
        const check = await checkCompanion({ companion, place, homeDir });
        await reportMachine(target, { place, check, facts: clock?.fact ? [clock.fact] : [] });
        this.#toldAt.set(path, now);
      } catch {
        // The look that follows says what is wrong with the server; this is tried again with the next.
      }
    }
  }
}
