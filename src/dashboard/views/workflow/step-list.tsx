import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { useKeys } from "../../page/keys.ts";
import { go } from "../../page/router.ts";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { attempt } from "../../parts/toast.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { Who } from "../../parts/who.tsx";
import { AddStep, CancelStep, ReplanStep } from "./plan-dialogs.tsx";
import { isOver, markOf, type Step } from "./workflow-model.ts";

type Asked = { readonly what: "add" } | { readonly what: "cancel" | "replan"; readonly step: Step };

/** The same tasks as rows, in the order of the plan: the twin of the drawing, and where people change the plan. */
export function StepList({ workflowId, steps }: { workflowId: string; steps: readonly Step[] }) {
  const [current, setCurrent] = useState(0);
  const [asked, setAsked] = useState<Asked>();
  const step = steps[current];
  const close = () => setAsked(undefined);
  useKeys([
    ...listKeys({ count: steps.length, current, setCurrent }),
    { keys: "Enter", label: "Open the task", act: () => step && go(`/tasks/${step.id}`) },
    { keys: "n", label: "Add a task", act: () => setAsked({ what: "add" }) },
    { keys: "x", label: "Cancel the task", act: () => step && !isOver(step) && setAsked({ what: "cancel", step }) },
    { keys: "[", label: "Move up", act: () => step && void move(step, -1) },
    { keys: "]", label: "Move down", act: () => step && void move(step, 1) },
  ]);
  return (
    <>
      <div className="wrap">
        <button type="button" onClick={() => setAsked({ what: "add" })}>
          Add task
        </button>
      </div>
      <VirtualList
        label="Tasks in plan order"
        className="workflow-steps"
        items={steps}
        rowHeight={56}
        keyOf={(one) => one.id}
        current={current}
      >
        {(one, place) => <StepRow step={one} isCurrent={place === current} onAsk={setAsked} />}
      </VirtualList>
      {asked?.what === "add" && <AddStep workflowId={workflowId} steps={steps} onClose={close} />}
      {asked?.what === "cancel" && <CancelStep step={asked.step} onClose={close} />}
      {asked?.what === "replan" && <ReplanStep step={asked.step} onClose={close} />}
    </>
  );
}

function StepRow({ step, isCurrent, onAsk }: { step: Step; isCurrent: boolean; onAsk(asked: Asked): void }) {
  return (
    <div className="row workflow-step-row" data-current={isCurrent}>
      <span className="muted number">{step.sequence}</span>
      <StatusMark status={markOf(step)} />
      <span className="workflow-step-name cut">
        <Link className="cut" to={`/tasks/${step.id}`}>
          {step.name}
        </Link>
        {step.depends_on.length > 0 && <span className="muted small cut">after {step.depends_on.join(", ")}</span>}
      </span>
      <span className="workflow-step-holder muted small cut">
        {step.claimed_by ? <Who id={step.claimed_by} /> : "—"}
      </span>
      <Menu label={`Change ${step.name}`} className="plain" items={itemsFor(step, onAsk)}>
        …
      </Menu>
    </div>
  );
}

function itemsFor(step: Step, onAsk: (asked: Asked) => void): MenuItem[] {
  const over = isOver(step) ? "This task has ended." : undefined;
  const canReplan = step.status === "failed" || step.status === "in_progress";
  return [
    { label: "Move up", letter: "[", disabledBecause: over, choose: () => void move(step, -1) },
    { label: "Move down", letter: "]", disabledBecause: over, choose: () => void move(step, 1) },
    {
      label: "Replan",
      letter: "p",
      disabledBecause: canReplan ? undefined : "Only active or failed tasks can be replanned.",
      choose: () => onAsk({ what: "replan", step }),
    },
    {
      label: "Cancel",
      letter: "x",
      isDangerous: true,
      disabledBecause: over,
      choose: () => onAsk({ what: "cancel", step }),
    },
  ];
}

const move = (step: Step, by: 1 | -1): Promise<boolean> =>
  attempt(() => callTool("task_move", { id: step.id, sequence: Math.max(0, step.sequence + by) }));
