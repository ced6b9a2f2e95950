import { type MouseEvent, useMemo, useState } from "react";
import {
  type ChangedFile,
  type ChangedLine,
  type ChangedPart,
  lineSigns,
  sayOfFile,
  sayOfLine,
  showHidden,
  type TaskDiff,
} from "../../../contract/task-diff.ts";
import { useReading } from "../../data/use-reading.ts";
import { changeQuery } from "../../page/router.ts";
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
      {wantsAll ? <Whole id={id} file={file} /> : <Lines file={file} />}
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
      <Lines file={whole ?? file} />
      {!whole && <output className="diff-word muted">Reading the rest…</output>}
      {whole && whole.left_out_lines > 0 && (
        <p className="diff-word">{say(whole.left_out_lines, "more line")}: too many to be shown here.</p>
      )}
    </>
  );
}

function Lines({ file: { path, hunks } }: { file: ChangedFile }) {
  if (hunks.length === 0) return null;
  return (
    <section className="diff-lines" aria-label={`Lines of ${showHidden(path)}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div className="diff-scroll" tabIndex={0}>
        <table>
          <thead className="only-spoken">
            <tr>
              <th>Before</th>
              <th>After</th>
              <th>Change</th>
              <th>Line</th>
            </tr>
          </thead>
          {hunks.map((hunk) => (
            <Hunk key={`${hunk.old_start} ${hunk.new_start}`} hunk={hunk} />
          ))}
        </table>
      </div>
    </section>
  );
}

function Hunk({ hunk }: { hunk: ChangedPart }) {
  const first = hunk.lines[0]?.new ?? hunk.lines[0]?.old ?? 1;
  return (
    <tbody>
      {first > 1 && (
        <tr className="diff-where">
          <td colSpan={4}>Line {first}</td>
        </tr>
      )}
      {hunk.lines.map((line) => (
        <Line key={`${line.old} ${line.new}`} line={line} />
      ))}
    </tbody>
  );
}

function Line({ line }: { line: ChangedLine }) {
  const note = sayOfLine(line);
  return (
    <tr data-kind={line.kind}>
      <td className="diff-number">{line.old}</td>
      <td className="diff-number">{line.new}</td>
      <td className="diff-sign">{lineSigns[line.kind]}</td>
      <td className="diff-code">
        {showHidden(line.text)}
        {note !== "" && <span className="diff-end">{note}</span>}
      </td>
    </tr>
  );
}
