import { EventLine } from "../../parts/event-line.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { type Checkpoint, type TaskStory, timelineOf } from "./task-model.ts";

/** What happened to a task and what was noted on it, newest first. */
export function TaskTimeline({ story }: { story: TaskStory }) {
  return (
    <ol className="task-timeline">
      {timelineOf(story).map((moment) =>
        moment.kind === "event" ? (
          <li key={moment.event.cursor} className="task-moment">
            <EventLine event={moment.event} isAlone />
          </li>
        ) : (
          <li key={moment.note.id}>
            <Note note={moment.note} />
          </li>
        ),
      )}
    </ol>
  );
}

function Note({ note }: { note: Checkpoint }) {
  return (
    <article className="card task-note" data-old={note.superseded}>
      <p className="wrap small muted">
        <span className="strong">{note.type}</span>
        <TimeAgo at={note.created_at} />
        {note.superseded && <span>from an earlier plan</span>}
      </p>
      <Markdown text={note.summary} />
      {note.files_changed.length > 0 && <p className="small mono muted">{note.files_changed.join(", ")}</p>}
    </article>
  );
}
