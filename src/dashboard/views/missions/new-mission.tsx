import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { go } from "../../page/router.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ChoiceField, LineField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { attempt } from "../../parts/toast.tsx";

const phases = ["1", "2", "3", "4", "5", "6"] as const;

/** Work in phases, proven by git at the end of each task. */
export function NewMission({ onClose }: { onClose(): void }) {
  const [name, setName] = useState("");
  const [objective, setObjective] = useState("");
  const [scope, setScope] = useState("");
  const [total, setTotal] = useState<(typeof phases)[number]>("3");

  async function send(): Promise<void> {
    await attempt(async () => {
      const { mission_id } = await callTool("start_mission", {
        name: name.trim(),
        objective: objective.trim(),
        total_phases: Number(total),
        ...(scope.trim() === "" ? {} : { scope: scope.trim() }),
      });
      onClose();
      go(`/missions/${mission_id}`);
    });
  }

  return (
    <Dialog title="New mission" onClose={onClose}>
      <Form send={send}>
        <LineField label="Name" required maxLength={200} value={name} onChange={setName} />
        <TextField label="Objective" required maxLength={20_000} value={objective} onChange={setObjective} />
        <TextField label="Scope (optional)" rows={2} maxLength={20_000} value={scope} onChange={setScope} />
        <ChoiceField label="Phases" choices={phases} value={total} onChange={(chosen) => setTotal(chosen)} />
        <div className="dialog-actions">
          <button type="submit" className="primary" disabled={name.trim() === "" || objective.trim() === ""}>
            Create mission
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
