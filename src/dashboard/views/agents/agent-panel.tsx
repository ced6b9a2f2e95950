import { type ReactNode, useMemo, useState } from "react";
import { callTool } from "../../data/api.ts";
import { type Member, memberReading } from "../../data/crew.ts";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery } from "../../page/router.ts";
import { Link } from "../../parts/link.tsx";
import { sayCount, sayMoney } from "../../parts/say-amount.ts";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo, useNow } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { WorkLink } from "../../parts/work-link.tsx";
import { type Session, type Snapshot, statusAt } from "./agents-model.ts";
import { ClaimList } from "./claim-list.tsx";

/** One agent with everything that is known of it. */
export function AgentPanel({ id }: { id: string }) {
  const shown = useReading(useMemo(() => memberReading(id), [id]));
  return (
    <aside className="agent-panel" aria-label="Agent">
      <Show
        shown={shown}
        what="the agent"
        isEmpty={({ agents }) => agents.length === 0}
        empty={
          <>
            <p>Agent not found.</p>
            <p>
              <button type="button" onClick={close}>
                Close
              </button>
            </p>
          </>
        }
      >
        {({ agents }) => agents[0] && <Details agent={agents[0]} />}
      </Show>
    </aside>
  );
}

const close = (): void => changeQuery({ agent: undefined, session: undefined });

function Details({ agent }: { agent: Member }) {
  const { session } = agent;
  return (
    <div className="stack">
      <div className="agent-panel-head">
        <h2>{agent.name}</h2>
        <StatusMark status={statusAt(agent, useNow())} />
        <button type="button" className="plain" onClick={close}>
          Close
        </button>
      </div>
      <Facts agent={agent} />
      {session?.snapshot && <Files snapshot={session.snapshot} />}
      {session && session.claims.length > 0 && (
        <section className="stack agent-part">
          <h3>Claims</h3>
          <ClaimList claims={session.claims} />
        </section>
      )}
      {session?.contexts.map((context) => (
        <section key={context.context_id} className="agent-part">
          <h3>Shared context</h3>
          <p>{context.title}</p>
          <p className="agent-words muted">{context.summary}</p>
        </section>
      ))}
      {session && agent.mine && session.ended_at === null && <End session={session} />}
    </div>
  );
}

function Facts({ agent }: { agent: Member }) {
  const { session } = agent;
  return (
    <dl className="facts">
      <Fact name="Owner">{agent.developer}</Fact>
      <Fact name="Client">{agent.client}</Fact>
      <Fact name="Model">{[session?.model, session?.provider].filter(Boolean).join(", ")}</Fact>
      <Fact name="Role">{agent.role}</Fact>
      {agent.tasks.length > 0 && (
        <Fact name={agent.tasks.length === 1 ? "Task" : "Tasks"}>
          {agent.tasks.map((task) => (
            <span key={task.id} className="agent-panel-task">
              <WorkLink to={`/tasks/${task.id}`} name={task.name} />
              <span className="muted small">
                <StatusMark status={task.status} /> since <TimeAgo at={task.since} />
              </span>
            </span>
          ))}
        </Fact>
      )}
      <Fact name="Repository">{session?.repo}</Fact>
      <Fact name="Branch">{agent.branch}</Fact>
      <Fact name="Folder">{agent.folder}</Fact>
      <Fact name="Cost">{sayCost(session)}</Fact>
      <Fact name="Summary">{session?.summary}</Fact>
      <Fact name={session?.ended_at ? "Ended" : "Last seen"}>
        <TimeAgo at={session?.ended_at ?? agent.last_seen_at} />
      </Fact>
      {session && session.signals.length > 0 && (
        <Fact name="Signals">
          {session.signals.map(({ way, at }) => (
            <span key={way} className="agent-signal">
              {way}{" "}
              <span className="muted small">
                <TimeAgo at={at} />
              </span>
            </span>
          ))}
        </Fact>
      )}
      <Fact name="Started">
        <TimeAgo at={agent.started_at} />
      </Fact>
      {agent.client !== null && (
        <Fact name="Activity">
          <Link to={`/activity?q=${encodeURIComponent(agent.name)}`}>Show activity</Link>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className="agent-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function sayCost(session: Session | null): string | null {
  const usage = session?.usage;
  if (!usage) return null;
  return `${sayMoney(usage.cost_usd)} · ${sayCount(usage.total)} tokens${usage.unpriced > 0 ? " · some unpriced" : ""}`;
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
    <section className="agent-part">
      <h3>
        {title} <span className="muted number">{total}</span>
      </h3>
      <ul className="agent-files">
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
      "Session ended. Its claims are released.",
    );
  };
  return (
    <p>
      <button type="button" className="danger" onClick={end} onBlur={() => setSure(false)}>
        {isSure ? "Confirm: end session" : "End session"}
      </button>
    </p>
  );
}
