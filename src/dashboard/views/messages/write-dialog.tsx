import { type SyntheticEvent, useState } from "react";
import { callTool } from "../../data/api.ts";
import { deck } from "../../data/deck.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { attempt } from "../../parts/toast.tsx";
import { ensureMe, isPerson, type Mail, mailReading } from "./mail-model.ts";

const everyone = "*";
const priorities = ["low", "normal", "high", "urgent"] as const;

/** A new message to one agent, or to everyone who is here. */
export function Write({ mail, onClose }: { mail: Mail; onClose(): void }) {
  const here = mail.agents.filter((agent) => agent.status !== "offline" && !isPerson(agent));
  const [to, setTo] = useState(here[0]?.id ?? everyone);
  const [subject, setSubject] = useState("");
  const [body, setBody] = useState("");
  const [priority, setPriority] = useState<string>("normal");

  async function send(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const isSent = await attempt(async () => {
      const letter = { sender_id: await ensureMe(mail), body, priority, ...(subject.trim() ? { subject } : {}) };
      if (to === everyone) await callTool("message_broadcast", { ...letter, message_type: "notification" });
      else await callTool("message_send", { ...letter, recipient_id: to, message_type: "query" });
    }, "Sent.");
    if (!isSent) return;
    deck.store.reload(mailReading.key);
    onClose();
  }

  return (
    <Dialog title="Write" onClose={onClose}>
      <form className="form" onSubmit={(event) => void send(event)}>
        <div className="field">
          <label htmlFor="write-to">To</label>
          <select id="write-to" value={to} onChange={(event) => setTo(event.target.value)}>
            {here.map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.name} (for {agent.developer})
              </option>
            ))}
            <option value={everyone}>Everyone who is here</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor="write-subject">Subject</label>
          <input
            id="write-subject"
            maxLength={500}
            value={subject}
            onChange={(event) => setSubject(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="write-body">Message</label>
          <textarea id="write-body" rows={5} required value={body} onChange={(event) => setBody(event.target.value)} />
        </div>
        <div className="field">
          <label htmlFor="write-priority">Priority</label>
          <select id="write-priority" value={priority} onChange={(event) => setPriority(event.target.value)}>
            {priorities.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </div>
        <div className="dialog-actions">
          <button type="submit" className="primary" disabled={body.trim() === ""}>
            Send
          </button>
        </div>
      </form>
    </Dialog>
  );
}
