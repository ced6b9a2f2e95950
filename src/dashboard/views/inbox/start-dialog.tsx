import { useMemo } from "react";
import { candidatesOf, decideStart, saidDecision } from "../../data/decisions.ts";
import { comparisonReading } from "../../data/doubts.ts";
import { useReading } from "../../data/use-reading.ts";
import { Likeness } from "../../parts/compare.tsx";
import { DecideStart } from "../../parts/decide-start.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Link } from "../../parts/link.tsx";
import { NearestWork } from "../../parts/nearest-work.tsx";
import { Show } from "../../parts/states.tsx";
import { Who } from "../../parts/who.tsx";
import { WorkLink } from "../../parts/work-link.tsx";
import { act, type Item, keyOf } from "./inbox-model.ts";

/** A start that was held up: what it is like, and whether it may go on, must not, or joins what exists. */
export function StartDialog({ item, onClose }: { item: Item; onClose(): void }) {
  const shown = useReading(useMemo(() => comparisonReading(item.id), [item.id]));
  return (
    <Dialog title="Possible duplicate" size="large" onClose={onClose}>
      <Show shown={shown} what="the comparison" isEmpty={() => false} empty={null}>
        {(comparison) => (
          <>
            <div>
              <p className="muted small">
                {comparison.work.agent_id ? <Who id={comparison.work.agent_id} isPlain /> : item.developer} wants to
                start
              </p>
              <p className="strong">{item.title}</p>
            </div>
            <ul className="stack" aria-label="Similar work">
              {candidatesOf(comparison).map((other) => (
                <li key={other.id} className="inbox-candidate">
                  <span className="muted small">
                    {other.agent_id ? <Who id={other.agent_id} isPlain /> : other.owner} · {other.status}
                  </span>
                  <WorkLink to={`/${other.type === "task" ? "tasks" : "workflows"}/${other.id}`} name={other.title} />
                  <Likeness score={other.score} reasons={other.reasons} />
                </li>
              ))}
            </ul>
            <NearestWork id={item.id} without={comparison.others.map(({ id }) => id)} />
            <p className="small">
              <Link to={`/overlap/${item.id}`}>Compare side by side</Link>
            </p>
            <DecideStart
              candidates={candidatesOf(comparison)}
              canConfirm
              onDecide={(decision) => {
                act(keyOf(item), saidDecision[decision.kind], () => decideStart(item.id, decision));
                onClose();
              }}
            />
          </>
        )}
      </Show>
    </Dialog>
  );
}
