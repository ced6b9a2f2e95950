import { useMemo } from "react";
import { agentsReading } from "../../data/agents.ts";
import { useReading } from "../../data/use-reading.ts";
import type { ViewProps } from "../../page/router.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Folded } from "../../parts/folded.tsx";
import { lazyPart } from "../../parts/lazy-part.tsx";
import { Link } from "../../parts/link.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Name } from "../../parts/name.tsx";
import { NearestWork } from "../../parts/nearest-work.tsx";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { TrustMark } from "../../parts/trust-mark.tsx";
import { Who } from "../../parts/who.tsx";
import { type TaskRecord, type TaskStory, taskReading } from "./task-model.ts";
import { TaskAgents, TaskMoves } from "./task-moves.tsx";
import { TaskTimeline } from "./task-timeline.tsx";
import "./task.css";

const TaskContext = lazyPart("TaskContext", () => import("./task-context.tsx"), { what: "the context" });
const TaskDiff = lazyPart("TaskDiff", () => import("./task-diff.tsx"), { what: "the changes" });
const TaskMessages = lazyPart("TaskMessages", () => import("./task-messages.tsx"), { what: "messages" });

const tabs = {
  timeline: "Timeline",
  changes: "Changes",
  context: "Agent context",
  messages: "Messages",
} as const;
type Tab = keyof typeof tabs;

/** One task: what it is, how it stands, what happened, and what an agent would be told to go on with it. */
export function TaskView({ params }: ViewProps) {
  const id = params["id"] ?? "";
  const reading = useMemo(() => taskReading(id), [id]);
  const shown = useReading(reading);
  // For the names of those who took it.
  useReading(agentsReading);
  const { query } = usePlace();
  const tab = (Object.keys(tabs) as Tab[]).find((name) => name === query.get("tab")) ?? "timeline";
  return (
    <Page
      title={shown.value?.task.name ?? "Task"}
      note={shown.value && <Head story={shown.value} />}
      actions={shown.value && <Actions story={shown.value} />}
    >
      <Show shown={shown} what="the task" isEmpty={() => false} empty={null}>
        {(story) => (
          <div className="task">
            <Facts task={story.task} line={story.line} />
            <div className="stack">
              <Words task={story.task} />
              <Tabs
                label="About the task"
                tabs={tabs}
                current={tab}
                onChoose={(next) => changeQuery({ tab: next === "timeline" ? undefined : next, file: undefined })}
              >
                <TabBody tab={tab} story={story} />
              </Tabs>
            </div>
          </div>
        )}
      </Show>
    </Page>
  );
}

function Actions({ story: { task, line } }: { story: TaskStory }) {
  return (
    <>
      <TaskAgents task={task} repository={line?.repository ?? null} />
      <TaskMoves task={task} />
    </>
  );
}

function Head({ story: { task, line } }: { story: TaskStory }) {
  return (
    <span className="wrap">
      {line?.number !== undefined && <span className="muted number">#{line.number}</span>}
      <StatusMark status={task.status} />
      <TrustMark result={task.result} isBrief />
    </span>
  );
}

function TabBody({ tab, story }: { tab: Tab; story: TaskStory }) {
  if (tab === "changes") return <TaskDiff id={story.task.id} />;
  if (tab === "context") return <TaskContext id={story.task.id} />;
  if (tab === "messages") return <TaskMessages id={story.task.id} />;
  return <TaskTimeline story={story} />;
}

function Words({ task }: { task: TaskRecord }) {
  return (
    <>
      {task.error && (
        <section className="task-error" aria-label="Error">
          <h2>Error</h2>
          <Markdown text={task.error} />
        </section>
      )}
      {task.outcome && (
        <section className="card stack" aria-label="Outcome">
          <h2>Outcome</h2>
          <Folded text={task.outcome} what="the outcome" />
        </section>
      )}
      {task.description && <Folded text={task.description} what="the description" />}
      {task.plan && (
        <section className="card stack" aria-label="Plan">
          <h2>Plan</h2>
          <Folded text={task.plan.approach} what="the approach" />
          <ol className="task-steps">
            {task.plan.steps.map((step, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a plan is replaced as a whole, and may say the same twice.
              <li key={place}>{step}</li>
            ))}
          </ol>
          <Files title="Changes" files={task.plan.files_to_modify ?? []} />
          <Files title="New" files={task.plan.files_to_create ?? []} />
        </section>
      )}
      {task.completed_at === null && <NearestWork id={task.id} />}
    </>
  );
}

function Files({ title, files }: { title: string; files: readonly string[] }) {
  if (files.length === 0) return null;
  return (
    <p className="small">
      <span className="muted">{title}: </span>
      <code>{files.join(", ")}</code>
    </p>
  );
}

function Facts({ task, line }: Pick<TaskStory, "task" | "line">) {
  const holder = line?.claimed_by ?? task.claimed_by;
  const { workflow_id: workflow, depends_on: before, files_likely_affected: files } = task;
  return (
    <aside className="task-facts" aria-label="Facts">
      <dl className="facts">
        <dt>Agent</dt>
        <dd>{holder ? <Who id={holder} /> : (line?.holder ?? "—")}</dd>
        <dt>Owner</dt>
        <dd>{line?.developer ?? "—"}</dd>
        {task.result && (
          <>
            <dt>Result</dt>
            <dd>
              <TrustMark result={task.result} />
            </dd>
          </>
        )}
        {line?.branch && (
          <>
            <dt>Branch</dt>
            <dd className="mono small">{line.branch}</dd>
          </>
        )}
        {workflow && (
          <>
            <dt>Workflow</dt>
            <dd>
              <Link to={`/workflows/${workflow}`}>
                <Name id={workflow} />
              </Link>
            </dd>
          </>
        )}
        {before.length > 0 && (
          <>
            <dt>Depends on</dt>
            <dd>{before.join(", ")}</dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          <TimeAgo at={task.created_at} />
        </dd>
        <Time label="Started" at={task.started_at} />
        <Time label="Ended" at={task.completed_at} />
        {files.length > 0 && (
          <>
            <dt>Likely files</dt>
            <dd className="mono small">{files.join(", ")}</dd>
          </>
        )}
        {task.predicted_files.length > 0 && (
          <>
            <dt>Probably touches</dt>
            <dd className="small">
              {task.predicted_files.map(({ path, probability }) => (
                <div key={path}>
                  <code>{path}</code> <span className="muted">{Math.round(probability * 100)}%</span>
                </div>
              ))}
            </dd>
          </>
        )}
        <dt>ID</dt>
        <dd className="mono small">{task.id}</dd>
      </dl>
    </aside>
  );
}

function Time({ label, at }: { label: string; at: string | null }) {
  if (at === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <TimeAgo at={at} />
      </dd>
    </>
  );
}
