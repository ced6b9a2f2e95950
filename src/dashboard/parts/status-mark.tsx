import "./status-mark.css";

/** The shapes a status can have. Shape and words tell it; colour only repeats what is blocked, failing or waiting. */
const shapes = {
  empty: <circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  half: (
    <>
      <circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" />
    </>
  ),
  full: <circle cx="8" cy="8" r="5.5" fill="currentColor" />,
  check: <path d="m3 8.5 3.3 3.3L13 4.8" fill="none" stroke="currentColor" strokeWidth="2" />,
  cross: <path d="m4 4 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="2" />,
  bars: <path d="M5.5 3.5v9m5-9v9" fill="none" stroke="currentColor" strokeWidth="2.2" />,
  stop: (
    <>
      <path d="M5.3 2h5.4L14 5.3v5.4L10.7 14H5.3L2 10.7V5.3z" fill="currentColor" />
      <path d="M5 8h6" stroke="var(--raised)" strokeWidth="1.8" />
    </>
  ),
  dash: <path d="M3.5 8h9" fill="none" stroke="currentColor" strokeWidth="2" />,
  alert: (
    <>
      <path d="M8 1.8 14.8 14H1.2z" fill="currentColor" />
      <path d="M8 6v4m0 1.4v1.2" stroke="var(--raised)" strokeWidth="1.5" />
    </>
  ),
} as const;

type Tone = "plain" | "quiet" | "good" | "attention" | "danger";

/** Every status word of every family, said and drawn one way. */
const marks: Readonly<Record<string, { shape: keyof typeof shapes; words: string; tone: Tone }>> = {
  planned: { shape: "empty", words: "planned", tone: "quiet" },
  pending: { shape: "empty", words: "planned", tone: "quiet" },
  preparing: { shape: "half", words: "preparing", tone: "plain" },
  planning: { shape: "half", words: "preparing", tone: "plain" },
  ready: { shape: "half", words: "ready", tone: "plain" },
  active: { shape: "half", words: "active", tone: "good" },
  in_progress: { shape: "half", words: "active", tone: "good" },
  paused: { shape: "bars", words: "paused", tone: "attention" },
  waits: { shape: "bars", words: "waiting", tone: "quiet" },
  working: { shape: "half", words: "working", tone: "good" },
  idle: { shape: "full", words: "idle", tone: "plain" },
  blocked: { shape: "stop", words: "blocked", tone: "danger" },
  awaiting_merge: { shape: "bars", words: "waiting for merge", tone: "attention" },
  done: { shape: "check", words: "done", tone: "quiet" },
  completed: { shape: "check", words: "done", tone: "quiet" },
  partial: { shape: "check", words: "partially done", tone: "attention" },
  failed: { shape: "cross", words: "failed", tone: "danger" },
  cancelled: { shape: "dash", words: "cancelled", tone: "quiet" },
  skipped: { shape: "dash", words: "cancelled", tone: "quiet" },
  abandoned: { shape: "dash", words: "cancelled", tone: "quiet" },
  queued: { shape: "empty", words: "queued", tone: "quiet" },
  starting: { shape: "half", words: "starting", tone: "plain" },
  started: { shape: "half", words: "working", tone: "good" },
  waiting_review: { shape: "bars", words: "in review", tone: "plain" },
  pr_created: { shape: "half", words: "pull request open", tone: "plain" },
  pr_merged: { shape: "check", words: "merged", tone: "quiet" },
  pr_closed: { shape: "dash", words: "closed", tone: "quiet" },
  terminated: { shape: "check", words: "ended", tone: "quiet" },
  online: { shape: "full", words: "online", tone: "good" },
  busy: { shape: "half", words: "busy", tone: "good" },
  offline: { shape: "empty", words: "offline", tone: "quiet" },
  stale: { shape: "alert", words: "stale", tone: "attention" },
  waiting: { shape: "alert", words: "needs you", tone: "attention" },
  urgent: { shape: "alert", words: "urgent", tone: "danger" },
  high: { shape: "alert", words: "high", tone: "attention" },
};

/** A status as a small shape with its word; `label` may be hidden where the word stands beside it anyway. */
export function StatusMark({ status, label = "shown" }: { status: string; label?: "shown" | "spoken" }) {
  const mark = marks[status] ?? { shape: "empty", words: status.replaceAll("_", " "), tone: "quiet" };
  return (
    <span className="mark" data-tone={mark.tone}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {shapes[mark.shape]}
      </svg>
      <span className={label === "shown" ? undefined : "only-spoken"}>{mark.words}</span>
    </span>
  );
}
