import { useMemo } from "react";
import { callTool } from "../../data/api.ts";
import { useReading } from "../../data/use-reading.ts";
import type { ViewProps } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { Folded } from "../../parts/folded.tsx";
import { Link } from "../../parts/link.tsx";
import { markOf, statusWord } from "../../parts/mission-words.ts";
import { Page } from "../../parts/page.tsx";
import { sayDuration } from "../../parts/say-duration.ts";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { Who } from "../../parts/who.tsx";
import {
  type Blocker,
  groupByPhase,
  type MissionDetail,
  type MissionTask,
  missionReading,
  type PhaseGroup,
  progressOf,
} from "./mission-model.ts";
import { Receipt } from "./receipt.tsx";
import "./mission.css";

/** One mission: how far it is, what blocks it, what was decided, and the proof of each task. */
export function MissionView({ params }: ViewProps) {
  const id = params["id"] ?? "";
  const reading = useMemo(() => missionReading(id), [id]);
  const shown = useReading(reading);
  return (
    <Page
      title={shown.value?.mission_name ?? "Mission"}
      note={shown.value && <StatusMark status={markOf(shown.value.mission_status, shown.value.outcome)} />}
    >
      <Show
        shown={shown}
        what="the mission"
        isEmpty={(mission) =>
          mission.tasks.length === 0 &&
          mission.decisions.length === 0 &&
          mission.blockers.length === 0 &&
          mission.outcome === undefined
        }
        empty={<NoTasks id={id} />}
      >
        {(mission) => <MissionBody mission={mission} />}
      </Show>
    </Page>
  );
}

function MissionBody({ mission }: { mission: MissionDetail }) {
  const progress = progressOf(mission);
  return (
    <div className="mission">
      {mission.outcome && <Ending mission={mission} />}
      {mission.blockers.length > 0 && <Blockers blockers={mission.blockers} />}
      {progress !== undefined && (
        <p className="mission-progress">
          <progress max={100} value={progress} aria-label="Progress by the last milestone" />
          <span className="number">{progress}%</span>
        </p>
      )}
      <div className="mission-columns">
        <section className="stack" aria-label="Phases">
          {groupByPhase(mission).map((phase) => (
            <PhaseSection
              key={phase.number ?? "none"}
              phase={phase}
              isCurrent={phase.number === mission.current_phase}
              isOver={mission.outcome !== undefined}
            />
          ))}
        </section>
        <aside className="stack mission-side" aria-label="Milestones and decisions">
          <Milestones mission={mission} />
          <Decisions mission={mission} />
        </aside>
      </div>
    </div>
  );
}

/** What came of it, in the words of who ended it. */
function Ending({ mission }: { mission: MissionDetail }) {
  const { summary = "", achievements = [], limitations = [], completed_at: at } = mission;
  return (
    <section className="card mission-ending" aria-label="Outcome">
      <header className="wrap">
        <h2>Outcome</h2>
        <span className="muted small">{at && <TimeAgo at={at} />}</span>
      </header>
      <Folded text={summary} what="it" />
      <Lines title="Achievements" lines={achievements} />
      <Lines title="Limitations" lines={limitations} />
    </section>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul className="mission-told">
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an end is told once, and may say the same twice.
          <li key={place}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

function Blockers({ blockers }: { blockers: readonly Blocker[] }) {
  const resolve = (blocker: Blocker) =>
    void attempt(() => callTool("issue_resolve", { id: blocker.id }), "Issue resolved.");
  return (
    <section className="card mission-blockers" aria-label="Open issues">
      <h2>{blockers.length === 1 ? "1 open issue" : `${blockers.length} open issues`}</h2>
      <ul className="stack">
        {blockers.map((blocker) => (
          <li key={blocker.id} className="wrap">
            <StatusMark status={blocker.requires_human_review ? "waiting" : "blocked"} />
            <span className="mission-blocker-text">{blocker.description}</span>
            <span className="muted small">
              <TimeAgo at={blocker.created_at} />
            </span>
            {blocker.requires_human_review && (
              <button type="button" onClick={() => resolve(blocker)}>
                Resolve
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function PhaseSection({ phase, isCurrent, isOver }: { phase: PhaseGroup; isCurrent: boolean; isOver: boolean }) {
  const status = statusWord(phase.status);
  return (
    <section className="mission-phase" data-current={isCurrent && !isOver} aria-label={phase.name}>
      <header className="wrap">
        <h2>
          {phase.number !== null && <span className="muted number">{phase.number} </span>}
          {phase.name}
        </h2>
        <StatusMark status={isOver && status === "active" ? "left open" : status} />
        {phase.seconds > 0 && <span className="muted small number">{sayDuration(phase.seconds * 1_000)}</span>}
      </header>
      {phase.tasks.length === 0 ? (
        <p className="muted small">{isCurrent ? "No tasks started yet." : "Not started."}</p>
      ) : (
        <ul className="stack">
          {phase.tasks.map((task) => (
            <TaskItem key={task.id} task={task} />
          ))}
        </ul>
      )}
    </section>
  );
}

function TaskItem({ task }: { task: MissionTask }) {
  return (
    <li className="card mission-task" data-child={task.parent_task_id !== null}>
      <div className="wrap">
        <StatusMark status={statusWord(task.status)} />
        <Link className="strong" to={`/tasks/${task.id}`}>
          {task.name}
        </Link>
        <span className="muted small">
          {task.agent_id ? <Who id={task.agent_id} /> : [task.agent_name, task.owner].filter(Boolean).join(" · ")}
        </span>
        <span className="muted small number">
          {task.duration_seconds === null
            ? task.started_at && <TimeAgo at={task.started_at} />
            : sayDuration(task.duration_seconds * 1_000)}
        </span>
      </div>
      <p className="muted small">{task.summary ?? task.goal}</p>
      {task.receipt && <Receipt taskId={task.id} receipt={task.receipt} />}
    </li>
  );
}

function Milestones({ mission }: { mission: MissionDetail }) {
  return (
    <section aria-label="Milestones">
      <h2>Milestones</h2>
      {mission.milestones.length === 0 && <p className="muted small">No milestones yet.</p>}
      <ol className="mission-lines">
        {mission.milestones.slice(0, 30).map((milestone) => (
          <li key={milestone.id}>
            <span>{milestone.message}</span>
            <span className="muted small number">
              {milestone.progress !== null && `${milestone.progress}% · `}
              <TimeAgo at={milestone.created_at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Decisions({ mission }: { mission: MissionDetail }) {
  return (
    <section aria-label="Decisions">
      <h2>Decisions</h2>
      {mission.decisions.length === 0 && <p className="muted small">No decisions yet.</p>}
      <ol className="mission-lines">
        {mission.decisions.slice(0, 30).map((decision) => (
          <li key={decision.id}>
            <span className="muted small">{decision.question}</span>
            <span className="strong">{decision.chosen}</span>
            {decision.reasoning && <span className="small">{decision.reasoning}</span>}
            <span className="muted small">
              {decision.category.toLowerCase()} · <TimeAgo at={decision.created_at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function NoTasks({ id }: { id: string }) {
  return (
    <>
      <p className="strong">No tasks yet.</p>
      <p>
        An agent starts a task with <code>start_task</code>, which opens its phase.
      </p>
      <Command text={`crewdeck mission show ${id}`} />
    </>
  );
}
