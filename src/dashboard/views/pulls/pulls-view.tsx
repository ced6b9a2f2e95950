import { useReading } from "../../data/use-reading.ts";
import { changeQuery, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { Link } from "../../parts/link.tsx";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { MergeOrders } from "./merge-order.tsx";
import { markOf, type PullLine, pullsReading, sayState } from "./pull-model.ts";
import "./pulls.css";

/** Local pull requests: what waits for a person first. */
export function PullsView() {
  const isAll = usePlace().query.get("show") === "all";
  const shown = useReading(pullsReading);
  const isOpen = ({ status }: PullLine): boolean => ["opening", "open", "merging"].includes(status);
  return (
    <Page
      title="Pull requests"
      actions={
        <button type="button" aria-pressed={isAll} onClick={() => changeQuery({ show: isAll ? undefined : "all" })}>
          Show completed
        </button>
      }
    >
      <Show
        shown={shown}
        what="pull requests"
        isEmpty={(pulls) => pulls.filter((pull) => isAll || isOpen(pull)).length === 0}
        empty={
          <>
            <p>No pull requests are open. Agents open one with create_pull_request; you can, too:</p>
            <Command text="crewdeck call pull_open --help" />
          </>
        }
      >
        {(pulls) => (
          <>
            <MergeOrders pulls={pulls} />
            <ul className="rows">
              {pulls
                .filter((pull) => isAll || isOpen(pull))
                .map((pull) => (
                  <li key={`${pull.number} ${pull.created_at}`} className="row pulls-row">
                    <StatusMark status={markOf(pull)} label="spoken" />
                    <span className="pulls-title">
                      {pull.number === null ? pull.title : <Link to={`/pulls/${pull.number}`}>{pull.title}</Link>}
                      <span className="muted small">
                        #{pull.number} {pull.branch} into {pull.base} · {pull.developer}
                      </span>
                    </span>
                    <span className="muted small">{sayState(pull)}</span>
                    <TimeAgo at={pull.updated_at} />
                  </li>
                ))}
            </ul>
          </>
        )}
      </Show>
    </Page>
  );
}
