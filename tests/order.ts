import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They take longest, most of it waiting for a program, a browser or a limit of ours; begun last, they would be waited for alone. */
export const long = [
  "repository/fresh-clone",
  "workflow/story",
  "bridge/calls",
  "crash/kill",
  "attack/private",
  "forecast/killed",
  "attack/owner-scope",
  "deck/decide",
  "deck/tour",
  "bridge/server",
  "worktree/vault-property",
  "cli/commands",
  "attack/wire",
  "review/model",
  "review/ends",
  "worktree/removal",
  "deck/board",
  "domain/mailbox-model",
  "worktree/crash",
  "crash/power",
  "attack/text",
  "mission/evidence",
].map((name) => `tests/${name}.test.ts`);

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = long.findIndex((name) => moduleId.endsWith(`/${name}`));
  return place < 0 ? long.length : place;
};

/**
 * Project after project, because a process is not kept for the next file when that is of another project; in each the
 * long ones first, in the order above, and the others as Vitest has them.
 */
export class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))].sort();
    const turnOf = ({ project }: TestSpecification): number => projects.indexOf(project.name);
    return sorted.sort((one, other) => turnOf(one) - turnOf(other) || placeOf(one) - placeOf(other));
  }
}
