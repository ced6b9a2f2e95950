import { useState } from "react";
import { keepSimilar, type Similar } from "../../data/similar.ts";
import { useDeck } from "../../data/use-reading.ts";
import { openOverlay } from "../../page/overlay.ts";
import { Compare, Likeness } from "../../parts/compare.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { SimilarList } from "../../parts/similar-list.tsx";
import { attempt, say } from "../../parts/toast.tsx";
import { PlanFields } from "./plan-fields.tsx";
import { emptyPlan, type PlanCandidate, type PlanForm, type PlanKind, plan, planTitles, workOf } from "./plan-model.ts";
import "./plan.css";

/** A person plans work. What is probably known already is shown first, and wants a reason. */
export function PlanDialog({ kind, onClose }: { kind: PlanKind; onClose(): void }) {
  const [form, setForm] = useState<PlanForm>(emptyPlan);
  const [known, setKnown] = useState<readonly PlanCandidate[]>([]);
  const [near, setNear] = useState<readonly Similar[]>([]);
  const [reason, setReason] = useState("");
  const isAsked = known.length > 0;

  async function send(): Promise<void> {
    if (isAsked && reason.trim() === "") return;
    let candidates: readonly PlanCandidate[] = [];
    let similar: readonly Similar[] = [];
    const isThrough = await attempt(async () => {
      const answer = await plan(kind, form, isAsked ? reason : undefined);
      if (answer.requires_confirm) candidates = answer.candidates;
      similar = [...answer.matches, ...answer.nearest];
    });
    setKnown(candidates);
    setNear(similar);
    if (isThrough && candidates.length === 0) {
      sayPlanned(form.title.trim(), similar);
      onClose();
    }
  }

  return (
    <Dialog title={planTitles[kind]} size="large" onClose={onClose}>
      <Form send={send}>
        {isAsked ? (
          <Known kind={kind} form={form} known={known} near={near} reason={reason} onReason={setReason} />
        ) : (
          <PlanFields kind={kind} form={form} onChange={setForm} />
        )}
        <div className="dialog-actions">
          {isAsked && (
            <button type="button" onClick={() => setKnown([])}>
              Edit plan
            </button>
          )}
          <button
            type="submit"
            className="primary"
            disabled={isAsked ? reason.trim() === "" : form.title.trim() === ""}
          >
            {isAsked ? "Plan anyway" : `Plan ${kind}`}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Says so, and offers what it was compared with: nobody is held up by work that is only near. */
function sayPlanned(title: string, similar: readonly Similar[]): void {
  keepSimilar(title, similar);
  const show = { label: `Nearest work (${similar.length})`, act: () => openOverlay("similar-work") };
  say(`“${title}” planned.`, similar.length === 0 ? {} : { staysMs: 8_000, action: show });
}

interface KnownProps {
  readonly kind: PlanKind;
  readonly form: PlanForm;
  readonly known: readonly PlanCandidate[];
  readonly near: readonly Similar[];
  readonly reason: string;
  onReason(reason: string): void;
}

function Known({ kind, form, known, near, reason, onReason }: KnownProps) {
  const { person } = useDeck();
  const mine = workOf(kind, form, person?.handle ?? "you");
  return (
    <>
      <p role="alert" className="plan-known">
        Not planned yet: {known.length === 1 ? "similar work exists" : `${known.length} similar pieces of work exist`}.
      </p>
      {known.map((one) => (
        <section key={one.id} className="plan-candidate" aria-label={`Compared with ${one.title}`}>
          <Likeness score={one.score} reasons={one.reasons} />
          <Compare
            label={`${mine.title}, compared with ${one.title}`}
            left={{ heading: "Your plan", work: mine }}
            right={{ heading: "Existing", work: { ...one, target_files: one.file_overlap ?? [] } }}
            sharedFiles={one.file_overlap ?? []}
          />
        </section>
      ))}
      {near.length > 0 && (
        <details>
          <summary>Nearest other work ({near.length})</summary>
          <SimilarList similar={near} />
        </details>
      )}
      <TextField label="Reason" required maxLength={2_000} value={reason} ref={focusIt} onChange={onReason} />
    </>
  );
}

const focusIt = (element: HTMLElement | null): void => element?.focus();
