import { useMemo } from "react";
import { sayOfFile, showHidden } from "../../../contract/task-diff.ts";
import { useReading } from "../../data/use-reading.ts";
import { DiffLines } from "../../parts/diff-lines.tsx";
import { Show } from "../../parts/states.tsx";
import { instanceDiffReading, sayChanges } from "./instance-model.ts";

/** What the agent has committed, against its base. */
export function InstanceChanges({ id }: { id: string }) {
  const shown = useReading(useMemo(() => instanceDiffReading(id), [id]));
  return (
    <Show
      shown={shown}
      what="changes"
      isEmpty={({ files }) => files.length === 0}
      empty={
        <>
          <p className="strong">No commits yet.</p>
          <p>What the agent commits appears here. Its uncommitted work is in its folder only.</p>
          <p>
            <button type="button" onClick={shown.reload}>
              Refresh
            </button>
          </p>
        </>
      }
    >
      {({ files, files_count: count, files_left: left, base_branch: base }) => (
        <div className="stack">
          <p className="wrap">
            <span className="strong">
              {count} {count === 1 ? "file" : "files"} changed
            </span>
            <span className="number muted">
              {sayChanges(files)} against <span className="mono">{base}</span>
            </span>
            <button type="button" onClick={shown.reload}>
              Refresh
            </button>
          </p>
          {files.map((file) => (
            <details key={file.path} className="instance-file" open={files.length <= 12}>
              <summary className="wrap">
                <span className="mono">{showHidden(file.path)}</span>
                <span className="muted small">
                  {file.change} +{file.added_lines} -{file.deleted_lines}
                </span>
              </summary>
              {sayOfFile(file, "git").map((text) => (
                <p key={text} className="instance-note muted">
                  {text}
                </p>
              ))}
              <DiffLines file={file} />
              {file.left_out_lines > 0 && (
                <p className="instance-note muted">{file.left_out_lines.toLocaleString("en")} more lines</p>
              )}
            </details>
          ))}
          {left > 0 && <p className="muted">{left} more files are not shown.</p>}
        </div>
      )}
    </Show>
  );
}
