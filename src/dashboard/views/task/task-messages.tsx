import { mailReading } from "../../data/mail.ts";
import { useReading } from "../../data/use-reading.ts";
import { Link } from "../../parts/link.tsx";
import { MessageBody } from "../../parts/message-body.tsx";
import { Show } from "../../parts/states.tsx";

/** What your agents wrote and were written about this task. */
export function TaskMessages({ id }: { id: string }) {
  const shown = useReading(mailReading);
  return (
    <Show
      shown={shown}
      what="messages"
      isEmpty={(mail) => mail.messages.every((message) => message.task_id !== id)}
      empty={<p className="muted">No messages about this task.</p>}
    >
      {(mail) => (
        <ol className="stack">
          {mail.messages
            .filter((message) => message.task_id === id)
            .map((message) => (
              <li key={message.id}>
                <MessageBody message={message} />
                <Link to={`/messages?thread=${message.thread_id}`} className="small">
                  Open the thread
                </Link>
              </li>
            ))}
        </ol>
      )}
    </Show>
  );
}
