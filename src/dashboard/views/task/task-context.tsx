import { useMemo } from "react";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Show } from "../../parts/states.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import {
  budgets,
  type ContextPack,
  contextReading,
  missingOf,
  type Recovery,
  recoveriesReading,
  sayKept,
  sayOmitted,
  sectionsOf,
} from "./context-model.ts";
import "./task.css";

/** The pack an agent gets to go on with the task, at the budget one chooses; it follows every change of the task. */
export function TaskContext({ id }: { id: string }) {
  const { query } = usePlace();
  const budget = budgets.find((one) => String(one) === query.get("budget")) ?? 4_000;
  const shown = useReading(useMemo(() => contextReading(id, budget), [id, budget]));
  return (
    <div className="stack">
      <p className="wrap">
        <label htmlFor="budget">Token budget</label>
        <select id="budget" value={budget} onChange={(event) => changeQuery({ budget: event.target.value })}>
          {budgets.map((one) => (
            <option key={one} value={one}>
              {one.toLocaleString("en")} tokens
            </option>
          ))}
        </select>
        {shown.value && <span className="muted">{shown.value.token_estimate.toLocaleString("en")} used</span>}
      </p>
      <Show shown={shown} what="the context" isEmpty={() => false} empty={null}>
        {(pack) => <Pack pack={pack} />}
      </Show>
      <Recoveries id={id} />
    </div>
  );
}

/** How much came back each time; what was cut or left out did not. */
function Recoveries({ id }: { id: string }) {
  const shown = useReading(useMemo(() => recoveriesReading(id), [id]));
  return (
    <section className="stack" aria-label="Recoveries">
      <h3>Recoveries</h3>
      <Show
        shown={shown}
        what="recoveries"
        isEmpty={(recoveries) => recoveries.length === 0}
        empty={
          <p className="muted">
            No agent has loaded this context yet. Agents do after a compaction, with task_load_context.
          </p>
        }
      >
        {(recoveries) => (
          <table className="table task-recoveries">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Budget</th>
                <th scope="col">Decisions</th>
                <th scope="col">Files</th>
                <th scope="col">Next steps</th>
              </tr>
            </thead>
            <tbody>
              {recoveries.map((recovery) => (
                <RecoveryRows key={recovery.at} recovery={recovery} />
              ))}
            </tbody>
          </table>
        )}
      </Show>
    </section>
  );
}

function RecoveryRows({ recovery }: { recovery: Recovery }) {
  const { at, max_tokens, decisions, files, next_steps } = recovery;
  const missing = missingOf(recovery);
  return (
    <>
      <tr>
        <th scope="row">
          <TimeAgo at={at} />
        </th>
        <td className="number">{max_tokens.toLocaleString("en")}</td>
        <td>{sayKept(decisions)}</td>
        <td>{sayKept(files)}</td>
        <td>{sayKept(next_steps)}</td>
      </tr>
      {missing.length > 0 && (
        <tr>
          <td colSpan={5}>
            <details className="task-missing small">
              <summary>Not in the pack</summary>
              {missing.map(({ name, words, more }) => (
                <section key={name} aria-label={`${name} not in the pack`}>
                  <h4>{name}</h4>
                  <ul>
                    {words.map((one) => (
                      <li key={one}>{one}</li>
                    ))}
                    {more > 0 && (
                      <li className="muted">{more.toLocaleString("en")} more, not listed or no longer current</li>
                    )}
                  </ul>
                </section>
              ))}
            </details>
          </td>
        </tr>
      )}
    </>
  );
}

function Pack({ pack }: { pack: ContextPack }) {
  return (
    <>
      {pack.omitted.length > 0 && (
        <ul className="small task-omitted">
          {pack.omitted.map((one) => (
            <li key={one.section}>{sayOmitted(one)}</li>
          ))}
        </ul>
      )}
      {sectionsOf(pack).map(({ name, text }) => (
        <section key={name} aria-label={name} className="stack">
          <h3>{name.replaceAll("_", " ")}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <pre className="task-section" tabIndex={0}>
            {text}
          </pre>
        </section>
      ))}
    </>
  );
}
