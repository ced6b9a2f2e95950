import type { Similar } from "../data/similar.ts";
import { StatusMark } from "./status-mark.tsx";
import { WorkLink } from "./work-link.tsx";
import "./similar-list.css";

/** The nearest other work, to look at: the reader is the best judge of whether it is the same. */
export const SimilarList = ({ similar }: { similar: readonly Similar[] }) => (
  <ul className="similar" aria-label="Nearest work">
    {similar.map((one) => (
      <li key={one.id}>
        <span className="wrap">
          <StatusMark status={one.status} label="spoken" />
          <WorkLink to={`/${one.type === "task" ? "tasks" : "workflows"}/${one.id}`} name={one.title} />
        </span>
        <span className="muted small">{[one.agent, one.owner, one.reason].filter(Boolean).join(" · ")}</span>
      </li>
    ))}
  </ul>
);
