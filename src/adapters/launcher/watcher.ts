import { existsSync, statSync } from "node:fs";
import type { InstanceId } from "../../contract/ids.ts";
import { Tmux } from "./tmux.ts";

/** What is seen of a program that runs. */
interface Sight {
  readonly quietSince: number;
  readonly asks: boolean;
}

/** Terminals are looked at no more often. */
const lookEveryMs = 3_000;
/** A screen that was just drawn may not be whole. */
const settledMs = 1_500;

/** How programs ask a person: by the title of their window, or on their screen. `docs/clients.md` says where that was seen. */
const askingTitle = /action required/i;
const askingScreen =
  /permission required|do you want to [^\n]{1,100}\?|do you trust [^\n]{1,200}\?|yes, (?:i trust|proceed|allow)|(?:^|\s)❯ 1\. |allow (?:this|command|execution)[^\n]{0,100}\?|\[y\/n\]|\(y\/n\)/im;

/** Sees whether programs put anything out, and whether they wait for a person. */
export class Watcher {
  readonly #tmux: Tmux;
  #lookedAt = 0;
  #terminals: ReadonlyMap<string, Sight> = new Map();
  /** What the screen of a quiet terminal said, by the time of its last change. */
  readonly #screens = new Map<string, { readonly activity: number; readonly asks: boolean }>();

  constructor(tmux: Tmux) {
    this.#tmux = tmux;
  }

  async look(
    ids: readonly InstanceId[],
    logFileOf: (id: InstanceId) => string,
  ): Promise<ReadonlyMap<InstanceId, Sight>> {
    if (ids.length === 0) return new Map();
    await this.#lookAtTerminals(new Set(ids));
    return new Map(
      ids.flatMap((id) => {
        const written = statSync(logFileOf(id), { throwIfNoEntry: false })?.mtimeMs;
        const sight =
          this.#terminals.get(id) ?? (written === undefined ? undefined : { quietSince: written, asks: false });
        return sight ? [[id, sight] as const] : [];
      }),
    );
  }

  /** Whether a terminal shows a question right now. */
  async isAsked(session: string): Promise<boolean> {
    const title = await this.#tmux.run(["display-message", "-p", "-t", `=${session}:`, "#{pane_title}"], {
      mayFail: true,
    });
    return askingTitle.test(title ?? "") || isAsking((await this.#tmux.screen(session)) ?? "");
  }

  async #lookAtTerminals(wanted: ReadonlySet<string>): Promise<void> {
    const now = Date.now();
    if (now - this.#lookedAt < lookEveryMs) return;
    this.#lookedAt = now;
    this.#terminals = new Map();
    if (!existsSync(this.#tmux.socket) || !Tmux.isThere()) return;
    const format = "#{session_name}\t#{window_activity}\t#{pane_title}";
    const listed = await this.#tmux.run(["list-panes", "-a", "-F", format], { mayFail: true });
    const terminals = new Map<string, Sight>();
    for (const line of (listed ?? "").split("\n")) {
      const [name = "", seconds = "", ...title] = line.split("\t");
      if (!wanted.has(name)) continue;
      const activity = Number(seconds) * 1_000;
      const asks = askingTitle.test(title.join(" ")) || (await this.#readScreen(name, activity, now));
      terminals.set(name, { quietSince: activity, asks });
    }
    for (const name of this.#screens.keys()) if (!wanted.has(name)) this.#screens.delete(name);
    this.#terminals = terminals;
  }

  /** A screen is read once for each time that it has come to rest. */
  async #readScreen(name: string, activity: number, now: number): Promise<boolean> {
    const known = this.#screens.get(name);
    if (known?.activity === activity) return known.asks;
    if (now - activity < settledMs) return false;
    const asks = isAsking((await this.#tmux.screen(name)) ?? "");
    this.#screens.set(name, { activity, asks });
    return asks;
  }
}

const lastLines = 15;

const isAsking = (screen: string): boolean =>
  askingScreen.test(
    screen
      .split("\n")
      .filter((line) => line.trim() !== "")
      .slice(-lastLines)
      .map((line) => line.slice(0, 300))
      .join("\n"),
  );
