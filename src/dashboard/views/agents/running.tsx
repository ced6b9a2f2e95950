import { useEffect, useMemo } from "react";
import { type Instance, instancesReading, isOver, sayType, stateOf } from "../../data/instances.ts";
import { useReading } from "../../data/use-reading.ts";
import { Link } from "../../parts/link.tsx";
import { Name } from "../../parts/name.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { tailsReading } from "./agents-model.ts";

const lookEveryMs = 2_000;

/** Agents that we started and that are not over. */
export function useStarted(): readonly Instance[] {
  const { value } = useReading(instancesReading);
  return useMemo(() => (value ?? []).filter((one) => one.program_state !== null && !isOver(one)), [value]);
}

/** The same with the last lines of each as they come. */
export function Running({ instances: running }: { instances: readonly Instance[] }) {
  if (running.length === 0) return null;
  return (
    <section className="running" aria-labelledby="running">
      <h2 id="running" className="small muted">
        Started from Crewdeck
      </h2>
      <RunningList instances={running} />
    </section>
  );
}

function RunningList({ instances }: { instances: readonly Instance[] }) {
  const { value: tails, reload } = useReading(tailsReading);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the same however often it is made.
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <ul className="running-list">
      {instances.map((one) => (
        <li key={one.id} className="card running-one">
          <span className="wrap">
            <StatusMark status={stateOf(one)} />
            <Link className="strong" to={`/instances/${one.id}`}>
              {one.task_id ? <Name id={one.task_id} /> : one.id}
            </Link>
            <span className="muted small">
              {sayType[one.type]} · {one.agent} · {one.developer} · <TimeAgo at={one.last_activity} />
            </span>
          </span>
          <pre className="running-tail">{tails?.get(one.id)?.join("\n") || "No output yet"}</pre>
        </li>
      ))}
    </ul>
  );
}
