import { useEffect, useMemo, useState } from "react";
import { crewReading, type Member, wantMore } from "../../data/crew.ts";
import { sayIdentity } from "../../data/names.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { ConnectCommand } from "../../parts/command.tsx";
import { FirstMinute } from "../../parts/first-minute.tsx";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { NoMatch } from "../../parts/no-match.tsx";
import { Page } from "../../parts/page.tsx";
import { sayLength } from "../../parts/say-age.ts";
import { sayMoney } from "../../parts/say-amount.ts";
import { Search } from "../../parts/search.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo, useNow } from "../../parts/time-ago.tsx";
import { useNarrow } from "../../parts/use-narrow.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { WorkLink } from "../../parts/work-link.tsx";
import { AgentPanel } from "./agent-panel.tsx";
import { chooseAgents, looseClaimsReading, sayChanges, sayPlace, statusAt } from "./agents-model.ts";
import { ClaimList } from "./claim-list.tsx";
import { Running, useStarted } from "./running.tsx";
import "./agents.css";

/** Every agent once: who it is, what it works on since when, where, and what it has cost. */
export function AgentsView() {
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  const showsOffline = query.get("show") === "all";
  const openId = query.get("agent") ?? query.get("session") ?? undefined;
  const shown = useReading(crewReading("here"));
  const now = useNow();
  const isNarrow = useNarrow();
  const here = shown.value?.agents ?? [];
  const gone = useOffline(showsOffline);
  const started = useStarted();
  const agents = useMemo(
    () => chooseAgents([...here, ...gone], text, now).filter(({ id }) => started.every((one) => one.id !== id)),
    [here, gone, text, now, started],
  );
  const silent = here.filter((agent) => statusAt(agent, now) === "stale").length;
  useSecondLook(silent, shown.reload);
  const [current, setCurrent] = useState(0);
  const open = (agent: Member | undefined): void => changeQuery({ agent: agent?.id, session: undefined });
  useKeys([
    ...listKeys({ count: agents.length, current, setCurrent }),
    { keys: "Enter", label: "Open the agent", act: () => open(agents[Math.min(current, agents.length - 1)]) },
    { keys: "Escape", label: "Close the agent", act: () => open(undefined) },
  ]);
  const isAnyKnown = here.length > 0 || gone.length > 0;
  return (
    <Page title="Agents" note={shown.value && sayTotals(here, now)} fills>
      <div className="filters">
        <Search label="Find agents" value={text} onChange={(q) => changeQuery({ q })} />
        <button
          type="button"
          aria-pressed={showsOffline}
          onClick={() => changeQuery({ show: showsOffline ? undefined : "all" })}
        >
          Show offline
        </button>
      </div>
      <div className="agents-body" data-open={openId !== undefined}>
        <div className="agents-list">
          <Running instances={started} />
          <Show
            shown={shown}
            what="agents"
            isEmpty={() => agents.length === 0 && started.length === 0}
            empty={
              text !== "" && isAnyKnown ? (
                <NoMatch what="agents" onClear={() => changeQuery({ q: undefined })} />
              ) : (
                <NoAgents />
              )
            }
          >
            {(crew) => (
              <VirtualList
                label="Agents"
                className="agents"
                items={agents}
                rowHeight={isNarrow ? 96 : 60}
                keyOf={({ id }) => id}
                current={current}
                onNearEnd={() => wantMore(crew, "here") && shown.reload()}
              >
                {(agent, place) => (
                  <AgentRow agent={agent} now={now} isCurrent={place === current} isOpen={agent.id === openId} />
                )}
              </VirtualList>
            )}
          </Show>
          <LooseClaims />
        </div>
        {openId !== undefined && <AgentPanel key={openId} id={openId} />}
      </div>
    </Page>
  );
}

const none: readonly Member[] = [];

/** Read only once somebody asks for them. */
function useOffline(isWanted: boolean): readonly Member[] {
  const { value } = useReading(crewReading(isWanted ? "offline" : "here"));
  return isWanted ? (value?.agents ?? none) : none;
}

/** Calls that name a session keep it alive without an event of their own: before it is believed silent it is asked for. */
function useSecondLook(silent: number, reload: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only that one more has gone silent matters.
  useEffect(() => {
    if (silent > 0) reload();
  }, [silent]);
}

function AgentRow(props: { agent: Member; now: number; isCurrent: boolean; isOpen: boolean }) {
  const { agent, now, isCurrent, isOpen } = props;
  const status = statusAt(agent, now);
  return (
    <div className="row agent-row" data-current={isCurrent} data-open={isOpen} data-status={status}>
      <span className="agent-status">
        <StatusMark status={status} />
      </span>
      <span className="agent-who cut">
        <Link
          className="strong cut"
          to={`/agents?agent=${agent.id}${status === "offline" ? "&show=all" : ""}`}
          aria-current={isOpen ? "true" : undefined}
        >
          {agent.name}
        </Link>
        <span className="muted small cut">
          {sayIdentity({ name: agent.name, client: agent.client, owner: agent.developer })}
        </span>
      </span>
      <Task agent={agent} now={now} />
      <span className="agent-where cut small">
        <span className="cut muted" title={agent.folder ?? undefined}>
          {sayPlace(agent)}
        </span>
        <span className="cut">{sayChanges(agent)}</span>
      </span>
      <span className="agent-cost small number">{agent.cost_usd === null ? "—" : sayMoney(agent.cost_usd)}</span>
      <span className="agent-age muted small">
        <TimeAgo at={agent.last_seen_at} />
      </span>
    </div>
  );
}

function Task({ agent: { tasks }, now }: { agent: Member; now: number }) {
  const [first, ...more] = tasks;
  if (!first) return <span className="agent-task muted">—</span>;
  return (
    <span className="agent-task cut">
      <WorkLink className="cut" to={`/tasks/${first.id}`} name={first.name} />
      <span className="muted small cut">
        for {sayLength(Math.max(0, now - Date.parse(first.since)))}
        {more.length > 0 && ` · ${more.length} more`}
      </span>
    </span>
  );
}

function LooseClaims() {
  const claims = useReading(looseClaimsReading).value ?? [];
  if (claims.length === 0) return null;
  return (
    <section className="agents-loose" aria-labelledby="agents-loose">
      <h2 id="agents-loose" className="small muted">
        Claims without a session
      </h2>
      <ClaimList claims={claims} namesHolder />
    </section>
  );
}

function sayTotals(here: readonly Member[], now: number): string {
  const count = (status: string): number => here.filter((agent) => statusAt(agent, now) === status).length;
  const [working, idle, stale] = [count("working"), count("idle"), count("stale")];
  return [`${working} working`, `${idle} idle`, ...(stale > 0 ? [`${stale} stale`] : [])].join(", ");
}

function NoAgents() {
  const { value } = useReading(crewReading("offline"));
  if (value?.agents.length === 0) return <FirstMinute />;
  return (
    <>
      <p className="strong">No agents are online.</p>
      <p>Connect one from a repository’s folder:</p>
      <ConnectCommand client="claude" />
      <ConnectCommand client="codex" />
    </>
  );
}
