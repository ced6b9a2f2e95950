import { z } from "zod";
import { allowChecks, findConfigured } from "../../../domain/evidence/permit-operations.ts";
import { defineTool } from "../../define.ts";
import { CheckedPath, ChecksRecord, checksRecord } from "../voice/checks.ts";

export default defineTool({
  name: "checks_allow",
  family: "person",
  title: "Allow a repository's checks",
  summary: "Let this server run a repository's checks when a task ends, as long as their wording stays as it was read.",
  effect: "change",
  isRepeatable: true,
  callers: ["owner"],
  input: z.object({
    path: CheckedPath,
    config_hash: z.string().min(1).max(100).describe("The hash of what was read with checks_show."),
  }),
  output: ChecksRecord,
  refusals: ["NOT_FOUND", "INVALID_INPUT", "INVALID_STATE", "CONFLICT", "FORBIDDEN"],
  examples: [{ title: "as they were read", input: { path: "$checked", config_hash: "$checked_hash" } }],
  observe: ({ path }, look) => findConfigured(look, path),
  async handle({ config_hash }, work, configured) {
    await allowChecks(work, configured, config_hash);
    return checksRecord(configured, work);
  },
});
