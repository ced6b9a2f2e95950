import { type MouseEvent, useMemo, useState } from "react";
import { type ChangedFile, sayOfFile, showHidden, type TaskDiff } from "../../../contract/task-diff.ts";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery } from "../../page/router.ts";
import { DiffLines } from "../../parts/diff-lines.tsx";
import { Failed } from "../../parts/states.tsx";
import { diffReading, marksOf, say } from "./diff-model.ts";

interface DiffFileProps {
  readonly id: string;
  readonly kind: TaskDiff["kind"];
  readonly file: ChangedFile;
  readonly isOpen: boolean;
  onTurn(isOpen: boolean): void;
}

/** A changed file: its name, what to know of it, and its lines while it is open. Whoever opens it can share the address. */
export function DiffFile({ id, kind, file, isOpen, onTurn }: DiffFileProps) {
  function turn(event: MouseEvent): void {
    event.preventDefault();
    onTurn(!isOpen);
    changeQuery({ file: isOpen ? undefined : file.path });
  }
  return (
    <details className="diff-file" open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button, also for Enter and Space. */}
      <summary onClick={turn}>
        <span className="diff-path mono">{showHidden(file.path)}</span>
        <span className="diff-marks">
          {marksOf(file).map(({ text, tone }) => (
            <span key={text} className="chip" data-tone={tone}>
              {text}
            </span>
          ))}
          {file.state === "shown" && <Counts file={file} />}
        </span>
      </summary>
      {isOpen && <Body id={id} kind={kind} file={file} />}
    </details>
  );
}

function Counts({ file: { added_lines: added, deleted_lines: deleted } }: { file: ChangedFile }) {
  return (
    <span className="number small">
      <span aria-hidden="true">
        +{added} -{deleted}
      </span>
      <span className="only-spoken">
        {say(added, "line")} added, {deleted} deleted
      </span>
    </span>
  );
}

function Body({ id, kind, file }: Pick<DiffFileProps, "id" | "kind" | "file">) {
  const [wantsAll, setWantsAll] = useState(false);
  return (
    <div className="diff-body">
      {sayOfFile(file, kind).map((text) => (
        <p key={text} className="diff-word">
          {text}
        </p>
      ))}
      {wantsAll ? <Whole id={id} file={file} /> : <DiffLines file={file} />}
      {file.left_out_lines > 0 && !wantsAll && (
        <p className="diff-word">
          <button type="button" onClick={() => setWantsAll(true)}>
            Show {say(file.left_out_lines, "more line")}
          </button>
        </p>
      )}
    </div>
  );
}

/** The same file read by itself, which shows more of it. */
function Whole({ id, file }: { id: string; file: ChangedFile }) {
  const { path } = file;
  const { value, failure, reload } = useReading(useMemo(() => diffReading(id, { path }), [id, path]));
  const whole = value?.files[0];
  if (!whole && failure) return <Failed failure={failure} onRetry={reload} />;
  return (
    <>
      <DiffLines file={whole ?? file} />
      {!whole && <output className="diff-word muted">Reading the rest…</output>}
      {whole && whole.left_out_lines > 0 && (
        <p className="diff-word">{say(whole.left_out_lines, "more line")}: too many to be shown here.</p>
      )}
    </>
  );
}
