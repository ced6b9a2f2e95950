import { useEffect, useMemo, useRef, useState } from "react";
import { type ChangedFile, type TaskDiff as Diff, showHidden } from "../../../contract/task-diff.ts";
import { useReading } from "../../data/use-reading.ts";
import { usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { Show } from "../../parts/states.tsx";
import { DiffFile } from "./diff-file.tsx";
import { type DiffPart, diffReading, opensByItself, say, sayLines } from "./diff-model.ts";
import "./task-diff.css";

/** What a task changed, line by line, as far as the contents its receipt names are still there. */
export function TaskDiff({ id }: { id: string }) {
  const shown = useReading(useMemo(() => diffReading(id), [id]));
  const wanted = usePlace().query.get("file");
  return (
    <Show
      shown={shown}
      what="the changes"
      isEmpty={(diff) => !diff?.files_count}
      empty={<Nothing diff={shown.value} />}
    >
      {(diff) =>
        diff && (
          <div className="diff">
            <Summary diff={diff} onLookAgain={shown.reload} />
            {wanted !== null && diff.files_left > 0 && diff.files.every(({ path }) => path !== wanted) && (
              <Part id={id} part={{ path: wanted }} />
            )}
            <Files id={id} diff={diff} />
          </div>
        )
      }
    </Show>
  );
}

function Nothing({ diff }: { diff: Diff | null | undefined }) {
  if (diff?.kind === "none") {
    return <p>The changes are unknown: no snapshot of the folder was taken when the task started.</p>;
  }
  if (diff) return <p>This task changed no files.</p>;
  return (
    <>
      <p>This task has no receipt yet.</p>
      <p className="muted">
        Changes appear here when the task ends: a task started with <code>start_task</code> gets its receipt from{" "}
        <code>complete_task</code>.
      </p>
      <Command text="crewdeck call complete_task --help" />
    </>
  );
}

function Summary({ diff, onLookAgain }: { diff: Diff; onLookAgain(): void }) {
  const stale = diff.files.filter((file) => file.stale);
  return (
    <div className="diff-summary">
      <p className="wrap">
        <span className="strong">{say(diff.files_count, "file")} changed</span>
        <span className="number muted">{sayLines(diff)}</span>
        <button type="button" onClick={onLookAgain}>
          Refresh
        </button>
      </p>
      {!diff.is_complete && <p className="diff-note">The receipt is incomplete.</p>}
      {stale.length > 0 && (
        <p className="diff-note">
          {stale.length === 1 ? "One file is" : `${stale.length} files are`} something else now than when the task
          ended:{" "}
          <span className="mono">
            {stale
              .slice(0, 10)
              .map(({ path }) => showHidden(path))
              .join(", ")}
          </span>
          {stale.length > 10 && ` and ${stale.length - 10} more`}
        </p>
      )}
    </div>
  );
}

/** A further part of the list, read when somebody comes to it. */
function Part({ id, part }: { id: string; part: DiffPart }) {
  const { path, after } = part;
  const reading = useMemo(
    () => diffReading(id, { ...(path !== undefined && { path }), ...(after !== undefined && { after }) }),
    [id, path, after],
  );
  return (
    <Show shown={useReading(reading)} what="more files" isEmpty={(diff) => diff === null} empty={<Gone />}>
      {(diff) => diff && <Files id={id} diff={diff} />}
    </Show>
  );
}

const Gone = () => <p className="muted">The receipt of this task does not name that file.</p>;

function Files({ id, diff }: { id: string; diff: Diff }) {
  const [wantsMore, setWantsMore] = useState(false);
  const last = diff.files.at(-1)?.path;
  return (
    <>
      <ul className="diff-files">
        {diff.files.map((file) => (
          <li key={file.path}>
            <File id={id} diff={diff} file={file} />
          </li>
        ))}
      </ul>
      {diff.files_left > 0 && last !== undefined && !wantsMore && (
        <p>
          <button type="button" onClick={() => setWantsMore(true)}>
            Show {say(diff.files_left, "more file")}
          </button>
        </p>
      )}
      {wantsMore && last !== undefined && <Part id={id} part={{ after: last }} />}
    </>
  );
}

/** One file; the one the address names is open and in view. */
function File({ id, diff, file }: { id: string; diff: Diff; file: ChangedFile }) {
  const isWanted = usePlace().query.get("file") === file.path;
  const [chosen, setChosen] = useState<boolean>();
  const place = useRef<HTMLDivElement>(null);
  const isArrival = isWanted && chosen === undefined;
  useEffect(() => {
    if (!isArrival) return;
    setChosen(true);
    place.current?.scrollIntoView({ block: "start" });
  }, [isArrival]);
  return (
    <div ref={place} className="diff-place">
      <DiffFile
        id={id}
        kind={diff.kind}
        file={file}
        isOpen={chosen ?? opensByItself(file, diff.files_count)}
        onTurn={setChosen}
      />
    </div>
  );
}
