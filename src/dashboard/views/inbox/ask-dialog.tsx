import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { act, type Item, keyOf } from "./inbox-model.ts";
import { ItemWho } from "./item-who.tsx";

/** A question of a teammate's agent, and the answer it reads next. */
export function AskDialog({ item, onClose }: { item: Item; onClose(): void }) {
  const [answer, setAnswer] = useState("");
  function send(): void {
    const reply = { operation: "reply", ask_id: item.id, answer } as const;
    act(keyOf(item), "Answer sent.", () => callTool("covibe_coordination", reply));
    onClose();
  }
  return (
    <Dialog title="Answer" onClose={onClose}>
      <Form send={send}>
        <p className="muted small">
          <ItemWho item={item} /> asks · <TimeAgo at={item.since} />
        </p>
        <p className="inbox-words">{item.title}</p>
        <TextField label="Your answer" rows={4} required value={answer} onChange={setAnswer} />
        <div className="dialog-actions">
          <button type="submit" className="primary" disabled={answer.trim() === ""}>
            Answer
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
