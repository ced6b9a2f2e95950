import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ChoiceField, LineField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { attempt } from "../../parts/toast.tsx";
import type { Step } from "./workflow-model.ts";

interface StepDialogProps {
  readonly step: Step;
  onClose(): void;
}

/** One more task, behind any of the others. */
export function AddStep({
  workflowId,
  steps,
  onClose,
}: {
  workflowId: string;
  steps: readonly Step[];
  onClose(): void;
}) {
  const last = steps.at(-1);
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [after, setAfter] = useState(last?.name ?? "");
  const sequence =
    (steps.find((step) => step.name === after)?.sequence ?? last?.sequence ?? 0) + (after === "" ? 0 : 1);
  const add = () =>
    callTool("task_add", {
      workflow_id: workflowId,
      name,
      description,
      sequence,
      depends_on: after === "" ? [] : [after],
    });
  return (
    <PlanDialog title="Add task" verb="Add" isReady={name.trim() !== ""} act={add} done="Task added." onClose={onClose}>
      <LineField label="Name" maxLength={200} required value={name} onChange={setName} />
      <TextField label="Description" value={description} onChange={setDescription} />
      <ChoiceField
        label="Depends on"
        none="Nothing: can start now"
        choices={steps.map((step) => step.name)}
        value={after}
        onChange={setAfter}
      />
    </PlanDialog>
  );
}

export function CancelStep({ step, onClose }: StepDialogProps) {
  const [reason, setReason] = useState("");
  const cancel = () => callTool("covibe_task", { operation: "cancel", task_id: step.id, reason });
  return (
    <PlanDialog
      title={`Cancel “${step.name}”`}
      verb="Cancel task"
      isDangerous
      isReady={reason.trim() !== ""}
      act={cancel}
      done="Task cancelled."
      onClose={onClose}
    >
      <p className="muted small">Tasks that depend on it can then start.</p>
      <TextField label="Why" required value={reason} onChange={setReason} />
    </PlanDialog>
  );
}

export function ReplanStep({ step, onClose }: StepDialogProps) {
  const [reason, setReason] = useState("");
  const [approach, setApproach] = useState("");
  const [lines, setLines] = useState("");
  const replan = () =>
    callTool("task_replan", {
      id: step.id,
      reason,
      new_plan: { approach, steps: lines.split("\n").flatMap((line) => line.trim() || []) },
    });
  return (
    <PlanDialog
      title={`Replan “${step.name}”`}
      verb="Replan"
      isReady={reason.trim() !== "" && approach.trim() !== ""}
      act={replan}
      done="Task restarted with the new plan."
      onClose={onClose}
    >
      <LineField label="Why" required value={reason} onChange={setReason} />
      <TextField label="Approach" rows={2} required value={approach} onChange={setApproach} />
      <TextField label="Steps, one per line" rows={4} value={lines} onChange={setLines} />
    </PlanDialog>
  );
}

interface PlanDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly isReady: boolean;
  readonly isDangerous?: boolean;
  act(): Promise<unknown>;
  readonly done: string;
  onClose(): void;
  readonly children: React.ReactNode;
}

function PlanDialog({ title, verb, isReady, isDangerous = false, act, done, onClose, children }: PlanDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        send={async () => {
          if (await attempt(act, done)) onClose();
        }}
      >
        {children}
        <div className="dialog-actions">
          <button type="submit" className={isDangerous ? "danger" : "primary"} disabled={!isReady}>
            {verb}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
