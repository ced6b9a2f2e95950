import { useMemo } from "react";
import { Link } from "../../parts/link.tsx";
import { sayDuration } from "../../parts/say-duration.ts";
import { StatusMark } from "../../parts/status-mark.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { type Bar, barsOf } from "./gantt-model.ts";
import { markOf, type Step, type StepNote } from "./workflow-model.ts";

/** Where the time went and what ran side by side; checkpoints are marks on the bar. */
export function WorkflowGantt({ steps, notes }: { steps: readonly Step[]; notes: readonly StepNote[] }) {
  const bars = useMemo(() => barsOf(steps, notes, Date.now()), [steps, notes]);
  return (
    <VirtualList
      label="Timeline of tasks"
      className="workflow-gantt"
      items={bars}
      rowHeight={40}
      keyOf={({ step }) => step.id}
    >
      {(bar) => <GanttRow bar={bar} />}
    </VirtualList>
  );
}

function GanttRow({ bar: { step, span, durationMs, marks } }: { bar: Bar }) {
  return (
    <div className="row workflow-gantt-row">
      <StatusMark status={markOf(step)} label="spoken" />
      <Link className="cut" to={`/tasks/${step.id}`} title={step.name}>
        {step.name}
      </Link>
      <span className="workflow-gantt-track">
        {span && (
          <span
            className="workflow-bar"
            data-status={step.status}
            style={{ left: `${span.from}%`, width: `${span.length}%` }}
          />
        )}
        {marks.map(({ note, at }) => (
          <span
            key={note.id}
            className="workflow-bar-mark"
            data-kind={note.kind}
            style={{ left: `${at}%` }}
            title={`${note.kind}: ${note.summary}`}
          />
        ))}
      </span>
      <span className="muted small number">{durationMs === undefined ? "not started" : sayDuration(durationMs)}</span>
    </div>
  );
}
