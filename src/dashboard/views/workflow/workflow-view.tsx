import { useMemo } from "react";
import { callTool } from "../../data/api.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import type { ViewProps } from "../../page/router.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { attempt } from "../../parts/toast.tsx";
import { StepList } from "./step-list.tsx";
import { WorkflowGantt } from "./workflow-gantt.tsx";
import { WorkflowGraph } from "./workflow-graph.tsx";
import { markOf, percentDone, type Step, tally, type WorkflowDetail, workflowReading } from "./workflow-model.ts";
import "./workflow.css";

const shapes = [
  { name: "graph", title: "Graph", letter: "1" },
  { name: "gantt", title: "Time", letter: "2" },
  { name: "list", title: "List", letter: "3" },
] as const;

/** One plan: what waits for what, what ran when, who holds what. */
export function WorkflowView({ params }: ViewProps) {
  const id = params["id"] ?? "";
  const reading = useMemo(() => workflowReading(id), [id]);
  const shown = useReading(reading);
  const { query } = usePlace();
  const shape = shapes.find(({ name }) => name === query.get("as"))?.name ?? "graph";
  const zoom = Number(query.get("zoom")) || 1;
  const part = query.get("part");
  useKeys([
    ...shapes.map(({ name, title, letter }) => ({
      keys: letter,
      label: `Show as ${title.toLowerCase()}`,
      act: () => changeQuery({ as: name }),
    })),
    { keys: "+", label: "Larger", act: () => changeQuery({ zoom: String(Math.min(2, zoom + 0.25)) }) },
    { keys: "-", label: "Smaller", act: () => changeQuery({ zoom: String(Math.max(0.25, zoom - 0.25)) }) },
  ]);
  return (
    <Page
      title={shown.value?.name ?? "Workflow"}
      note={shown.value && <StatusMark status={shown.value.status} />}
      actions={shown.value && <StatusMenu detail={shown.value} />}
      fills
    >
      <Show
        shown={shown}
        what="the workflow"
        isEmpty={(detail) => detail.steps.length === 0}
        empty={<NoPlan id={id} />}
      >
        {(detail) => {
          const steps = stepsOf(detail.steps, part);
          return (
            <>
              <Overview detail={detail} />
              <div className="filters">
                {shapes.map(({ name, title }) => (
                  <button
                    key={name}
                    type="button"
                    aria-pressed={shape === name}
                    onClick={() => changeQuery({ as: name })}
                  >
                    {title}
                  </button>
                ))}
                {part && (
                  <button type="button" onClick={() => changeQuery({ part: undefined })}>
                    Steps {part} only · show all
                  </button>
                )}
                {shape === "graph" && <ZoomButtons zoom={zoom} />}
              </div>
              {shape === "graph" && <WorkflowGraph steps={steps} zoom={zoom} />}
              {shape === "gantt" && <WorkflowGantt steps={steps} notes={detail.notes} />}
              {shape === "list" && <StepList workflowId={detail.id} steps={steps} />}
            </>
          );
        }}
      </Show>
    </Page>
  );
}

function Overview({ detail }: { detail: WorkflowDetail }) {
  const words = detail.status_reason ?? detail.plan?.summary;
  return (
    <div className="workflow-overview">
      <progress max={100} value={percentDone(detail.steps)} aria-label="Progress" />
      <span className="wrap small">
        {tally(detail.steps).map((part) => (
          <span key={part.status} className="wrap">
            <span className="number">{part.count}</span>
            <StatusMark status={markOf(part)} />
          </span>
        ))}
      </span>
      {words && words !== detail.name && <p className="muted">{words}</p>}
    </div>
  );
}

function ZoomButtons({ zoom }: { zoom: number }) {
  const turn = (to: number) => () => changeQuery({ zoom: to === 1 ? undefined : String(to) });
  return (
    <span className="wrap workflow-zoom">
      <button type="button" disabled={zoom <= 0.25} onClick={turn(Math.max(0.25, zoom - 0.25))} aria-label="Zoom out">
        −
      </button>
      <span className="muted small number">{Math.round(zoom * 100)}%</span>
      <button type="button" disabled={zoom >= 2} onClick={turn(Math.min(2, zoom + 0.25))} aria-label="Zoom in">
        +
      </button>
    </span>
  );
}

type WorkflowStatus = WorkflowDetail["status"];

const nextStatuses: Readonly<
  Partial<Record<WorkflowStatus, readonly { to: WorkflowStatus; label: string; isDangerous?: boolean }[]>>
> = {
  planning: [{ to: "abandoned", label: "Abandon", isDangerous: true }],
  ready: [
    { to: "in_progress", label: "Start" },
    { to: "abandoned", label: "Abandon", isDangerous: true },
  ],
  in_progress: [
    { to: "paused", label: "Pause" },
    { to: "completed", label: "Complete" },
    { to: "failed", label: "Mark as failed", isDangerous: true },
    { to: "abandoned", label: "Abandon", isDangerous: true },
  ],
  paused: [
    { to: "in_progress", label: "Resume" },
    { to: "abandoned", label: "Abandon", isDangerous: true },
  ],
  failed: [{ to: "in_progress", label: "Try again" }],
};

function StatusMenu({ detail }: { detail: WorkflowDetail }) {
  const choices = nextStatuses[detail.status] ?? [];
  if (choices.length === 0) return null;
  const move = (to: WorkflowStatus) =>
    void attempt(() =>
      callTool("workflow_update_status", { id: detail.id, status: to, reason: "changed in the deck" }),
    );
  return (
    <Menu
      label="Change workflow"
      items={choices.map(({ to, label, isDangerous = false }) => ({ label, isDangerous, choose: () => move(to) }))}
    >
      Change
    </Menu>
  );
}

function NoPlan({ id }: { id: string }) {
  return (
    <>
      <p className="strong">No tasks yet.</p>
      <p>
        An agent plans it with <code>workflow_set_plan</code>.
      </p>
      <Command text={`crewdeck call workflow_set_plan --input @plan.json --id ${id}`} />
    </>
  );
}

/** Only the steps of a gathered box, `10-19`, when one was opened. */
function stepsOf(steps: readonly Step[], part: string | null): readonly Step[] {
  const [from, to] = (part ?? "").split("-").map(Number);
  if (part === null || from === undefined || to === undefined) return steps;
  return steps.filter((step) => step.sequence >= from && step.sequence <= to);
}
