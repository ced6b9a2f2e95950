import type { ReactNode } from "react";
import { privateName } from "../data/names.ts";
import { StatusMark } from "./status-mark.tsx";
import { Who } from "./who.tsx";
import { WorkLink } from "./work-link.tsx";
import "./compare.css";

/** A piece of work on one side of a comparison. What is not known is null. */
export interface Work {
  readonly id: string | null;
  readonly type: string;
  readonly title: string;
  readonly owner: string;
  readonly agent_id?: string | null;
  /** Its name, where its id is not known. */
  readonly agent?: string | null;
  readonly status: string;
  readonly scope?: string | null;
  readonly description?: string | null;
  readonly action?: string | null;
  readonly component?: string | null;
  readonly repo?: string | null;
  readonly branch?: string | null;
  readonly target_files?: readonly string[];
}

interface CompareProps {
  /** What the table is about, for those who hear it. */
  readonly label: string;
  readonly left: { readonly heading: string; readonly work: Work };
  readonly right: { readonly heading: string; readonly work: Work };
  readonly sharedFiles: readonly string[];
}

/** Two pieces of work side by side; what both say alike is marked by a word, not by colour. */
export function Compare({ label, left, right, sharedFiles }: CompareProps) {
  const shared = new Set(sharedFiles);
  const isPrivate = right.work.owner === privateName;
  return (
    <table className="compare">
      <caption className="only-spoken">{label}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="only-spoken">Field</span>
          </th>
          <th scope="col">{left.heading}</th>
          <th scope="col">{right.heading}</th>
        </tr>
      </thead>
      <tbody>
        <Row
          name="Title"
          left={<Title work={left.work} />}
          right={<Title work={right.work} />}
          isSame={left.work.title === right.work.title}
        />
        <Row name="Owner" left={left.work.owner} right={right.work.owner} />
        {(isTaken(left.work) || isTaken(right.work)) && (
          <Row name="Agent" left={<AgentOf work={left.work} />} right={<AgentOf work={right.work} />} />
        )}
        <Row
          name="Status"
          left={<StatusMark status={left.work.status} />}
          right={<StatusMark status={right.work.status} />}
        />
        {rows.map(([name, key]) => (
          <TextRow key={key} name={name} left={left.work[key]} right={right.work[key]} isPrivate={isPrivate} />
        ))}
        <FileRow
          left={left.work.target_files ?? []}
          right={right.work.target_files ?? []}
          shared={shared}
          isPrivate={isPrivate}
        />
      </tbody>
    </table>
  );
}

const isTaken = ({ agent_id, agent }: Work): boolean => Boolean(agent_id || agent);

const AgentOf = ({ work: { agent_id, agent } }: { work: Work }) =>
  agent_id ? <Who id={agent_id} /> : agent ? <span>{agent}</span> : <Nothing />;

const rows = [
  ["Scope", "scope"],
  ["Description", "description"],
  ["Action", "action"],
  ["Component", "component"],
  ["Repository", "repo"],
  ["Branch", "branch"],
] as const;

/** Of what is not known of both sides nothing can be said. */
function TextRow({ name, left, right, isPrivate }: { name: string; left: Said; right: Said; isPrivate: boolean }) {
  if (left === undefined || right === undefined || !(left || right)) return null;
  return (
    <Row
      name={name}
      left={left || <Nothing />}
      right={right || <Nothing isPrivate={isPrivate} />}
      isSame={left === right}
    />
  );
}

type Said = string | null | undefined;

interface RowProps {
  readonly name: string;
  readonly left: ReactNode;
  readonly right: ReactNode;
  readonly isSame?: boolean;
}

function Row({ name, left, right, isSame = false }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <span className="compare-name">
          {name} {isSame && <span className="chip">same</span>}
        </span>
      </th>
      <td>{left}</td>
      <td>{right}</td>
    </tr>
  );
}

interface FileRowProps {
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly shared: ReadonlySet<string>;
  readonly isPrivate: boolean;
}

function FileRow({ left, right, shared, isPrivate }: FileRowProps) {
  if (left.length + right.length === 0) return null;
  return (
    <Row
      name="Files"
      left={<Files files={left} shared={shared} />}
      right={<Files files={right} shared={shared} isPrivate={isPrivate} />}
    />
  );
}

function Files(props: { files: readonly string[]; shared: ReadonlySet<string>; isPrivate?: boolean }) {
  const { files, shared, isPrivate = false } = props;
  if (files.length === 0) return <Nothing isPrivate={isPrivate} />;
  return (
    <ul className="compare-files">
      {files.map((file) => (
        <li key={file}>
          <code>{file}</code>
          {shared.has(file) && <span className="chip">both</span>}
        </li>
      ))}
    </ul>
  );
}

function Title({ work }: { work: Work }) {
  const to = work.id === null ? undefined : work.type === "task" ? `/tasks/${work.id}` : `/workflows/${work.id}`;
  return <span className="strong">{to ? <WorkLink to={to} name={work.title} /> : work.title}</span>;
}

/** What somebody private said is not shown; that is not the same as nothing. */
const Nothing = ({ isPrivate = false }: { isPrivate?: boolean }) => (
  <span className="muted">{isPrivate ? "private" : "—"}</span>
);

/** How alike, in words and as a bar; why, and why it nevertheless stops nobody. */
export function Likeness(props: { score: number; reasons: readonly string[]; suppressedBy?: string | null }) {
  const { score, reasons, suppressedBy } = props;
  const percent = Math.round(score * 100);
  return (
    <div className="likeness">
      <span className="likeness-score strong">{sayMatch(score)}</span>
      <span className="muted small number">score {percent}%</span>
      <span className="likeness-bar" aria-hidden="true">
        <span style={{ width: `${percent}%` }} />
      </span>
      {reasons.length > 0 && (
        <ul className="likeness-reasons wrap small" aria-label="Why">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {suppressedBy && <span className="chip">{saySuppression(suppressedBy)}</span>}
    </div>
  );
}

/** A score is no share of sameness: it is said in words, and the figure stands beside them. */
export const sayMatch = (score: number): string =>
  score >= 0.75 ? "Likely duplicate" : score >= 0.5 ? "Possible duplicate" : "Weak match";

const suppressions: Readonly<Record<string, string>> = {
  closed: "no decision needed: closed",
  same_session: "no decision needed: same session",
  opposed_action: "no decision needed: opposite actions",
  different_component: "no decision needed: different component",
  low_information: "no decision needed: too little text",
  different_numbers: "no decision needed: different numbers",
  opposed_words: "no decision needed: opposite wording",
  different_work: "no decision needed: different work",
  template_sibling: "no decision needed: same template",
};

export const saySuppression = (word: string): string =>
  suppressions[word] ?? `no decision needed: ${word.replaceAll("_", " ")}`;
