import type { Progress } from "../../engine/call.ts";

const atMostEveryMs = 250;

/** Passes progress on: only increasing figures, at most one in 250 ms (MC71). */
export function throttleProgress(send: (progress: Progress) => void, now: () => number): (progress: Progress) => void {
  let lastSentAt = Number.NEGATIVE_INFINITY;
  let lastProgress = Number.NEGATIVE_INFINITY;
  return (progress) => {
    if (progress.progress <= lastProgress || now() - lastSentAt < atMostEveryMs) return;
    lastSentAt = now();
    lastProgress = progress.progress;
    send(progress);
  };
}
