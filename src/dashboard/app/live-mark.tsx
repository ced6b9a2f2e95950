import type { LinkState } from "../data/live.ts";
import { useDeck } from "../data/use-reading.ts";

const words: Readonly<Record<LinkState, string>> = {
  connecting: "connecting…",
  live: "live",
  reconnecting: "reconnecting…",
  stale: "stale",
  ended: "signed out",
};

/** Whether what is on screen is what is true. */
export function LiveMark() {
  const { link } = useDeck();
  return (
    <output className="live" data-state={link}>
      <span className="live-dot" aria-hidden="true" />
      {words[link]}
    </output>
  );
}
