import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { deck } from "../../data/deck.ts";
import { type Correspondent, ensureMe, isPerson, type Mail, mailReading } from "../../data/mail.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ChoiceField, LineField, TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { attempt } from "../../parts/toast.tsx";

const everyone = "*";
const priorities = ["low", "normal", "high", "urgent"] as const;

/** A new message to one agent, or to everyone who is here. */
export function Write({ mail, onClose }: { mail: Mail; onClose(): void }) {
  const here = mail.agents.filter((agent) => agent.status !== "offline" && !isPerson(agent));
  const [to, setTo] = useState(here[0]?.id ?? everyone);
  const [subject, setSubject] = useState("");
  const [body, setBody] = useState("");
  const [priority, setPriority] = useState<(typeof priorities)[number]>("normal");

  async function send(): Promise<void> {
    const isSent = await attempt(async () => {
      const letter = { sender_id: await ensureMe(mail), body, priority, ...(subject.trim() ? { subject } : {}) };
      if (to === everyone) await callTool("message_broadcast", { ...letter, message_type: "notification" });
      else await callTool("message_send", { ...letter, recipient_id: to, message_type: "query" });
    }, "Message sent.");
    if (!isSent) return;
    void deck.store.reload(mailReading.key);
    onClose();
  }

  return (
    <Dialog title="New message" onClose={onClose}>
      <Form send={send}>
        <ChoiceField
          label="To"
          choices={[...here.map(sayAgent), { value: everyone, label: "Everyone online" }]}
          value={to}
          onChange={setTo}
        />
        <LineField label="Subject" maxLength={500} value={subject} onChange={setSubject} />
        <TextField label="Message" rows={5} required value={body} onChange={setBody} />
        <ChoiceField
          label="Priority"
          choices={priorities}
          value={priority}
          onChange={(chosen) => setPriority(chosen)}
        />
        <div className="dialog-actions">
          <button type="submit" className="primary" disabled={body.trim() === ""}>
            Send
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

const sayAgent = ({ id, name, developer }: Correspondent) => ({ value: id, label: `${name} (owner ${developer})` });
