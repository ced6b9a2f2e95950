import { useEffect, useMemo, useState } from "react";
import { callTool } from "../../data/api.ts";
import { type Mail, mailReading } from "../../data/mail.ts";
import { sayName } from "../../data/names.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { MessageBody } from "../../parts/message-body.tsx";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { Reply } from "./reply.tsx";
import { type Thread, threadsOf } from "./thread-model.ts";
import { Write } from "./write-dialog.tsx";
import "./messages.css";

/** What your agents say to each other and to you. */
export function MessagesView() {
  const shown = useReading(mailReading);
  const { query } = usePlace();
  const [isWriting, setWriting] = useState(false);
  useKeys([{ keys: "c", label: "New message", act: () => setWriting(true) }]);
  return (
    <Page
      title="Messages"
      fills
      actions={
        <button type="button" className="primary" onClick={() => setWriting(true)}>
          New message
        </button>
      }
    >
      <Show shown={shown} what="messages" isEmpty={(mail) => mail.messages.length === 0} empty={<NoMessages />}>
        {(mail) => <Threads mail={mail} open={query.get("thread") ?? ""} />}
      </Show>
      {isWriting && shown.value && <Write mail={shown.value} onClose={() => setWriting(false)} />}
    </Page>
  );
}

function Threads({ mail, open }: { mail: Mail; open: string }) {
  const threads = useMemo(() => threadsOf(mail), [mail]);
  const chosen = threads.find((thread) => thread.id === open);
  const place = chosen ? threads.indexOf(chosen) : -1;
  useKeys(
    listKeys({ count: threads.length, current: place, setCurrent: (to) => changeQuery({ thread: threads[to]?.id }) }),
  );
  return (
    <div className="messages" data-open={chosen !== undefined}>
      <ul className="threads" aria-label="Threads">
        {threads.map((thread) => (
          <li key={thread.id}>
            <ThreadRow thread={thread} isOpen={thread === chosen} />
          </li>
        ))}
      </ul>
      {chosen ? (
        <Conversation key={chosen.id} thread={chosen} mail={mail} />
      ) : (
        <p className="muted messages-none">Select a thread, or use J and K.</p>
      )}
    </div>
  );
}

function ThreadRow({ thread, isOpen }: { thread: Thread; isOpen: boolean }) {
  const isUrgent = thread.waiting === "high" || thread.waiting === "urgent";
  return (
    <Link
      to={`/messages?thread=${encodeURIComponent(thread.id)}`}
      className="thread"
      aria-current={isOpen ? "true" : undefined}
      data-unread={thread.unread > 0}
    >
      <span className="thread-head">
        <span className="cut thread-subject">{thread.subject}</span>
        <span className="muted small">
          <TimeAgo at={thread.lastAt} />
        </span>
      </span>
      <span className="wrap small">
        {isUrgent && <StatusMark status={thread.waiting ?? ""} />}
        {thread.unread > 0 && (
          <span className="chip" data-tone="attention">
            {thread.unread} for you
          </span>
        )}
        <span className="muted cut">{sayPeople(thread.people)}</span>
      </span>
      <span className="muted small cut">{thread.preview}</span>
    </Link>
  );
}

function sayPeople(ids: readonly string[]): string {
  const names = ids.slice(0, 3).map(sayName).join(", ");
  return ids.length > 3 ? `${names} and ${ids.length - 3} more` : names;
}

function Conversation({ thread, mail }: { thread: Thread; mail: Mail }) {
  const me = mail.me?.id;
  const unread = thread.messages.filter((one) => one.status === "unread" && one.recipient_id === me);
  const ids = unread.map((message) => message.id).join(",");
  // Only what was written to the person: an agent must still find its own letters unread.
  useEffect(() => {
    if (ids !== "") void attempt(() => callTool("message_mark_read", { message_ids: ids.split(",") }));
  }, [ids]);
  return (
    <section className="conversation" aria-label={thread.subject}>
      <header>
        <button type="button" className="plain conversation-back" onClick={() => changeQuery({ thread: undefined })}>
          Back
        </button>
        <h2 className="cut">{thread.subject}</h2>
      </header>
      <ol className="letters">
        {thread.messages.map((message) => (
          <li key={message.id} data-mine={message.sender_id === me}>
            <MessageBody message={message} />
          </li>
        ))}
      </ol>
      <Reply thread={thread} mail={mail} />
    </section>
  );
}

function NoMessages() {
  return (
    <>
      <p className="strong">No messages yet.</p>
      <p>
        Agents send messages with <code>message_send</code>. You can message them here. To list them:
      </p>
      <Command text="crewdeck call agent_list" />
    </>
  );
}
