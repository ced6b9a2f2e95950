import { useState } from "react";
import { type Doubt, doubtsReading, type Scope } from "../../data/doubts.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo, useNow } from "../../parts/time-ago.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { markOf, sayState, stateAt } from "./overlap-model.ts";
import "./overlap.css";

/** Work that may be done twice: starts that wait for a verdict, and other open warnings. */
export function OverlapsView() {
  const { query } = usePlace();
  const scope: Scope = query.get("of") === "mine" ? "mine" : "everyone";
  const shown = useReading(doubtsReading(scope));
  const doubts = shown.value ?? [];
  const now = useNow();
  const [current, setCurrent] = useState(0);
  const chosen = doubts[Math.min(current, doubts.length - 1)];
  useKeys([
    ...listKeys({ count: doubts.length, current, setCurrent }),
    { keys: "Enter", label: "Compare both sides", act: () => chosen && go(`/overlap/${chosen.id}`) },
  ]);
  return (
    <Page title="Overlap" note={doubts.length > 0 ? `${doubts.length} may be done twice` : undefined} fills>
      <div className="filters">
        <button type="button" aria-pressed={scope === "everyone"} onClick={() => changeQuery({ of: undefined })}>
          Everybody’s
        </button>
        <button type="button" aria-pressed={scope === "mine"} onClick={() => changeQuery({ of: "mine" })}>
          Mine
        </button>
      </div>
      <Show shown={shown} what="overlaps" isEmpty={() => doubts.length === 0} empty={<NothingTwice />}>
        {() => (
          <VirtualList
            label="Work that may be done twice"
            className="overlaps"
            items={doubts}
            rowHeight={64}
            keyOf={({ id }) => id}
            current={current}
          >
            {(doubt, place) => <DoubtRow doubt={doubt} now={now} isCurrent={place === current} />}
          </VirtualList>
        )}
      </Show>
    </Page>
  );
}

function DoubtRow({ doubt, now, isCurrent }: { doubt: Doubt; now: number; isCurrent: boolean }) {
  const state = stateAt(doubt, now);
  return (
    <div className="row doubt-row" data-current={isCurrent}>
      <StatusMark status={markOf(state)} label="spoken" />
      <span className="doubt-text cut">
        <Link className="strong cut" to={`/overlap/${doubt.id}`}>
          {doubt.title}
        </Link>
        <span className="small muted cut">
          like “{doubt.like}”{doubt.candidates > 1 && ` and ${doubt.candidates - 1} more`}
        </span>
      </span>
      <span className="doubt-state small cut">{sayState(state)}</span>
      <span className="doubt-who muted small cut">
        {doubt.mine ? "you" : doubt.developer} · {doubt.type}
      </span>
      <span className="doubt-score small number">
        {doubt.score !== null && `${Math.round(doubt.score * 100)} %`}
        <span className="only-spoken"> alike</span>
      </span>
      <span className="doubt-age muted small">
        <TimeAgo at={doubt.created_at} />
      </span>
    </div>
  );
}

function NothingTwice() {
  return (
    <>
      <p className="strong">No work looks like other work.</p>
      <p>
        Before an agent begins something it is compared with all other work. What may be the same waits here until
        somebody has judged it. An agent looks with:
      </p>
      <Command text={'crewdeck call covibe_task --operation check --title "What you mean to do" --task_type feature'} />
    </>
  );
}
