import { useState } from "react";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";
import { Link } from "../../parts/link.tsx";
import { attempt } from "../../parts/toast.tsx";
import { isDoubtful, levelWords, type ReceiptLine } from "./mission-model.ts";

/** What git says a task changed, and how much of it is more than the agent's word. */
export function Receipt({ taskId, receipt }: { taskId: string; receipt: ReceiptLine }) {
  const [verified, setVerified] = useState<AnswerOf<"task_verify">>();
  const verify = () => void attempt(async () => setVerified(await callTool("task_verify", { task_id: taskId })));
  const files = verified ? Object.keys(verified.files) : receipt.files_changed;
  return (
    <details
      className="mission-receipt"
      open={isDoubtful(receipt)}
      onToggle={(event) => event.currentTarget.open && !verified && verify()}
    >
      <summary className="small">
        <span className="chip" data-tone={isDoubtful(receipt) ? "danger" : undefined}>
          {receipt.level}
        </span>{" "}
        {receipt.files_changed_count} {receipt.files_changed_count === 1 ? "file" : "files"} changed
        {!receipt.scope_match && <span className="mission-unexpected"> · out of scope</span>}
        {verified?.is_stale && <span className="mission-stale"> · changed since</span>}
      </summary>
      <p className="muted small">
        {levelWords[receipt.level]}
        {receipt.tests_status && ` · tests reported as ${receipt.tests_status.replaceAll("_", " ")}`}
      </p>
      <ul className="mission-files mono small">
        {files.map((file) => (
          <li key={file}>
            <Link to={`/tasks/${taskId}?tab=changes&file=${encodeURIComponent(file)}`}>{file}</Link>
            {verified?.files[file] === null && <span className="muted"> deleted</span>}
            {verified?.unexpected_files.includes(file) && <span className="mission-unexpected"> out of scope</span>}
            {verified?.stale_files.includes(file) && <span className="mission-stale"> changed since</span>}
          </li>
        ))}
      </ul>
      {receipt.files_changed_count > 0 && (
        <p className="small">
          <Link to={`/tasks/${taskId}?tab=changes`}>Show the diff</Link>
        </p>
      )}
      {receipt.failing_checks.map((check) => (
        <div key={check.name}>
          <p className="small mission-unexpected">{check.name} failed</p>
          <pre className="small">{check.last_lines}</pre>
        </div>
      ))}
    </details>
  );
}
