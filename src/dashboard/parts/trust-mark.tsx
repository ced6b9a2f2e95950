import type { BoardTask } from "../data/task.ts";
import "./trust-mark.css";

type Result = BoardTask["result"];

const words = {
  "self-reported": { label: "Self-reported", meaning: "Nobody has verified this result: it is the agent’s word." },
  verified: { label: "Verified", meaning: "Git shows the changes, and all of them are within the announced scope." },
  reproduced: { label: "Reproduced", meaning: "The repository’s checks passed again on exactly this result." },
} as const;

/** What a result rests on, and what went wrong with it. Nothing until there is a result. */
export function TrustMark({ result, isBrief = false }: { result: Result; isBrief?: boolean }) {
  if (result === null) return null;
  const { level, out_of_scope_count: outside, failing_check_count: failing } = result;
  const { label, meaning } = words[level];
  return (
    <span className="trust">
      <span className="trust-level" data-trust={level} title={meaning}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          {shapes[level]}
        </svg>
        <span className="trust-label">{label}</span>
      </span>
      {outside > 0 && (
        <span
          className="chip"
          data-tone="danger"
          title={`${count(outside, "file")} outside the announced scope changed`}
        >
          {isBrief ? outside : count(outside, "file")} out of scope
        </span>
      )}
      {failing > 0 && (
        <span className="chip" data-tone="danger">
          {count(failing, "check")} failed
        </span>
      )}
      {!isBrief && <span className="muted small trust-meaning">{meaning}</span>}
    </span>
  );
}

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;

/** An open ring, a ring with a check, a full disc with a check. */
const shapes = {
  "self-reported": (
    <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="3 2" />
  ),
  verified: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="m5 8.2 2.2 2.2L11.2 6" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  reproduced: (
    <>
      <circle cx="8" cy="8" r="6.75" fill="currentColor" />
      <path d="m5 8.2 2.2 2.2L11.2 6" fill="none" stroke="var(--raised)" strokeWidth="1.6" />
    </>
  ),
} as const;
