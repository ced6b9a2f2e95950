import {
  type ChangedFile,
  type ChangedLine,
  type ChangedPart,
  lineSigns,
  sayOfLine,
  showHidden,
} from "../../contract/task-diff.ts";
import "./diff-lines.css";

/** The changed lines of a file with those around them, each with its numbers and its sign. */
export function DiffLines({ file: { path, hunks } }: { file: ChangedFile }) {
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
