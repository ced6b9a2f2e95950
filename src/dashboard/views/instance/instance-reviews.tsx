import { callTool } from "../../data/api.ts";
import { Link } from "../../parts/link.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { attempt } from "../../parts/toast.tsx";
import { type Feedback, type InstanceDetail, sayFeedback, sayOutcome } from "./instance-model.ts";

/** The rounds of review, the newest first, each with what the reviewer said. */
export function InstanceReviews({ instance }: { instance: InstanceDetail }) {
  const { rounds, feedback, round_limit: limit } = instance;
  const isCoder = instance.type === "coding";
  const isUsedUp = isCoder && rounds.length >= limit;
  if (rounds.length === 0) return <p className="muted">No review yet.</p>;
  return (
    <div className="stack">
      {isUsedUp && (
        <div className="instance-limit wrap">
          <span>
            {rounds.length} of {limit} reviews used.
          </span>
          {instance.can_steer && (
            <button
              type="button"
              onClick={() =>
                attempt(() => callTool("review_grant", { id: instance.id }), "One more review is allowed.")
              }
            >
              Allow one more
            </button>
          )}
        </div>
      )}
      <ol className="stack">
        {rounds.toReversed().map((round) => (
          <li key={round.review_instance_id} className="card stack">
            <p className="wrap">
              <span className="strong">Round {round.review_iteration}</span>
              <span>{sayOutcome(round)}</span>
              <span className="muted small">
                <TimeAgo at={round.ended_at ?? round.requested_at} />
              </span>
              {isCoder && <Link to={`/instances/${round.review_instance_id}`}>{round.review_instance_id}</Link>}
            </p>
            {feedback
              .filter((one) => one.review_instance_id === round.review_instance_id)
              .map((one) => (
                <Said key={one.feedback_id} feedback={one} />
              ))}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Said({ feedback }: { feedback: Feedback }) {
  return (
    <div className="stack">
      <p className="wrap small">
        <span className="chip" data-tone={feedback.feedback_type === "needs_work" ? "attention" : undefined}>
          {sayFeedback(feedback)}
        </span>
        {feedback.priority && <span className="muted">{feedback.priority} priority</span>}
      </p>
      <Markdown text={feedback.feedback} />
      {feedback.actionable_items.length > 0 && (
        <ul className="instance-items">
          {feedback.actionable_items.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said once is never rearranged.
            <li key={place}>
              <span>{item.description}</span>
              <span className="muted small">
                {item.location && <code>{item.location}</code>} {item.priority}
              </span>
              {item.suggestion && <p className="muted small">{item.suggestion}</p>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
