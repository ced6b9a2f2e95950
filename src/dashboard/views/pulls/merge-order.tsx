import { useMemo } from "react";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { repositoryName } from "../../data/task.ts";
import { useReading } from "../../data/use-reading.ts";
import { Link } from "../../parts/link.tsx";
import { isAboutPulls, type PullLine } from "./pull-model.ts";

type Order = AnswerOf<"merge_order">;

/** For each repository with several open pull requests, in which order they go in best. */
export function MergeOrders({ pulls }: { pulls: readonly PullLine[] }) {
  const open = pulls.filter(({ status }) => status === "open");
  const repositories = [...new Set(open.map(({ repository }) => repository))];
  return repositories.map((repository) => {
    const its = open.filter((pull) => pull.repository === repository);
    return its.length < 2 ? null : <MergeOrder key={repository} repository={repository} pulls={its} />;
  });
}

/** A list without it is still a list. */
function MergeOrder({ repository, pulls }: { repository: string; pulls: readonly PullLine[] }) {
  const branches = pulls.map(({ branch }) => branch).join("\n");
  const { value } = useReading(useMemo(() => orderReading(repository, branches.split("\n")), [repository, branches]));
  if (!value || value.steps.length < 2) return null;
  const find = (branch: string): PullLine | undefined => pulls.find((pull) => pull.branch === branch);
  return (
    <section className="card stack" aria-label={`Merge order of ${repositoryName(repository)}`}>
      <h2>Merge order</h2>
      <ol className="pulls-order">
        {value.steps.map((step) => (
          <li key={step.branch}>
            <PullName pull={find(step.branch)} branch={step.branch} />{" "}
            <span className="muted small">{sayStep(step, value.base, (branch) => numberOf(find(branch), branch))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const PullName = ({ pull, branch }: { pull: PullLine | undefined; branch: string }) =>
  pull?.number ? <Link to={`/pulls/${pull.number}`}>{`#${pull.number} ${pull.title}`}</Link> : branch;

const numberOf = (pull: PullLine | undefined, branch: string): string => (pull?.number ? `#${pull.number}` : branch);

function sayStep(
  { verdict, conflicts, against }: Order["steps"][number],
  base: Order["base"],
  nameOf: (branch: string) => string,
): string {
  if (verdict === "clean") return "merges cleanly";
  if (verdict === "unknown") return "couldn’t be tried";
  const rivals = against.length === 0 ? base : against.map(nameOf).join(", ");
  return `conflicts with ${rivals}: ${conflicts.join(", ")}`;
}

const orderReading = (repository: string, branches: readonly string[]): Reading<Order> => ({
  key: `merge-order:${repository}:${branches.join("\n")}`,
  load: () => callTool("merge_order", { repository_path: repository, branches: branches.slice(0, 50) }),
  applyEvent: (order, event) => (isAboutPulls(event) ? readAgain : order),
});
