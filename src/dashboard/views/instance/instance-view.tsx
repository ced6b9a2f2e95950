import { type ReactNode, useMemo, useState } from "react";
import { callTool } from "../../data/api.ts";
import { memberReading } from "../../data/crew.ts";
import { isOver, sayType, stateOf } from "../../data/instances.ts";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery, usePlace, type ViewProps } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { lazyPart } from "../../parts/lazy-part.tsx";
import { Link } from "../../parts/link.tsx";
import { Page } from "../../parts/page.tsx";
import { sayCount, sayMoney } from "../../parts/say-amount.ts";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { InstanceChanges } from "./instance-changes.tsx";
import { type InstanceDetail, instanceReading, turnsOf } from "./instance-model.ts";
import { InstanceReviews } from "./instance-reviews.tsx";
import "./instance.css";

const AgentTerminal = lazyPart("AgentTerminal", () => import("./agent-terminal.tsx"), { what: "the terminal" });

const tabs = { terminal: "Terminal", changes: "Changes", reviews: "Reviews", prompt: "Prompt" } as const;
type Tab = keyof typeof tabs;

/** One agent in a work tree of its own: what it shows, what it was told, what it has done, and the ways to end it. */
export function InstanceView({ params }: ViewProps) {
  const id = params["id"] ?? "";
  const shown = useReading(useMemo(() => instanceReading(id), [id]));
  const { query } = usePlace();
  const tab = (Object.keys(tabs) as Tab[]).find((name) => name === query.get("tab")) ?? "terminal";
  return (
    <Page
      title={shown.value?.task?.name ?? id}
      note={shown.value && <StatusMark status={stateOf(shown.value)} />}
      actions={shown.value && <Ends instance={shown.value} />}
    >
      <Show shown={shown} what="the agent" isEmpty={() => false} empty={null}>
        {(instance) => (
          <div className="instance">
            <Facts instance={instance} />
            <div className="stack instance-main">
              {[instance.attention?.reason, instance.program_problem].filter(Boolean).map((problem) => (
                <p key={problem} className="instance-problem" role="alert">
                  {problem}
                </p>
              ))}
              <Tabs
                label="About the agent"
                tabs={tabs}
                current={tab}
                onChoose={(next) => changeQuery({ tab: next === "terminal" ? undefined : next })}
              >
                <TabBody tab={tab} instance={instance} />
              </Tabs>
            </div>
          </div>
        )}
      </Show>
    </Page>
  );
}

function TabBody({ tab, instance }: { tab: Tab; instance: InstanceDetail }) {
  if (tab === "changes") return <InstanceChanges id={instance.id} />;
  if (tab === "reviews") return <InstanceReviews instance={instance} />;
  if (tab === "prompt") return <Prompt instance={instance} />;
  return <TerminalTab instance={instance} />;
}

function TerminalTab({ instance }: { instance: InstanceDetail }) {
  const { id, program_state: state, can_steer: canSteer, launch_mode: mode } = instance;
  if (mode === null) {
    return <p className="muted">Crewdeck didn’t start this agent, so there is no terminal to show.</p>;
  }
  if (!canSteer) return <p className="muted">Only {instance.developer} and the team’s owner can see this terminal.</p>;
  if (state === "queued") return <p>Queued. The agent starts as soon as another one ends.</p>;
  if (state === "starting") return <p>Starting…</p>;
  return (
    <div className="stack">
      <AgentTerminal key={`${id} ${turnsOf(instance)}`} id={id} />
      {mode === "tmux" && state === "running" && (
        <div className="instance-attach">
          <span className="muted small">In your own terminal:</span>
          <Command text={`crewdeck agent attach ${id}`} />
        </div>
      )}
    </div>
  );
}

function Prompt({ instance: { prompt, told } }: { instance: InstanceDetail }) {
  if (prompt === null) return <p className="muted">Crewdeck didn’t start this agent, so its prompt isn’t known.</p>;
  return (
    <div className="stack">
      <pre className="instance-prompt">{prompt}</pre>
      {told.map(({ text, told_at: at }) => (
        <section key={`${at} ${text}`} className="stack">
          <h2 className="muted small">
            Told later, <TimeAgo at={at} />
          </h2>
          <pre className="instance-prompt">{text}</pre>
        </section>
      ))}
    </div>
  );
}

