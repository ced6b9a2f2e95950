import { useEffect, useMemo, useState } from "react";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Command, ConnectCommand } from "../../parts/command.tsx";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { Page } from "../../parts/page.tsx";
import { sayCount, sayMoney } from "../../parts/say-amount.ts";
import { Search } from "../../parts/search.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo, useNow } from "../../parts/time-ago.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { ClaimList } from "./claim-list.tsx";
import { SessionPanel } from "./session-panel.tsx";
import {
  chooseSessions,
  livenessOf,
  type Session,
  sayChanges,
  sayPlace,
  sayWho,
  sessionsReading,
  type Which,
  wantMore,
} from "./sessions-model.ts";
import "./sessions.css";

/** Every run of an agent: heard of when, where, with what in hand. */
export function SessionsView() {
  const { query } = usePlace();
  const which: Which = query.get("show") === "ended" ? "ended" : "here";
  const text = query.get("q") ?? "";
  const openId = query.get("session") ?? undefined;
  const shown = useReading(sessionsReading(which));
  const now = useNow();
  const sessions = useMemo(() => chooseSessions(shown.value?.sessions ?? [], text, now), [shown.value, text, now]);
  const silent = (shown.value?.sessions ?? []).filter((session) => livenessOf(session, now) === "stale").length;
  useSecondLook(silent, shown.reload);
  const [current, setCurrent] = useState(0);
  const open = (session: Session | undefined): void => changeQuery({ session: session?.id });
  useKeys([
    ...listKeys({ count: sessions.length, current, setCurrent }),
    { keys: "Enter", label: "Open the session", act: () => open(sessions[Math.min(current, sessions.length - 1)]) },
    { keys: "Escape", label: "Close the session", act: () => open(undefined) },
  ]);
  return (
    <Page title="Sessions" note={shown.value && sayTotals(shown.value.sessions.length, silent, which)} fills>
      <div className="filters">
        <Search label="Find sessions" value={text} onChange={(q) => changeQuery({ q })} />
        <button
          type="button"
          aria-pressed={which === "ended"}
          onClick={() => changeQuery({ show: which === "ended" ? undefined : "ended", session: undefined })}
        >
          Show ended ones
        </button>
        <Link to="/agents">Agents</Link>
      </div>
      <div className="sessions-body" data-open={openId !== undefined}>
        <div className="sessions-list">
          <Show
            shown={shown}
            what="sessions"
            isEmpty={(value) => sessions.length === 0 && value.claims.length === 0}
            empty={text === "" ? <NoSessions which={which} /> : <p>No session fits “{text}”.</p>}
          >
            {(value) => (
              <>
                <VirtualList
                  label="Sessions"
                  className="sessions"
                  items={sessions}
                  rowHeight={60}
                  keyOf={({ id }) => id}
                  current={current}
                  onNearEnd={() => wantMore(value, which) && shown.reload()}
                >
                  {(session, place) => (
                    <SessionRow
                      session={session}
                      now={now}
                      isCurrent={place === current}
                      isOpen={session.id === openId}
                    />
                  )}
                </VirtualList>
                {value.claims.length > 0 && (
                  <section className="sessions-loose" aria-labelledby="sessions-loose">
                    <h2 id="sessions-loose" className="small muted">
                      Held without a session
                    </h2>
                    <ClaimList claims={value.claims} namesHolder />
                  </section>
                )}
              </>
            )}
          </Show>
        </div>
        {openId !== undefined && <SessionPanel key={openId} id={openId} />}
      </div>
    </Page>
  );
}

/** Calls that name a session keep it alive without an event of their own: before it is believed silent it is asked for. */
function useSecondLook(silent: number, reload: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only that one more has fallen silent matters.
  useEffect(() => {
    if (silent > 0) reload();
  }, [silent]);
}

function SessionRow(props: { session: Session; now: number; isCurrent: boolean; isOpen: boolean }) {
  const { session, now, isCurrent, isOpen } = props;
  const liveness = livenessOf(session, now);
  const { usage, claims } = session;
  return (
    <div className="row session-row" data-current={isCurrent} data-open={isOpen} data-status={liveness}>
      <StatusMark status={liveness} />
      <span className="session-who cut">
        <Link
          className="strong cut"
          to={`/sessions?session=${session.id}${liveness === "ended" ? "&show=ended" : ""}`}
          aria-current={isOpen ? "true" : undefined}
        >
          {session.agent_name}
        </Link>
        <span className="muted small cut">{sayWho(session)}</span>
      </span>
      <span className="session-where muted small cut" title={session.worktree ?? undefined}>
        {sayPlace(session)}
      </span>
      <span className="session-changes small cut">{sayChanges(session)}</span>
      <span className="session-holds small cut">
        {claims.length > 0 && `holds ${claims.length} ${claims.length === 1 ? "claim" : "claims"}`}
      </span>
      <span className="session-used small number cut">
        {usage && `${sayCount(usage.total)} · ${sayMoney(usage.cost_usd)}`}
      </span>
      <span className="session-age muted small">
        <TimeAgo at={session.ended_at ?? session.last_seen_at} />
      </span>
    </div>
  );
}

function sayTotals(count: number, silent: number, which: Which): string {
  if (which === "ended") return `${count} ended`;
  return silent === 0 ? `${count} here` : `${count} here, ${silent} silent`;
}

function NoSessions({ which }: { which: Which }) {
  if (which === "ended") return <p className="strong">No session has ended yet.</p>;
  return (
    <>
      <p className="strong">No session is here.</p>
      <p>An agent starts one when it is asked to work with the team. Connect one from the folder of a repository:</p>
      <ConnectCommand client="claude" />
      <p>In the terminal the same list is:</p>
      <Command text="crewdeck sessions --watch" />
    </>
  );
}
