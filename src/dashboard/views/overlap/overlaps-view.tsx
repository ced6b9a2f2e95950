import { useState } from "react";
import { type Doubt, doubtsReading, type Scope } from "../../data/doubts.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { sayMatch } from "../../parts/compare.tsx";
import { Link } from "../../parts/link.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { NoMatch } from "../../parts/no-match.tsx";
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
    <Page
      title="Overlap"
      note={
        doubts.length > 0 ? `${doubts.length} possible ${doubts.length === 1 ? "duplicate" : "duplicates"}` : undefined
      }
      fills
    >
      <div className="filters">
        <button type="button" aria-pressed={scope === "everyone"} onClick={() => changeQuery({ of: undefined })}>
          Everyone
        </button>
        <button type="button" aria-pressed={scope === "mine"} onClick={() => changeQuery({ of: "mine" })}>
          Mine
        </button>
      </div>
      <Show
        shown={shown}
        what="overlaps"
        isEmpty={() => doubts.length === 0}
        empty={scope === "mine" ? <NothingMine /> : <NothingTwice />}
      >
        {() => (
          <VirtualList
            label="Possible duplicates"
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
          similar to “{doubt.like}”{doubt.candidates > 1 && ` and ${doubt.candidates - 1} more`}
        </span>
      </span>
      <span className="doubt-state small cut">{sayState(state)}</span>
      <span className="doubt-who muted small cut">
        {doubt.mine ? "you" : doubt.developer} · {doubt.type}
      </span>
      <span className="doubt-score small number">
        {doubt.score !== null && <span title={`score ${Math.round(doubt.score * 100)}%`}>{sayMatch(doubt.score)}</span>}
      </span>
      <span className="doubt-age muted small">
        <TimeAgo at={doubt.created_at} />
      </span>
    </div>
  );
}

/** None of the reader's: whether others have some is said, too. */
function NothingMine() {
  const { value = [] } = useReading(doubtsReading("everyone"));
  if (value.length === 0) return <NothingTwice />;
  return <NoMatch what="possible duplicates" onClear={() => changeQuery({ of: undefined })} />;
}

function NothingTwice() {
  return (
    <>
      <p className="strong">No duplicates.</p>
      <p>
        Every task is checked for duplicates before it starts. Possible duplicates stay here until somebody decides. An
        agent checks with:
      </p>
      <Command text={'crewdeck call covibe_task --operation check --title "Add dark mode" --task_type feature'} />
    </>
  );
}
