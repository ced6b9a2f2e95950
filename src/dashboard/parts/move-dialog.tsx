import { useState } from "react";
import { type Movable, type Move, moveTask } from "../data/moves.ts";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";
import { attempt } from "./toast.tsx";

interface MoveDialogProps {
  readonly task: Movable;
  readonly move: Move;
  onClose(): void;
}

/** Asks for the words that a finished or failed task leaves behind. */
export function MoveDialog({ task, move, onClose }: MoveDialogProps) {
  const [words, setWords] = useState("");
  const isDone = move.asks === "outcome";

  async function send(): Promise<void> {
    if (await attempt(() => moveTask(task, move, words))) onClose();
  }

  return (
    <Dialog title={isDone ? "Outcome" : "What went wrong?"} onClose={onClose}>
      <Form send={send}>
        <TextField label={task.name} rows={4} required value={words} onChange={setWords} />
        <div className="dialog-actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className={isDone ? "primary" : "danger"} disabled={words.trim() === ""}>
            {isDone ? "Mark as done" : "Mark as failed"}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
