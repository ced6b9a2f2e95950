import { useState } from "react";
import { type Agent, agentsReading } from "../../data/agents.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { ConnectCommand } from "../../parts/command.tsx";
import { FirstMinute } from "../../parts/first-minute.tsx";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { Name } from "../../parts/name.tsx";
import { Page } from "../../parts/page.tsx";
import { Search } from "../../parts/search.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { chooseAgents, folderOf } from "./agents-model.ts";
import "./agents.css";

/** Who is there, for whom, and on what. */
export function AgentsView() {
  const { query } = usePlace();
  const shown = useReading(agentsReading);
  const text = query.get("q") ?? "";
  const show = query.get("show") === "all" ? "all" : "here";
  const chosen = chooseAgents(shown.value ?? [], { text, show });
  const [current, setCurrent] = useState(0);
  useKeys([
    ...listKeys({ count: chosen.length, current, setCurrent }),
    { keys: "Enter", label: "Open its task", act: () => openTask(chosen[current]) },
  ]);
  return (
    <Page
      title="Agents"
      note={shown.value && `${chooseAgents(shown.value, { text: "", show: "here" }).length} here`}
      fills
    >
      <div className="filters">
        <Search label="Find agents" value={text} onChange={(q) => changeQuery({ q })} />
        <button
          type="button"
          aria-pressed={show === "all"}
          onClick={() => changeQuery({ show: show === "all" ? undefined : "all" })}
        >
          Show who has left
        </button>
        <Link to="/sessions">Sessions</Link>
      </div>
      <Show
        shown={shown}
        what="agents"
        isEmpty={() => chosen.length === 0}
        empty={text === "" ? <NoAgents isAnyKnown={(shown.value?.length ?? 0) > 0} /> : <p>No agent fits “{text}”.</p>}
      >
        {() => (
          <VirtualList
            label="Agents"
            className="agents"
            items={chosen}
            rowHeight={56}
            keyOf={(agent) => agent.id}
            current={current}
          >
            {(agent, place) => <AgentRow agent={agent} isCurrent={place === current} />}
          </VirtualList>
        )}
      </Show>
    </Page>
  );
}

function AgentRow({ agent, isCurrent }: { agent: Agent; isCurrent: boolean }) {
  const task = agent.current_task_id;
  return (
    <div className="row agent-row" data-current={isCurrent} data-status={agent.status}>
      <span className="agent-status">
        <StatusMark status={agent.status} />
      </span>
      <span className="agent-who cut">
        <span className="strong">{agent.name}</span>{" "}
        <span className="muted small">
          {agent.runtime.replaceAll("_", " ")} · {agent.role}
        </span>
      </span>
      <span className="agent-task cut">
        {task ? (
          <Link to={`/tasks/${task}`}>
            <Name id={task} />
          </Link>
        ) : (
          <span className="muted">free</span>
        )}
      </span>
      <span className="agent-where muted small cut" title={agent.workspace_path ?? undefined}>
        {[agent.developer, folderOf(agent.workspace_path)].filter(Boolean).join(" · ")}
      </span>
      <span className="agent-age muted small">
        <TimeAgo at={agent.last_heartbeat} />
      </span>
    </div>
  );
}

function NoAgents({ isAnyKnown }: { isAnyKnown: boolean }) {
  if (!isAnyKnown) return <FirstMinute />;
  return (
    <>
      <p className="strong">No agent is here right now.</p>
      <p>Connect one from the folder of a repository, then ask it to register with the crew:</p>
      <ConnectCommand client="claude" />
      <ConnectCommand client="codex" />
    </>
  );
}

const openTask = (agent: Agent | undefined): void => {
  if (agent?.current_task_id) go(`/tasks/${agent.current_task_id}`);
};