function Facts({ instance }: { instance: InstanceDetail }) {
  const { parent_instance_id: parent, pr_number: pull, pr_url: url, task } = instance;
  return (
    <aside className="instance-facts" aria-label="Facts">
      <dl className="facts">
        <Fact name="Agent">{instance.agent}</Fact>
        <Fact name="Role">{sayType[instance.type]}</Fact>
        <Fact name="Owner">{instance.developer}</Fact>
        <Fact name="Task">{task && <Link to={`/tasks/${task.id}`}>{task.name}</Link>}</Fact>
        <Fact name="Reviews">{parent && <Link to={`/instances/${parent}`}>{parent}</Link>}</Fact>
        <Fact name="Round">
          {instance.type === "coding" && instance.review_iteration > 0
            ? `${instance.review_iteration} of ${instance.round_limit}`
            : null}
        </Fact>
        <Fact name="Pull request">
          {pull !== null && (url?.includes("/deck/") ? <Link to={`/pulls/${pull}`}>#{pull}</Link> : `#${pull}`)}
        </Fact>
        <Fact name="Branch">
          <span className="mono small">{instance.branch_name}</span>
        </Fact>
        <Fact name="Base">{instance.base_branch && <span className="mono small">{instance.base_branch}</span>}</Fact>
        <Fact name="Folder">
          <span className="mono small">{instance.worktree_path}</span>
        </Fact>
        <Cost instance={instance} />
        <Fact name="Started">
          <TimeAgo at={instance.created_at} />
        </Fact>
        <Fact name={instance.terminated_at ? "Ended" : "Last active"}>
          <TimeAgo at={instance.terminated_at ?? instance.last_activity} />
        </Fact>
        <Fact name="Reason">{instance.end_reason}</Fact>
        <Fact name="ID">
          <span className="mono small">{instance.id}</span>
        </Fact>
      </dl>
    </aside>
  );
}

/** What its program says it uses, else what its session has reported. */
function Cost({ instance: { id, used, budget } }: { instance: InstanceDetail }) {
  const member = useReading(useMemo(() => memberReading(id), [id])).value?.agents[0];
  const usage = member?.session?.usage;
  const known = used ?? (usage ? { tokens: usage.total, usd: usage.cost_usd } : null);
  return (
    <>
      <Fact name="Cost">{known ? sayUse(known) : "—"}</Fact>
      <Fact name="Budget">{budget && sayUse(budget)}</Fact>
    </>
  );
}

const sayUse = ({ tokens, usd }: { tokens: number | null; usd: number | null }): string =>
  [usd === null ? "" : sayMoney(usd), tokens === null ? "" : `${sayCount(tokens)} tokens`].filter(Boolean).join(" · ");

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Both ask twice: the program ends at once. A review is no work that could be abandoned. */
function Ends({ instance }: { instance: InstanceDetail }) {
  const [asked, setAsked] = useState<"stop" | "abandon">();
  const { id, type, can_steer: canSteer, launch_mode: mode } = instance;
  if (!canSteer || isOver(instance)) return null;
  const act = {
    stop: () => attempt(() => callTool("instance_stop", { id }), "Agent stopped. Uncommitted work is in the vault."),
    abandon: () => attempt(() => callTool("instance_abandon", { id }), "Work abandoned. Its branch is kept."),
  };
  const press = (what: "stop" | "abandon"): void => {
    setAsked(asked === what ? undefined : what);
    if (asked === what) void act[what]();
  };
  return (
    <>
      {mode !== null && (
        <button type="button" className="danger" onClick={() => press("stop")} onBlur={() => setAsked(undefined)}>
          {asked === "stop" ? "Confirm: stop agent" : "Stop"}
        </button>
      )}
      {type !== "review" && (
        <button type="button" className="danger" onClick={() => press("abandon")} onBlur={() => setAsked(undefined)}>
          {asked === "abandon" ? "Confirm: abandon work" : "Abandon"}
        </button>
      )}
    </>
  );
}
