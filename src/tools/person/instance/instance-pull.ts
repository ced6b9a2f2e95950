import { z } from "zod";
import { InstanceId, PullId } from "../../../contract/ids.ts";
import { lookAtWorkOf, openPullOf } from "../../../domain/context/behalf-operations.ts";
import { readOpening } from "../../../domain/pull/operations.ts";
import { defineTool } from "../../define.ts";
import { openRefusals } from "../voice/pull.ts";

export default defineTool({
  name: "instance_pull",
  family: "person",
  title: "Open a pull request for an agent",
  summary: "Open a pull request for what an instance has committed, as it could itself.",
  guidance: "Its work must be committed. Comments and requests for changes go to that agent.",
  effect: "create",
  callers: ["person"],
  input: z.object({
    id: InstanceId.describe("The instance."),
    title: z.string().trim().min(1).max(256).describe("What it does, in a line."),
    description: z.string().max(60_000).default("").describe("What a reviewer should know."),
    base_branch: z.string().min(1).max(250).optional().describe("The branch to merge into; its own base if left out."),
  }),
  output: z.object({
    pull_id: PullId,
    number: z.number().int(),
    url: z.string(),
    is_local: z.boolean().describe("Decided in Crewdeck, not on a code host."),
  }),
  refusals: [...openRefusals, "INSTANCE_NOT_FOUND", "FORBIDDEN"],
  examples: [{ title: "for its branch", needs: "launcher", input: { id: "$instance", title: "Add a login page" } }],
  observe: ({ id, base_branch }, look) => lookAtWorkOf(look, id, base_branch ?? null),
  async handle({ id, title, description }, work, seen) {
    const pull = await openPullOf(work, id, { seen, title, description });
    return { pull_id: pull.id, number: 0, url: "", is_local: pull.host === "local" };
  },
  afterwards: {
    waitMs: 90_000,
    async read(answer, work) {
      const { id, number, url, host } = await readOpening(work, PullId.parse(answer.pull_id));
      return { pull_id: id, number: number ?? 0, url: url ?? "", is_local: host === "local" };
    },
  },
});
