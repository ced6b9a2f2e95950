import { type SyntheticEvent, useState } from "react";
import { callTool } from "../../data/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { act, type Item, keyOf } from "./inbox-model.ts";

/** A question of a teammate's agent, and the answer it reads next. */
export function AskDialog({ item, onClose }: { item: Item; onClose(): void }) {
  const [answer, setAnswer] = useState("");
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    const reply = { operation: "reply", ask_id: item.id, answer } as const;
    act(keyOf(item), "Answer sent.", () => callTool("covibe_coordination", reply));
    onClose();
  }
  return (
    <Dialog title="Answer" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p className="muted small">
          {item.from} asks · <TimeAgo at={item.since} />
        </p>
        <p className="inbox-words">{item.title}</p>
        <TextField label="Your answer" rows={4} required value={answer} onChange={setAnswer} />
        <div className="dialog-actions">
          <button type="submit" className="primary" disabled={answer.trim() === ""}>
            Answer
          </button>
        </div>
      </form>
    </Dialog>
  );
}
