import { useSyncExternalStore } from "react";
import { sayAge } from "./say-age.ts";

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time, told anew every few seconds by one clock for the whole page. */
export const useNow = (): number => useSyncExternalStore(listen, () => now);

/** How long ago, with the exact time on hover. */
export function TimeAgo({ at }: { at: string }) {
  const age = sayAge(useNow() - Date.parse(at));
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {age}
    </time>
  );
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 5_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
