/** A workflow in short. */
export interface Summary {
  readonly name: string;
  readonly status: string;
  readonly plan: string;
  readonly tasks: Readonly<Record<string, number>>;
  readonly next: readonly { readonly id: string; readonly name: string }[];
  readonly waiting: readonly { readonly name: string; readonly blocked_by: readonly string[] }[];
  /** For a mission: how far it is, what waits for a person, and what fails. */
  readonly mission?: {
    readonly phase: string;
    readonly blockers: readonly { readonly id: string; readonly description: string }[];
    readonly failing_checks: readonly { readonly name: string; readonly task: string }[];
  };
}

export function markdownOf(summary: Summary): string {
  const counts = Object.entries(summary.tasks).map(([status, number]) => `${number} ${status}`);
  return [
    `# ${inline(summary.name)}`,
    `Status: ${summary.status}${counts.length > 0 ? ` (${counts.join(", ")})` : ""}`,
    ...(summary.mission?.phase ? [`Phase: ${inline(summary.mission.phase)}`] : []),
    ...(summary.plan ? [`Plan: ${inline(summary.plan)}`] : []),
    ...listOf(
      "Waits for a person",
      (summary.mission?.blockers ?? []).map(({ id, description }) => `${inline(description)} (${id})`),
    ),
    ...listOf(
      "Failing checks",
      (summary.mission?.failing_checks ?? []).map(({ name, task }) => `${inline(name)}: after ${inline(task)}`),
    ),
    ...listOf(
      "Next",
      summary.next.map(({ id, name }) => `${inline(name)} (${id})`),
    ),
    ...listOf(
      "Waiting",
      summary.waiting.map(({ name, blocked_by }) => `${inline(name)}: after ${blocked_by.map(inline).join(", ")}`),
    ),
  ].join("\n\n");
}

const listOf = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${line}`).join("\n")];

/** Names are other people's text: a line break in one must not start a heading. */
const inline = (text: string): string => text.replace(/\s+/g, " ");
