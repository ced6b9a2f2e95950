import { type ReactNode, useMemo } from "react";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool, read } from "../../data/api.ts";
import type { Reading } from "../../data/store.ts";
import { useReading } from "../../data/use-reading.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Link } from "../../parts/link.tsx";
import { Show } from "../../parts/states.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { act, type Item, keyOf } from "./inbox-model.ts";
import { ItemWho } from "./item-who.tsx";

type Handoff = AnswerOf<"handoff_get">;

const handoffReading = (id: string): Reading<Handoff> => ({
  key: `handoff ${id}`,
  load: (signal) => read("/api/handoffs/:id", { id }, signal),
});

/** What somebody hands over, with everything that comes with it, before it is accepted. */
export function HandoffDialog({ item, onClose }: { item: Item; onClose(): void }) {
  const shown = useReading(useMemo(() => handoffReading(item.id), [item.id]));
  function accept(): void {
    const acceptance = { operation: "accept", handoff_id: item.id } as const;
    act(keyOf(item), "Handoff accepted.", () => callTool("covibe_coordination", acceptance));
    onClose();
  }
  return (
    <Dialog title="Handoff" size="large" onClose={onClose}>
      <p className="muted small">
        <ItemWho item={item} /> offers a handoff · <TimeAgo at={item.since} />
      </p>
      <Show shown={shown} what="the handoff" isEmpty={() => false} empty={null}>
        {(handoff) => <Contents handoff={handoff} />}
      </Show>
      <div className="dialog-actions">
        <button type="button" className="primary" disabled={shown.value === undefined} onClick={accept}>
          Accept
        </button>
      </div>
    </Dialog>
  );
}

function Contents({ handoff: { summary, task, context, claims } }: { handoff: Handoff }) {
  const code = claims.flatMap(({ paths, symbols }) => [...paths, ...symbols]);
  return (
    <>
      <p className="inbox-words">{summary}</p>
      <dl className="facts">
        {task && (
          <Fact name="Task">
            <Link to={`/tasks/${task.id}`}>{task.title}</Link>
            {task.description && <p className="inbox-words muted small">{task.description}</p>}
          </Fact>
        )}
        <Fact name="Claims">{code.length > 0 ? <Lines lines={code} isCode /> : "—"}</Fact>
        {context ? <Context context={context} /> : <Fact name="Context">None published.</Fact>}
      </dl>
    </>
  );
}

function Context({ context }: { context: NonNullable<Handoff["context"]> }) {
  const where = [context.repo, context.branch].filter(Boolean).join(" · ");
  return (
    <>
      <Fact name="Context">
        {context.title}{" "}
        <span className="muted small">
          published <TimeAgo at={context.published_at} />
        </span>
        <p className="inbox-words muted small">{context.summary}</p>
      </Fact>
      {where !== "" && <Fact name="Branch">{where}</Fact>}
      {context.files.length > 0 && (
        <Fact name="Files">
          <Lines lines={context.files} isCode />
        </Fact>
      )}
      {context.next_actions.length > 0 && (
        <Fact name="Next steps">
          <Lines lines={context.next_actions} />
        </Fact>
      )}
      {context.blockers.length > 0 && (
        <Fact name="Blockers">
          <Lines lines={context.blockers} />
        </Fact>
      )}
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const Lines = ({ lines, isCode = false }: { lines: readonly string[]; isCode?: boolean }) => (
  <ul className={isCode ? "mono small" : undefined}>
    {lines.map((line, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a list that was written once, and may say the same twice.
      <li key={place}>{line}</li>
    ))}
  </ul>
);
