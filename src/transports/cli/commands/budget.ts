import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import { resolveId } from "../record.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";

type Budget = AnswerOf<"budget_set"> | AnswerOf<"budget_list">["budgets"][number];

export function addBudgets(shell: Shell): void {
  const group = shell.add({
    name: "budget",
    summary: "Cost limits for developers and tasks",
    examples: ["budget list", "budget set 50 --developer ada", "budget set none --task tk_01jd8"],
  });

  const set = shell
    .add(
      {
        name: "set",
        summary: "Set a limit in dollars, or remove it with none",
        examples: ["budget set 50 --developer ada", "budget set 2.50 --task tk_01jd8"],
      },
      group,
    )
    .argument("<limit>", "dollars, or none")
    .option("--developer <handle>", "limit this developer")
    .option("--task <id>", "limit this task (number, id, beginning of an id, or title)");
  shell.does<{ developer?: string; task?: string }>(set, async (context, { developer, task }, [limit = ""]) => {
    const api = await openApi(context);
    const budget = await api.call("budget_set", {
      limit_usd: readLimit(limit),
      ...(developer === undefined ? {} : { developer }),
      ...(task === undefined ? {} : { task_id: await resolveId(api, "task", task) }),
    });
    answer(context, budget, () => table([rowOf(budget)]));
    return undefined;
  });

  const list = shell.add({ name: "list", summary: "List limits and spending", examples: ["budget list"] }, group);
  shell.does(list, async (context) => {
    const { budgets } = await (await openApi(context)).call("budget_list", {});
    answer(context, { budgets }, () =>
      budgets.length === 0
        ? ["No budgets. Set one with: crewdeck budget set 50 --developer HANDLE"]
        : table(budgets.map(rowOf), {
            screen: context.screen,
            heading: ["FOR", "KIND", "SPENT", "LIMIT", "STATUS"],
            flexible: [0],
          }),
    );
    return undefined;
  });
}

const rowOf = (budget: Budget): string[] => [
  "label" in budget ? budget.label : budget.subject_id,
  budget.kind,
  `$${budget.spent_usd.toFixed(2)}`,
  budget.limit_usd === null ? "none" : `$${budget.limit_usd.toFixed(2)}`,
  budget.passed_at === null ? "ok" : "exceeded",
];

function readLimit(text: string): number | null {
  if (text === "none") return null;
  if (/^\d{1,7}(\.\d{1,9})?$/.test(text)) return Number(text);
  throw new Refusal(
    "INVALID_REQUEST",
    "The limit must be a number of dollars, or none.",
    "For example: crewdeck budget set 50",
  );
}
