import { useState } from "react";
import { useKeys } from "../../app/keys.ts";
import { go } from "../../app/router.ts";
import { nameOf, shortId } from "../../data/names.ts";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { StatusMark } from "../../parts/status-mark.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { markOf, type Step } from "./workflow-model.ts";

/** The same tasks as rows, in the order of the plan: the twin of the drawing. */
export function StepList({ steps }: { workflowId: string; steps: readonly Step[] }) {
  const [current, setCurrent] = useState(0);
  useKeys([
    ...listKeys({ count: steps.length, current, setCurrent }),
    { keys: "Enter", label: "Open the task", act: () => steps[current] && go(`/tasks/${steps[current].id}`) },
  ]);
  return (
    <VirtualList
      label="Tasks in the order of the plan"
      className="workflow-steps"
      items={steps}
      rowHeight={56}
      keyOf={(step) => step.id}
      current={current}
    >
      {(step, place) => (
        <div className="row workflow-step-row" data-current={place === current}>
          <span className="muted number">{step.sequence}</span>
          <StatusMark status={markOf(step)} />
          <span className="workflow-step-name cut">
            <Link className="cut" to={`/tasks/${step.id}`}>
              {step.name}
            </Link>
            {step.depends_on.length > 0 && <span className="muted small cut">after {step.depends_on.join(", ")}</span>}
          </span>
          <span className="muted small cut">
            {step.claimed_by ? (nameOf(step.claimed_by) ?? shortId(step.claimed_by)) : "free"}
          </span>
        </div>
      )}
    </VirtualList>
  );
}
