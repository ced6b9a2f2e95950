import { useMemo, useState } from "react";
import { callTool } from "../../data/api.ts";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery } from "../../page/router.ts";
import { Link } from "../../parts/link.tsx";
import { Name } from "../../parts/name.tsx";
import { sayCount, sayMoney } from "../../parts/say-amount.ts";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo, useNow } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { ClaimList } from "./claim-list.tsx";
import { livenessOf, type Session, type Snapshot, sessionReading } from "./sessions-model.ts";

/** One session with everything that is known of it. */
export function SessionPanel({ id }: { id: string }) {
  const shown = useReading(useMemo(() => sessionReading(id), [id]));
  return (
    <aside className="session-panel" aria-label="Session">
      <Show
        shown={shown}
        what="the session"
        isEmpty={({ sessions }) => sessions.length === 0}
        empty={<p>No session has this address.</p>}
      >
        {({ sessions }) => sessions[0] && <Details session={sessions[0]} />}
      </Show>
    </aside>
  );
}

function Details({ session }: { session: Session }) {
  const liveness = livenessOf(session, useNow());
  return (
    <div className="stack">
      <div className="session-panel-head">
        <h2>{session.agent_name}</h2>
        <StatusMark status={liveness} />
        <button type="button" className="plain" onClick={() => changeQuery({ session: undefined })}>
          Close
        </button>
      </div>
      <Facts session={session} />
      {session.snapshot && <Files snapshot={session.snapshot} />}
      {session.claims.length > 0 && (
        <section className="stack session-part">
          <h3>Holds</h3>
          <ClaimList claims={session.claims} />
        </section>
      )}
      {session.contexts.map((context) => (
        <section key={context.context_id} className="session-part">
          <h3>Told the team</h3>
          <p>{context.title}</p>
          <p className="session-words muted">{context.summary}</p>
        </section>
      ))}
      {session.mine && session.ended_at === null && <End session={session} />}
    </div>
  );
}

function Facts({ session }: { session: Session }) {
  const { usage } = session;
  const facts: [string, string | null][] = [
    ["Developer", session.developer],
    ["Agent", session.agent_type],
    ["Model", [session.model, session.provider].filter(Boolean).join(", ")],
    ["Repository", session.repo],
    ["Branch", session.branch],
    ["Working copy", session.worktree],
    [
      "Used",
      usage &&
        `${sayCount(usage.total)} tokens, ${sayMoney(usage.cost_usd)}${usage.unpriced > 0 ? " and some without a price" : ""}`,
    ],
    ["Said at the end", session.summary],
  ];
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="session-fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
      {session.task_id && (
        <div className="session-fact">
          <dt>Task</dt>
          <dd>
            <Link to={`/tasks/${session.task_id}`}>
              <Name id={session.task_id} />
            </Link>
          </dd>
        </div>
      )}
      <div className="session-fact">
        <dt>{session.ended_at ? "Ended" : "Last heard of"}</dt>
        <dd>
          <TimeAgo at={session.ended_at ?? session.last_seen_at} />
        </dd>
      </div>
      <div className="session-fact">
        <dt>Started</dt>
        <dd>
          <TimeAgo at={session.started_at} />
        </dd>
      </div>
    </dl>
  );
}

function Files({ snapshot }: { snapshot: Snapshot }) {
  return (
    <>
      <FileList title="Dirty files" files={snapshot.dirty_files} total={snapshot.dirty_total} />
      <FileList title="Unpushed files" files={snapshot.unpushed_files} total={snapshot.unpushed_total} />
      <p className="muted small">
        {snapshot.taken_at && (
          <>
            Reported <TimeAgo at={snapshot.taken_at} />
          </>
        )}{" "}
        {snapshot.head && (
          <>
            at <code>{snapshot.head.slice(0, 10)}</code>
          </>
        )}
      </p>
    </>
  );
}

function FileList({ title, files, total }: { title: string; files: readonly string[]; total: number }) {
  if (total === 0) return null;
  return (
    <section className="session-part">
      <h3>
        {title} <span className="muted number">{total}</span>
      </h3>
      <ul className="session-files">
        {files.map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
        {total > files.length && <li className="muted">and {total - files.length} more</li>}
      </ul>
    </section>
  );
}

function End({ session }: { session: Session }) {
  const [isSure, setSure] = useState(false);
  const end = () => {
    if (!isSure) return setSure(true);
    void attempt(
      () => callTool("covibe_session", { operation: "end", session_id: session.id }),
      "The session is ended; what it held goes back.",
    );
  };
  return (
    <p>
      <button type="button" className="danger" onClick={end} onBlur={() => setSure(false)}>
        {isSure ? "Really end it" : "End the session"}
      </button>
    </p>
  );
}
