import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { deck } from "../../data/deck.ts";
import { ensureMe, type Mail, mailReading } from "../../data/mail.ts";
import { sayName } from "../../data/names.ts";
import { Form } from "../../parts/form.tsx";
import { attempt } from "../../parts/toast.tsx";
import { answerTo, type Thread } from "./thread-model.ts";

/** An answer in the thread, from the person to whoever wrote last. */
export function Reply({ thread, mail }: { thread: Thread; mail: Mail }) {
  const [text, setText] = useState("");
  const target = answerTo(thread, mail.me?.id);
  if (!target) return null;

  async function send(): Promise<void> {
    if (!target || text.trim() === "") return;
    const isSent = await attempt(async () => {
      await callTool("message_send", {
        sender_id: await ensureMe(mail),
        recipient_id: target.recipient,
        message_type: "response",
        body: text,
        reply_to_id: target.message,
      });
    });
    if (!isSent) return;
    setText("");
    void deck.store.reload(mailReading.key);
  }

  return (
    <Form className="reply" send={send}>
      <label htmlFor="reply" className="muted small">
        Reply to {sayName(target.recipient)}
      </label>
      <textarea
        id="reply"
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <button type="submit" className="primary" disabled={text.trim() === ""}>
        Send
      </button>
    </Form>
  );
}
