import { useMemo, useState } from "react";
import { callTool } from "../../data/api.ts";
import { useReading } from "../../data/use-reading.ts";
import type { ViewProps } from "../../page/router.ts";
import { TextField } from "../../parts/field.tsx";
import { Link } from "../../parts/link.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Page } from "../../parts/page.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { Comments, PullFile } from "./pull-file.tsx";
import { commentsElsewhere, markOf, type PullDetail, pullDiffReading, pullReading, sayState } from "./pull-model.ts";
import "./pulls.css";

/** A local pull request: what it brings, what was said about it, and the decision. */
export function PullView({ params }: ViewProps) {
  const number = Number(params["id"]);
  const shown = useReading(useMemo(() => pullReading(number), [number]));
  return (
    <Page title={`Pull request #${number}`} note={<Link to="/pulls">All pull requests</Link>}>
      <Show shown={shown} what="the pull request" isEmpty={() => false} empty={null}>
        {(pull) => <Whole number={number} pull={pull} />}
      </Show>
    </Page>
  );
}

function Whole({ number, pull }: { number: number; pull: PullDetail }) {
  const diff = useReading(useMemo(() => pullDiffReading(number), [number]));
  const canDecide = pull.status === "open";
  return (
    <div className="stack pulls">
      <section className="card pulls-head">
        <h2>{pull.title}</h2>
        <p className="wrap">
          <StatusMark status={markOf(pull)} label="spoken" />
          <span>{sayState(pull)}</span>
          <span className="muted">
            <span className="mono">{pull.branch}</span> into <span className="mono">{pull.base}</span> ·{" "}
            {pull.developer} · <TimeAgo at={pull.updated_at} />
          </span>
        </p>
        {pull.problem !== null && <p className="pulls-problem">{pull.problem}</p>}
        {pull.description !== "" && <Markdown text={pull.description} />}
        {pull.current !== null && <Current now={pull.current} />}
      </section>
      {canDecide && <Decide number={number} pull={pull} />}
      <Comments comments={commentsElsewhere(pull.comments, diff.value)} />
      <Show shown={diff} what="changes" isEmpty={(value) => value.files.length === 0} empty={<p>No files changed.</p>}>
        {({ files, files_left }) => (
          <section className="stack" aria-label="Changed files">
            {files.map((file) => (
              <PullFile key={file.path} number={number} file={file} comments={pull.comments} canComment={canDecide} />
            ))}
            {files_left > 0 && (
              <p className="muted">
                {files_left} more files: crewdeck pr diff {number}
              </p>
            )}
          </section>
        )}
      </Show>
    </div>
  );
}

function Current({ now }: { now: NonNullable<PullDetail["current"]> }) {
  return (
    <p className="muted small">
      {now.ahead} {now.ahead === 1 ? "commit" : "commits"}, {now.files.length}{" "}
      {now.files.length === 1 ? "file" : "files"}
      {now.behind > 0 && `, ${now.behind} behind its base`}
      {now.conflicts.length > 0 && <span className="pulls-problem"> · Conflicts: {now.conflicts.join(", ")}</span>}
    </p>
  );
}

const methods = [
  ["merge", "Merge"],
  ["squash", "Squash and merge"],
  ["rebase", "Rebase and merge"],
] as const;

function Decide({ number, pull }: { number: number; pull: PullDetail }) {
  const [summary, setSummary] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [resolved, setResolved] = useState<readonly string[]>([]);
  const open = pull.comments.filter(({ item_id: item, done }) => item !== null && !done);
  const unsent = pull.comments.filter(({ sent }) => !sent).length;
  async function act(body: () => Promise<unknown>, done: string): Promise<void> {
    setIsBusy(true);
    if (await attempt(body, done)) {
      setSummary("");
      setResolved([]);
    }
    setIsBusy(false);
  }
  return (
    <section className="card stack" aria-label="Decision">
      <div className="wrap">
        {methods.map(([method, label], at) => (
          <button
            key={method}
            type="button"
            className={at === 0 ? "primary" : undefined}
            disabled={isBusy || pull.current?.mergeable === false}
            onClick={() => act(() => callTool("pull_merge", { number, method }), `Merged #${number}.`)}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          disabled={isBusy}
          onClick={() => act(() => callTool("pull_close", { number }), `Closed #${number}. The branch stays.`)}
        >
          Close
        </button>
      </div>
      {open.length > 0 && (
        <fieldset className="stack">
          <legend>Done since you asked</legend>
          {open.map(({ id, item_id: item, body }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={resolved.includes(item ?? "")}
                onChange={({ target }) =>
                  setResolved([...resolved.filter((one) => one !== item), ...(target.checked && item ? [item] : [])])
                }
              />{" "}
              {item} {body.split("\n")[0]}
            </label>
          ))}
        </fieldset>
      )}
      <TextField label="What should change" value={summary} onChange={setSummary} />
      <div className="wrap">
        <button
          type="button"
          disabled={isBusy || (summary.trim() === "" && unsent === 0)}
          onClick={() =>
            act(() => callTool("pull_send_back", { number, summary, resolved_items: [...resolved] }), "Sent back.")
          }
        >
          Request changes{unsent > 0 && ` with ${unsent} ${unsent === 1 ? "comment" : "comments"}`}
        </button>
        <button
          type="button"
          disabled={isBusy || summary.trim() === ""}
          onClick={() => act(() => callTool("pull_comment", { number, body: summary }), "Comment added.")}
        >
          Comment
        </button>
      </div>
    </section>
  );
}
