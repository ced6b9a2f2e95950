import { useState } from "react";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";
import { go } from "../../page/router.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { say } from "../../parts/toast.tsx";
import { WorkLink } from "../../parts/work-link.tsx";
import type { Finding } from "./triage-model.ts";

type Candidate = AnswerOf<"finding_plan">["candidates"][number];

class SimilarWork extends Error {}

/** Plans the task that fixes a finding. Where work like it is known, it wants a reason. */
export function PlanFixDialog({ finding, onClose }: { finding: Finding; onClose(): void }) {
  const [known, setKnown] = useState<readonly Candidate[]>([]);
  const [reason, setReason] = useState("");
  const isAsked = known.length > 0;

  async function send(): Promise<void> {
    const answer = await callTool("finding_plan", {
      id: finding.id,
      ...(isAsked ? { confirm: true, confirmation_reason: reason.trim() } : {}),
    });
    if (answer.requires_confirm) {
      setKnown(answer.candidates);
      throw new SimilarWork();
    }
    const task = answer.task_id;
    say("Fix planned. The finding closes when the task is done.", {
      ...(task === null ? {} : { action: { label: "Open task", act: () => go(`/tasks/${task}`) } }),
    });
  }

  return (
    <ActionDialog
      title="Plan a fix"
      verb={isAsked ? "Plan anyway" : "Plan fix"}
      canSend={!isAsked || reason.trim() !== ""}
      send={send}
      isQuiet={(error) => error instanceof SimilarWork}
      onClose={onClose}
    >
      <p>
        Creates a task that fixes <span className="strong">{finding.title}</span>. Completing it closes the finding.
      </p>
      {isAsked && (
        <>
          <p role="alert">Not planned yet: similar work exists.</p>
          <ul className="triage-similar">
            {known.map((one) => (
              <li key={one.id}>
                <WorkLink to={`/${one.type === "task" ? "tasks" : "workflows"}/${one.id}`} name={one.title} />
              </li>
            ))}
          </ul>
          <TextField label="Reason" required maxLength={2_000} value={reason} onChange={setReason} />
        </>
      )}
    </ActionDialog>
  );
}
