import { useState } from "react";
import { privateName } from "../../data/names.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { NoMatch } from "../../parts/no-match.tsx";
import { Page } from "../../parts/page.tsx";
import { Search } from "../../parts/search.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { WorkLink } from "../../parts/work-link.tsx";
import { NewWorkflow } from "./new-workflow.tsx";
import { chooseWorkflows, type WorkflowLine, workflowsReading } from "./workflows-model.ts";
import "./workflows.css";

/** Every plan that several tasks and agents share. */
export function WorkflowsView() {
  const { query } = usePlace();
  const shown = useReading(workflowsReading);
  const text = query.get("q") ?? "";
  const show = query.get("show") === "all" ? "all" : "open";
  const chosen = chooseWorkflows(shown.value ?? [], { text, show });
  const [current, setCurrent] = useState(0);
  const currentLine = chosen[current];
  useKeys([
    ...listKeys({ count: chosen.length, current, setCurrent }),
    { keys: "Enter", label: "Open", act: () => openWorkflow(currentLine) },
    { keys: "c", label: "New workflow", act: () => changeQuery({ new: "yes" }) },
  ]);
  return (
    <Page
      title="Workflows"
      fills
      actions={
        <button type="button" className="primary" onClick={() => changeQuery({ new: "yes" })}>
          New workflow
        </button>
      }
    >
      <div className="filters">
        <Search label="Find workflows" value={text} onChange={(q) => changeQuery({ q })} />
        <button
          type="button"
          aria-pressed={show === "all"}
          onClick={() => changeQuery({ show: show === "all" ? undefined : "all" })}
        >
          Show completed
        </button>
      </div>
      <Show
        shown={shown}
        what="workflows"
        isEmpty={() => chosen.length === 0}
        empty={
          text === "" ? (
            <NoWorkflows isAnyKnown={(shown.value?.length ?? 0) > 0} />
          ) : (
            <NoMatch what="workflows" onClear={() => changeQuery({ q: undefined })} />
          )
        }
      >
        {() => (
          <VirtualList
            label="Workflows"
            className="workflows"
            items={chosen}
            rowHeight={56}
            keyOf={(line) => line.id}
            current={current}
          >
            {(line, place) => <WorkflowRow line={line} isCurrent={place === current} />}
          </VirtualList>
        )}
      </Show>
      {query.get("new") === "yes" && <NewWorkflow onClose={() => changeQuery({ new: undefined })} />}
    </Page>
  );
}

function WorkflowRow({ line, isCurrent }: { line: WorkflowLine; isCurrent: boolean }) {
  return (
    <div className="row workflows-row" data-current={isCurrent}>
      <StatusMark status={line.status} />
      <span className="workflows-name cut">
        <WorkLink className="strong" to={`/workflows/${line.id}`} name={line.name} />
        <span className="muted small cut">{sayPlan(line)}</span>
      </span>
      <span className="workflows-progress small number">
        {line.tasks_total > 0 && (
          <>
            <progress max={line.tasks_total} value={line.tasks_done} aria-label={`Progress of ${line.name}`} />
            <span className="muted">
              {line.tasks_done} of {line.tasks_total}
            </span>
          </>
        )}
      </span>
      <span className="workflows-who muted small cut">{line.developer}</span>
      <span className="workflows-where muted small cut" title={line.repository_path ?? undefined}>
        {line.repository_path?.split(/[\\/]/).at(-1)}
      </span>
      <span className="workflows-age muted small">
        <TimeAgo at={line.updated_at} />
      </span>
    </div>
  );
}

/** What is a private person's has no page for others. */
function openWorkflow(line: WorkflowLine | undefined): void {
  if (line && line.name !== privateName) go(`/workflows/${line.id}`);
}

/** What the name says already, or what never has a plan of its own, needs no second line. */
function sayPlan({ name, status, plan_summary: summary }: WorkflowLine): string | null {
  if (status === "planning") return summary ?? "no plan yet";
  return summary === name ? null : summary;
}

function NoWorkflows({ isAnyKnown }: { isAnyKnown: boolean }) {
  if (isAnyKnown) return <p className="strong">No open workflows.</p>;
  return (
    <>
      <p className="strong">No workflows yet.</p>
      <p>
        Create one here, ask an agent to plan its work with <code>workflow_create</code> and{" "}
        <code>workflow_set_plan</code>, or use a template in the terminal:
      </p>
      <Command text={'crewdeck call template_apply --template_id builtin:feature --workflow_name "Dark mode"'} />
    </>
  );
}
