import { inert } from "./inert.ts";
import type { Sections, Summary } from "./summary.ts";

/** A week of the team to read. Sections that are empty are named all the same: nothing was forgotten. */
export function summaryMarkdown(sections: Sections, { since, until, recoveries }: Week): string {
  const { blocked, blockers, agent_sessions: sessions, parallel_audits: audits } = sections;
  return [
    `# Week from ${since.slice(0, 10)} to ${until.slice(0, 10)}`,
    ...part("Completed work", sections.completed, ({ result_summary, ...work }) => [
      `${workLine(work)}${result_summary === null ? "" : `: ${inert(result_summary)}`}`,
    ]),
    ...part("Active work", sections.active, (work) => [workLine(work)]),
    ...part("Planned work", sections.planned, (work) => [workLine(work)]),
    ...part(
      "Blockers",
      { items: [...blocked.items, ...blockers.items], total: blocked.total + blockers.total },
      (item) => ["text" in item ? noteLine(item) : workLine(item)],
    ),
    ...part("Decisions", sections.decisions, (note) => [noteLine(note)]),
    ...part("Overlap warnings", sections.overlap_warnings, (warning) => [
      `${inert(warning.title)} (${inert(warning.developer)}, ${warning.status}, like ${warning.matches} ${warning.matches === 1 ? "other" : "others"})`,
    ]),
    ...part("Parallel audits", audits, (audit) => [
      `${audit.created_at.slice(0, 10)}: ${audit.conflicts.length + audit.omitted} possible duplicates, ${audit.compared} compared`,
      ...audit.conflicts
        .slice(0, 5)
        .map(
          ({ one, other }) =>
            `  ${inert(one.title)} and ${inert(other.title)} (${inert(one.developer)}, ${inert(other.developer)})`,
        ),
    ]),
    ...part("Agent sessions", sessions, (session) => [
      `${inert(session.agent_name)} (${inert(session.developer)}, ${session.status}), last seen ${minuteOf(session.last_seen_at)}`,
    ]),
    ...recovered(recoveries),
  ].join("\n\n");
}

type Week = Pick<Summary, "since" | "until" | "recoveries">;

/** A figure for each, of all that there was to get back. */
function recovered(recoveries: Week["recoveries"]): string[] {
  if (recoveries === undefined) return [];
  const { count, decisions, files, next_steps: steps } = recoveries;
  const lines = [
    ["decisions", decisions],
    ["files", files],
    ["next steps", steps],
  ] as const;
  const said = lines.flatMap(([name, { kept, all }]) => (all === 0 ? [] : [`- ${kept} of ${all} ${name}`]));
  return [`## Recovered contexts (${count})`, said.length === 0 ? "Nothing to get back." : said.join("\n")];
}

interface Part<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** The first line of an item begins a bullet, the others go on below it. */
function part<Item>(title: string, { items, total }: Part<Item>, linesOf: (item: Item) => readonly string[]): string[] {
  const lines = items.flatMap((item) => {
    const [first = "", ...rest] = linesOf(item);
    return [`- ${first}`, ...rest.map((line) => `  - ${line.trim()}`)];
  });
  const left = total - items.length;
  if (left > 0) lines.push(`- and ${left} more`);
  return [`## ${title} (${total})`, lines.length === 0 ? "None." : lines.join("\n")];
}

const workLine = (work: { title: string; developer: string; type: string }): string =>
  `${inert(work.title)} (${work.type === "task" ? "" : `${work.type}, `}${inert(work.developer)})`;

const noteLine = (note: { text: string; developer: string }): string =>
  `${inert(note.text)} (${inert(note.developer)})`;

const minuteOf = (time: string): string => time.replace("T", " ").slice(0, 16);
