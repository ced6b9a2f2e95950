import { useMemo } from "react";
import type { AnswerOf } from "../../../tools/calls.ts";
import { callTool } from "../../data/api.ts";
import { type Reading, readAgain } from "../../data/store.ts";
import { repositoryName } from "../../data/task.ts";
import { useReading } from "../../data/use-reading.ts";
import { Copied } from "../../parts/command.tsx";
import { Link } from "../../parts/link.tsx";
import { isAboutPulls, type PullLine } from "./pull-model.ts";

type Order = AnswerOf<"merge_order">;

/** For each repository and base with several open pull requests, in which order they go in best. */
export function MergeOrders({ pulls }: { pulls: readonly PullLine[] }) {
  const open = pulls.filter(({ status }) => status === "open");
  const keyOf = ({ repository, base }: PullLine): string => `${repository}\n${base}`;
  return [...new Set(open.map(keyOf))].map((key) => {
    const its = open.filter((pull) => keyOf(pull) === key);
    return its.length < 2 ? null : <MergeOrder key={key} pulls={its} />;
  });
}

/** A list without it is still a list. */
function MergeOrder({ pulls }: { pulls: readonly PullLine[] }) {
  const { repository = "", base = "" } = pulls[0] ?? {};
  const branches = pulls.map(({ branch }) => branch).join("\n");
  const reading = useMemo(() => orderReading(repository, base, branches.split("\n")), [repository, base, branches]);
  const { value } = useReading(reading);
  if (!value || value.steps.length < 2) return null;
  const find = (branch: string): PullLine | undefined => pulls.find((pull) => pull.branch === branch);
  return (
    <section className="card stack" aria-label={`Merge order of ${repositoryName(repository)} into ${base}`}>
      <h2>Merge order into {base}</h2>
      <ol className="pulls-order">
        {value.steps.map((step) => (
          <li key={step.branch}>
            <PullName pull={find(step.branch)} branch={step.branch} />{" "}
            <span className="muted small">{sayStep(step, value.base, (branch) => numberOf(find(branch), branch))}</span>
            {step.command !== null && <Copied text={step.command} />}
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

const orderReading = (repository: string, base: string, branches: readonly string[]): Reading<Order> => ({
  key: `merge-order:${repository}:${base}:${branches.join("\n")}`,
  load: () => callTool("merge_order", { repository_path: repository, base, branches: branches.slice(0, 50) }),
  applyEvent: (order, event) => (isAboutPulls(event) ? readAgain : order),
});
