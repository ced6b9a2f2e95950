import { z } from "zod";
import { Refusal } from "../../../contract/refusal.ts";
import { listOccupantsOf } from "../../../domain/context/collision-operations.ts";
import type { MergeOrder } from "../../../domain/forecast/operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { locateRepository } from "../../../domain/project/locate-operations.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "merge_order",
  family: "person",
  title: "Find a merge order",
  summary: "See in which order finished branches merge cleanly, or with the fewest conflicts.",
  effect: "read",
  callers: ["person"],
  input: z.object({
    repository_path: z.string().min(1).max(4_096).optional().describe("A folder of the repository."),
    branches: z
      .array(z.string().min(1).max(255))
      .min(1)
      .max(50)
      .optional()
      .describe("The branches to merge. By default, all that are checked out in a worktree."),
    base: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe("The branch to merge into. By default, the repository's main branch."),
  }),
  output: z.object({
    repository: z.string(),
    base: z.string().nullable().describe("The branch that they are merged into."),
    steps: z.array(
      z.object({
        branch: z.string(),
        verdict: z
          .enum(["clean", "conflict", "unknown"])
          .describe("Merges cleanly after the steps before it; has to be rebased first; not tried."),
        conflicts: z.array(z.string()).describe("The files in conflict."),
        against: z
          .array(z.string())
          .describe("Branches before it that it conflicts with; none where that is the base."),
        command: z
          .string()
          .nullable()
          .describe("For a conflict: the rebase it needs once the branches it conflicts with are merged."),
      }),
    ),
    left_out: z.number().int().describe("Branches beyond the first fifty."),
  }),
  refusals: ["INVALID_REQUEST", "FORBIDDEN", "GIT_ERROR"],
  examples: [{ title: "what is checked out", input: {} }],
  async observe({ repository_path, branches, base }, look) {
    const { root } = await locateRepository(look, repository_path);
    const order = await look.ports.forecast.order({ folder: root, branches, base }, look.signal);
    const [missing] = base !== undefined && order.base === null ? [base] : order.missing;
    if (missing !== undefined) {
      throw new Refusal("INVALID_REQUEST", `There is no branch \`${missing}\`.`, "List them with `git branch`.");
    }
    return order;
  },
  async handle(_input, work, order) {
    const viewer = await readViewer(work);
    const occupants = await listOccupantsOf(work, order);
    const nameOf = (branch: string): string => {
      const occupant = occupants.get(branch);
      return occupant === undefined ? branch : viewer.of(occupant).title(branch);
    };
    const isKnown = (branch: string): boolean => {
      const occupant = occupants.get(branch);
      return occupant === undefined || viewer.knows(occupant);
    };
    const isOpen = (branches: readonly string[]): boolean =>
      viewer.between(branches.map((branch) => occupants.get(branch) ?? null)) === "all";
    return {
      repository: order.repositoryPath,
      base: order.base?.branch ?? null,
      steps: order.steps.map(({ branch, verdict, conflicts, against }) => ({
        branch: nameOf(branch),
        verdict,
        conflicts: isOpen([branch, ...against]) ? [...conflicts] : [],
        against: against.map(nameOf),
        command: verdict === "conflict" && isKnown(branch) ? rebaseOf(order, branch) : null,
      })),
      left_out: order.leftOut,
    };
  },
});

/** Where the branch is checked out, there; git refuses to move it from anywhere else. */
function rebaseOf({ base, checkedOut }: MergeOrder, branch: string): string | null {
  if (base === null) return null;
  const folder = checkedOut.find((one) => one.branch === branch)?.path;
  return folder === undefined
    ? `git rebase ${quote(base.ref)} ${quote(branch)}`
    : `git -C ${quote(folder)} rebase ${quote(base.ref)}`;
}

/** Names of folders and branches are anything; in single quotes a shell takes them as they are. */
const quote = (text: string): string => (/^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
