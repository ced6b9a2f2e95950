import { useId, useState } from "react";
import { type Candidate, candidatesOf, decideStart, leastReason, saidDecision } from "../../data/decisions.ts";
import type { Comparison } from "../../data/doubts.ts";
import { useKeys } from "../../page/keys.ts";
import { DecideStart } from "../../parts/decide-start.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { attempt } from "../../parts/toast.tsx";
import {
  canDismiss,
  confirmStart,
  dismissWarning,
  type Judging,
  missingIn,
  type VerdictWord,
  verdictWords,
} from "./overlap-model.ts";

/** What the reader decides: a verdict for each candidate and the reason, or that the warning does not matter. */
export function JudgeForm({ comparison, mayConfirm }: { comparison: Comparison; mayConfirm: boolean }) {
  const [judging, setJudging] = useState<Judging>({ verdicts: {}, reason: "" });
  const [isDismissing, setDismissing] = useState(false);
  const [isDeclining, setDeclining] = useState(false);
  const missing = missingIn(comparison, judging);
  useKeys([
    { keys: "c", label: "Confirm start", act: goToDecision },
    { keys: "r", label: "Refuse or join", act: () => mayConfirm && setDeclining(true) },
    { keys: "x", label: "Dismiss warning", act: () => canDismiss(comparison) && setDismissing(true) },
  ]);

  async function send(): Promise<void> {
    if (missing !== undefined) return;
    await attempt(() => confirmStart(comparison, judging), "Confirmed. The agent can start now.");
  }

  return (
    <div className="stack">
      {mayConfirm && (
        <Form id="decision" className="card stack" send={send}>
          <h2>Your decision</h2>
          {candidatesOf(comparison).map((other) => (
            <VerdictChoice
              key={other.id}
              other={other}
              chosen={judging.verdicts[other.id]}
              onChoose={(verdict) => setJudging({ ...judging, verdicts: { ...judging.verdicts, [other.id]: verdict } })}
            />
          ))}
          <Reason label="Reason" value={judging.reason} onChange={(reason) => setJudging({ ...judging, reason })} />
          <div className="wrap">
            <button type="submit" className="primary" disabled={missing !== undefined}>
              Confirm start
            </button>
            <button type="button" onClick={() => setDeclining(true)}>
              Refuse or join…
            </button>
            <output className="muted small">{missing}</output>
          </div>
        </Form>
      )}
      {canDismiss(comparison) && (
        <p className="wrap">
          <button type="button" onClick={() => setDismissing(true)}>
            Dismiss warning
          </button>
          <span className="muted small">Removes it from the list. Starting it still needs a decision.</span>
        </p>
      )}
      {isDeclining && <DeclineDialog comparison={comparison} onClose={() => setDeclining(false)} />}
      {isDismissing && <DismissDialog comparison={comparison} onClose={() => setDismissing(false)} />}
    </div>
  );
}

/** To the first question, however far below it is. */
export const goToDecision = (): void => document.querySelector<HTMLElement>("#decision input")?.focus();

interface VerdictChoiceProps {
  readonly other: Candidate;
  readonly chosen: VerdictWord | undefined;
  onChoose(verdict: VerdictWord): void;
}

function VerdictChoice({ other, chosen, onChoose }: VerdictChoiceProps) {
  const name = useId();
  return (
    <fieldset className="judge-choice">
      <legend>Compared with “{other.title}”</legend>
      {(Object.keys(verdictWords) as VerdictWord[]).map((word) => (
        <label key={word}>
          <input type="radio" name={name} checked={chosen === word} onChange={() => onChoose(word)} />
          {verdictWords[word]}
        </label>
      ))}
    </fieldset>
  );
}

const Reason = (field: { label: string; value: string; onChange(value: string): void }) => (
  <TextField {...field} required minLength={leastReason} maxLength={2_000} />
);

function DeclineDialog({ comparison, onClose }: { comparison: Comparison; onClose(): void }) {
  return (
    <Dialog title="Refuse or join" onClose={onClose}>
      <p className="muted">{comparison.title}</p>
      <DecideStart
        candidates={candidatesOf(comparison)}
        canConfirm={false}
        onDecide={async (decision) => {
          const isDone = await attempt(
            () => decideStart(comparison.check_id ?? "", decision),
            saidDecision[decision.kind],
          );
          if (isDone) onClose();
        }}
      />
    </Dialog>
  );
}

function DismissDialog({ comparison, onClose }: { comparison: Comparison; onClose(): void }) {
  const [reason, setReason] = useState("");
  async function send(): Promise<void> {
    if (await attempt(() => dismissWarning(comparison, reason.trim()), "Warning dismissed.")) onClose();
  }
  return (
    <Dialog title="Dismiss warning" onClose={onClose}>
      <Form className="stack" send={send}>
        <p className="muted">{comparison.title}</p>
        <Reason label="Reason" value={reason} onChange={setReason} />
        <div className="dialog-actions">
          <button type="submit" className="primary" disabled={reason.trim().length < leastReason}>
            Dismiss
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
