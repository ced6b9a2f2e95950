import { useId, useState } from "react";
import { type Candidate, type Decision, leastReason } from "../data/decisions.ts";
import { privateName } from "../data/names.ts";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";
import { Who } from "./who.tsx";
import "./decide-start.css";

interface DecideStartProps {
  readonly candidates: readonly Candidate[];
  /** Without it a start can only be refused or joined to other work. */
  readonly canConfirm: boolean;
  onDecide(decision: Decision): Promise<void> | void;
}

/** Whether an agent may start, must not, or goes on with work that exists; its agent reads the reason. */
export function DecideStart({ candidates, canConfirm, onDecide }: DecideStartProps) {
  const [kind, setKind] = useState<Decision["kind"]>();
  const [joined, setJoined] = useState("");
  const [reason, setReason] = useState("");
  const joinable = candidates.filter(({ owner }) => owner !== privateName);
  const missing = missingIn(kind, reason);

  async function send(): Promise<void> {
    if (kind === undefined || missing !== undefined) return;
    await onDecide(kind === "join" ? { kind, candidateId: joined, reason } : { kind, reason });
  }

  return (
    <Form send={send}>
      <fieldset className="decide">
        <legend>Decision</legend>
        {canConfirm && (
          <Choice isChosen={kind === "confirm"} onChoose={() => setKind("confirm")} title="Start anyway">
            It’s different work, or both are needed.
          </Choice>
        )}
        <Choice isChosen={kind === "refuse"} onChoose={() => setKind("refuse")} title="Don’t start">
          The agent reads why and looks for other work.
        </Choice>
        {joinable.map((one) => (
          <Choice
            key={one.id}
            isChosen={kind === "join" && joined === one.id}
            onChoose={() => {
              setKind("join");
              setJoined(one.id);
            }}
            title={`Join “${one.title}”`}
          >
            {one.agent_id ? <Who id={one.agent_id} isPlain /> : one.owner}
            {one.same_developer ? " · your own work" : ` · asks ${one.owner} to hand part of it over`}
          </Choice>
        ))}
      </fieldset>
      <TextField
        label={kind === "join" ? "Note (optional)" : "Reason"}
        required={kind !== "join"}
        maxLength={2_000}
        value={reason}
        onChange={setReason}
      />
      <div className="dialog-actions">
        <output className="muted small">{kind !== undefined && missing}</output>
        <button type="submit" className="primary" disabled={missing !== undefined}>
          {kind === undefined ? "Decide" : verbs[kind]}
        </button>
      </div>
    </Form>
  );
}

const verbs: Readonly<Record<Decision["kind"], string>> = {
  confirm: "Confirm start",
  refuse: "Refuse start",
  join: "Join work",
};

/** What is still missing before it can be sent, or undefined. */
function missingIn(kind: Decision["kind"] | undefined, reason: string): string | undefined {
  if (kind === undefined) return "Choose one.";
  const least = { confirm: leastReason, refuse: 1, join: 0 }[kind];
  return reason.trim().length >= least ? undefined : `Give a reason of at least ${least} characters.`;
}

interface ChoiceProps {
  readonly title: string;
  readonly isChosen: boolean;
  onChoose(): void;
  readonly children: React.ReactNode;
}

function Choice({ title, isChosen, onChoose, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="decide-choice">
      <input
        id={id}
        type="radio"
        name="decision"
        checked={isChosen}
        onChange={onChoose}
        aria-describedby={`${id}-more`}
      />
      <label htmlFor={id}>{title}</label>
      <span id={`${id}-more`} className="muted small">
        {children}
      </span>
    </div>
  );
}
