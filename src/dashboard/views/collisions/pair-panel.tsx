import { Fragment, useMemo, useState } from "react";
import { useDeck, useReading } from "../../data/use-reading.ts";
import { changeQuery } from "../../page/router.ts";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { Copied } from "../../parts/command.tsx";
import { Link } from "../../parts/link.tsx";
import { Show } from "../../parts/states.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { say } from "../../parts/toast.tsx";
import {
  ask,
  type Contact,
  commitCommand,
  contactsOf,
  handOver,
  nameOf,
  type Pair,
  pairReading,
  rebaseCommand,
  sayPair,
  sayPlace,
  sayVerdict,
} from "./collisions-model.ts";

/** One collision: both sides of each place, how it came about, and what to do. */
export function PairPanel({ id }: { id: string }) {
  const shown = useReading(useMemo(() => pairReading(id), [id]));
  return (
    <section className="collisions-pair" aria-label="Collision">
      <Show shown={shown} what="the collision" isEmpty={() => false} empty={null}>
        {(pair) => (
          <>
            <header className="collisions-head">
              <h2>{sayPair(pair)}</h2>
              <button type="button" onClick={() => changeQuery({ pair: undefined })}>
                Close
              </button>
            </header>
            <Timeline pair={pair} />
            <Acts pair={pair} />
            <Files pair={pair} />
          </>
        )}
      </Show>
    </section>
  );
}

const turns = { began: "Noticed", changed: "Changed", ended: "Ended" } as const;

function Timeline({ pair }: { pair: Pair }) {
  return (
    <ol className="collisions-timeline small" aria-label="Timeline">
      {pair.timeline.map(({ at, what, verdict }) => (
        <li key={`${what} ${at}`}>
          {turns[what]} <TimeAgo at={at} />
          {what !== "ended" && `: ${sayVerdict(verdict as Pair["verdict"]).toLowerCase()}`}
        </li>
      ))}
    </ol>
  );
}

interface Act {
  readonly kind: "ask" | "handoff";
  readonly to: Contact;
}

function Acts({ pair }: { pair: Pair }) {
  const [act, setAct] = useState<Act>();
  const self = useDeck().person?.handle;
  const isMoot = pair.verdict === "moot";
  const command = isMoot ? commitCommand(pair) : rebaseCommand(pair, self);
  return (
    <div className="collisions-acts">
      {contactsOf(pair, self).map((to) => (
        <Fragment key={to.agentId ?? to.handle}>
          <button type="button" onClick={() => setAct({ kind: "ask", to })}>
            Ask {to.name}
          </button>
          {to.taskId && (
            <button type="button" onClick={() => setAct({ kind: "handoff", to })}>
              Hand over to {to.name}
            </button>
          )}
        </Fragment>
      ))}
      {pair.ends.map((end) =>
        end.task_id === null ? null : (
          <Link key={end.task_id} to={`/tasks/${end.task_id}`}>
            Task in {nameOf(end)}
          </Link>
        ),
      )}
      {command !== undefined && (
        <div className="collisions-command">
          <span className="small muted">{isMoot ? "Look at the commit" : "Rebase now"}</span>
          <Copied text={command} />
        </div>
      )}
      {act !== undefined && <WordsDialog act={act} pair={pair} onClose={() => setAct(undefined)} />}
    </div>
  );
}

interface WordsProps {
  readonly act: Act;
  readonly pair: Pair;
  onClose(): void;
}

function WordsDialog({ act: { kind, to }, pair, onClose }: WordsProps) {
  const file = pair.places[0]?.path ?? "the same code";
  const isOwn = to.agentId !== null;
  const question = isOwn
    ? `Your changes collide with those of another agent of mine in ${file}. Can you merge first?`
    : `We both change ${file}. Can you merge first, or shall I?`;
  const summary = `Please take this over${isOwn ? `, ${to.name}` : ""}: it conflicts with your work in ${file}.`;
  const [words, setWords] = useState(kind === "ask" ? question : summary);
  const send = async (): Promise<void> => {
    await (kind === "ask" ? ask(to, words) : handOver(to, words));
    say(kind === "ask" ? `Question sent to ${to.name}.` : `Handoff offered to ${to.name}.`);
  };
  return (
    <ActionDialog
      title={kind === "ask" ? `Ask ${to.name}` : `Hand over to ${to.name}`}
      verb={kind === "ask" ? "Ask" : "Offer handoff"}
      canSend={words.trim() !== ""}
      send={send}
      onClose={onClose}
    >
      <label className="field">
        {kind === "ask" ? "Question" : "Summary"}
        <textarea rows={4} value={words} onChange={(event) => setWords(event.target.value)} />
      </label>
    </ActionDialog>
  );
}

function Files({ pair }: { pair: Pair }) {
  const [one, other] = [...pair.ends.map(nameOf), ...(pair.base === null ? [] : [pair.base])];
  if (pair.files.length === 0) {
    return (
      <p className="muted">
        {pair.verdict === "conflict"
          ? "Nothing to show right now: one side has changed, or can't be read."
          : sayPlaces(pair)}
      </p>
    );
  }
  return pair.files.map(({ path, hunks, truncated }) => (
    <section key={path} className="collisions-file" aria-label={path}>
      <h3>
        <code>{path}</code>
      </h3>
      {hunks.length === 0 && <p className="muted small">One side deleted it, or it can't be shown as text.</p>}
      {hunks.map((hunk) => (
        <div key={hunk.line} className="collisions-hunk">
          <Side name={one ?? "—"} lines={hunk.one} line={hunk.line} />
          <Side name={other ?? "—"} lines={hunk.other} line={hunk.line} />
        </div>
      ))}
      {truncated && <p className="muted small">More conflicts aren't shown.</p>}
    </section>
  ));
}

const sayPlaces = ({ places }: Pair): string => places.map(sayPlace).join(" · ");

function Side({ name, lines, line }: { name: string; lines: readonly string[]; line: number }) {
  return (
    <figure>
      <figcaption className="small muted">
        {name} · line {line}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <pre tabIndex={0}>{lines.length === 0 ? "(nothing)" : lines.join("\n")}</pre>
    </figure>
  );
}
