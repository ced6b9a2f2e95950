import { readFileSync } from "node:fs";
import type { AnyHand } from "../../src/domain/errand.ts";
import { until } from "../../src/testing/waiting.ts";

type Moment = "before" | "after";

/** Stops a house's outside work at a point, as a kill of its server does, or kills git while it is at it. */
export class Doom {
  #moment: Moment | undefined;
  #gitsToPass: number | undefined;
  #onReached: () => void = () => undefined;
  #life = 0;
  #underWay = 0;

  /** Settles when the next work has come to that point, where it stays for ever. */
  arm(moment: Moment): Promise<void> {
    this.#moment = moment;
    return new Promise((resolve) => {
      this.#onReached = resolve;
    });
  }

  disarm(): void {
    this.#moment = undefined;
    this.#gitsToPass = undefined;
  }

  /** The next work loses a git under its hands, after so many that are let pass. */
  cutGit(gitsToPass: number): void {
    this.#gitsToPass = gitsToPass;
  }

  /** The server whose hands these are is dead from now on: what is under way may come to its end, and nobody hears of it. */
  async kill(): Promise<void> {
    this.#life += 1;
    await until(() => this.#underWay === 0);
  }

  watch = (hands: Readonly<Record<string, AnyHand>>): Record<string, AnyHand> => {
    const life = this.#life;
    const stayIfDead = async (): Promise<void> => {
      if (life !== this.#life) await new Promise(() => undefined);
    };
    return Object.fromEntries(
      Object.entries(hands).map(([kind, hand]) => {
        const run: AnyHand["run"] = async (payload, turn) => {
          await stayIfDead();
          await this.#stay("before");
          this.#underWay += 1;
          try {
            return await this.#whileCutting(() => hand.run(payload, turn));
          } finally {
            this.#underWay -= 1;
            await stayIfDead();
            await this.#stay("after");
          }
        };
        return [kind, { ...hand, run }];
      }),
    );
  };

  async #stay(moment: Moment): Promise<void> {
    if (this.#moment !== moment) return;
    this.#moment = undefined;
    this.#onReached();
    await new Promise(() => undefined);
  }

  async #whileCutting<T>(act: () => Promise<T>): Promise<T> {
    if (this.#gitsToPass === undefined) return act();
    const seen = new Set<number>();
    const most = this.#gitsToPass;
    this.#gitsToPass = undefined;
    const timer = setInterval(() => {
      for (const pid of listGits()) {
        seen.add(pid);
        if (seen.size <= most) continue;
        clearInterval(timer);
        process.kill(pid, "SIGKILL");
        return;
      }
    }, 1);
    try {
      return await act();
    } finally {
      clearInterval(timer);
    }
  }
}

/** The processes of git that this one has started and that still run. */
function listGits(): number[] {
  const own = `/proc/self/task/${process.pid}/children`;
  return read(own)
    .split(" ")
    .filter(Boolean)
    .map(Number)
    .filter((pid) => read(`/proc/${pid}/comm`).trim() === "git");
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
