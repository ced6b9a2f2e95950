import { useState } from "react";
import { type ChangedFile, type ChangedLine, lineSigns, sayOfFile, showHidden } from "../../../contract/task-diff.ts";
import { callTool } from "../../data/api.ts";
import { TextField } from "../../parts/field.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { attempt } from "../../parts/toast.tsx";
import { commentsAt, type PullComment, spotOf } from "./pull-model.ts";

interface PullFileProps {
  readonly number: number;
  readonly file: ChangedFile;
  readonly comments: readonly PullComment[];
  readonly canComment: boolean;
}

/** A changed file, line by line; each line can be commented on. */
export function PullFile({ number, file, comments, canComment }: PullFileProps) {
  const [at, setAt] = useState<string>();
  const { path, hunks, change, added_lines: added, deleted_lines: deleted } = file;
  const notes = sayOfFile(file, "git");
  return (
    <details className="pulls-file" open>
      <summary>
        <span className="mono pulls-path">{showHidden(path)}</span>
        <span className="muted small">
          {change} +{added} -{deleted}
        </span>
      </summary>
      {notes.map((text) => (
        <p key={text} className="muted small">
          {text}
        </p>
      ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="pulls-scroll" tabIndex={0} aria-label={`Lines of ${showHidden(path)}`}>
        <table>
          <thead className="only-spoken">
            <tr>
              <th>Number</th>
              <th>Change</th>
              <th>Line</th>
            </tr>
          </thead>
          <tbody>
            {hunks.flatMap(({ lines }) =>
              lines.map((line) => {
                const key = `${line.old} ${line.new}`;
                return (
                  <Line
                    key={key}
                    line={line}
                    comments={commentsAt(comments, { path, ...spotOf(line) })}
                    isAsked={at === key}
                    canComment={canComment}
                    onTurn={() => setAt(at === key ? undefined : key)}
                    onSend={(body) => send(number, path, line, body).then((isSent) => isSent && setAt(undefined))}
                  />
                );
              }),
            )}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const send = (number: number, path: string, line: ChangedLine, body: string): Promise<boolean> =>
  attempt(() => callTool("pull_comment", { number, body, path, ...spotOf(line) }), "Comment added.");

interface LineProps {
  readonly line: ChangedLine;
  readonly comments: readonly PullComment[];
  readonly isAsked: boolean;
  readonly canComment: boolean;
  onTurn(): void;
  onSend(body: string): void;
}

function Line({ line, comments, isAsked, canComment, onTurn, onSend }: LineProps) {
  const [body, setBody] = useState("");
  const { line: number } = spotOf(line);
  return (
    <>
      <tr data-kind={line.kind}>
        <td className="pulls-number">
          {canComment ? (
            <button type="button" className="quiet" aria-label={`Comment on line ${number}`} onClick={onTurn}>
              {number}
            </button>
          ) : (
            number
          )}
        </td>
        <td className="pulls-sign">{lineSigns[line.kind]}</td>
        <td className="pulls-code">{showHidden(line.text)}</td>
      </tr>
      {(comments.length > 0 || isAsked) && (
        <tr>
          <td colSpan={3} className="pulls-said">
            <Comments comments={comments} />
            {isAsked && (
              <div className="stack">
                <TextField label={`Comment on line ${number}`} value={body} onChange={setBody} />
                <div className="wrap">
                  <button type="button" className="primary" disabled={body.trim() === ""} onClick={() => onSend(body)}>
                    Comment
                  </button>
                  <button type="button" onClick={onTurn}>
                    Cancel
                  </button>
                </div>
              </div>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

export function Comments({ comments }: { comments: readonly PullComment[] }) {
  if (comments.length === 0) return null;
  return (
    <ul className="pulls-comments">
      {comments.map(({ id, developer, path, line, body, sent, item_id: item, done }) => (
        <li key={id}>
          <span className="small muted">
            {developer}
            {path !== null && ` · ${path}${line === null ? "" : `:${line}`}`}
            {sent && " · sent"}
            {item !== null && ` · ${item} ${done ? "done" : "open"}`}
          </span>
          <Markdown text={body} />
        </li>
      ))}
    </ul>
  );
}
