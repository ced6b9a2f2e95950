import type { Message } from "../data/mail.ts";
import { sayName } from "../data/names.ts";
import { textOfBody } from "./body-text.ts";
import { Link } from "./link.tsx";
import { Markdown } from "./markdown.tsx";
import { Name } from "./name.tsx";
import { StatusMark } from "./status-mark.tsx";
import { TimeAgo } from "./time-ago.tsx";
import "./message-body.css";

/** One letter: from whom to whom, how urgent, whether it was read, and its words. */
export function MessageBody({ message }: { message: Message }) {
  const isUrgent = message.priority === "high" || message.priority === "urgent";
  return (
    <article className="message">
      <p className="wrap small">
        <span>
          <span className="strong">{sayName(message.sender_id ?? undefined)}</span>
          <span className="muted"> to {sayName(message.recipient_id)}</span>
        </span>
        {isUrgent && <StatusMark status={message.priority} />}
        <span className="muted">
          <TimeAgo at={message.created_at} />
          {message.status === "unread" && " · unread"}
        </span>
        {message.task_id && (
          <Link to={`/tasks/${message.task_id}`}>
            <Name id={message.task_id} />
          </Link>
        )}
      </p>
      <Markdown text={textOfBody(message.body)} />
    </article>
  );
}
