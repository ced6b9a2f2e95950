import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
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
    <PlanDialog
      title="Add a task"
      verb="Add"
      isReady={name.trim() !== ""}
      act={add}
      done="The task is added."
      onClose={onClose}
    >
      <label className="field">
        <span>Name</span>
        <input value={name} maxLength={200} required onChange={(event) => setName(event.target.value)} />
      </label>
      <label className="field">
        <span>What is to be done</span>
        <textarea rows={3} value={description} onChange={(event) => setDescription(event.target.value)} />
      </label>
      <label className="field">
        <span>Comes after</span>
        <select value={after} onChange={(event) => setAfter(event.target.value)}>
          <option value="">nothing: it can begin at once</option>
          {steps.map((step) => (
            <option key={step.id} value={step.name}>
              {step.name}
            </option>
          ))}
        </select>
      </label>
    </PlanDialog>
  );
}

export function CancelStep({ step, onClose }: StepDialogProps) {
  const [reason, setReason] = useState("");
  const cancel = () => callTool("covibe_task", { operation: "cancel", task_id: step.id, reason });
  return (
    <PlanDialog
      title={`Cancel “${step.name}”`}
      verb="Cancel the task"
      isDangerous
      isReady={reason.trim() !== ""}
      act={cancel}
      done="The task is cancelled."
      onClose={onClose}
    >
      <p className="muted small">What waits for it can then begin.</p>
      <label className="field">
        <span>Why</span>
        <textarea rows={3} value={reason} required onChange={(event) => setReason(event.target.value)} />
      </label>
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
      title={`Plan “${step.name}” anew`}
      verb="Plan anew"
      isReady={reason.trim() !== "" && approach.trim() !== ""}
      act={replan}
      done="The task starts over with the new plan."
      onClose={onClose}
    >
      <label className="field">
        <span>Why</span>
        <input value={reason} required onChange={(event) => setReason(event.target.value)} />
      </label>
      <label className="field">
        <span>Approach</span>
        <textarea rows={2} value={approach} required onChange={(event) => setApproach(event.target.value)} />
      </label>
      <label className="field">
        <span>Steps, one on each line</span>
        <textarea rows={4} value={lines} onChange={(event) => setLines(event.target.value)} />
      </label>
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
      <form
        className="form"
        onSubmit={async (event) => {
          event.preventDefault();
          if (await attempt(act, done)) onClose();
        }}
      >
        {children}
        <div className="dialog-actions">
          <button type="submit" className={isDangerous ? "danger" : "primary"} disabled={!isReady}>
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
