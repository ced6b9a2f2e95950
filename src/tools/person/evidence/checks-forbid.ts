import { z } from "zod";
import { findConfigured, forbidChecks } from "../../../domain/evidence/permit-operations.ts";
import { defineTool } from "../../define.ts";
import { CheckedPath, ChecksRecord, checksRecord } from "../voice/checks.ts";

export default defineTool({
  name: "checks_forbid",
  family: "person",
  title: "Forbid a repository's checks",
  summary: "Take back that this server may run a repository's checks.",
  effect: "change",
  isRepeatable: true,
  callers: ["owner"],
  input: z.object({ path: CheckedPath }),
  output: ChecksRecord,
  refusals: ["NOT_FOUND", "INVALID_INPUT", "FORBIDDEN"],
  examples: [{ title: "not any more", input: { path: "$checked" } }],
  observe: ({ path }, look) => findConfigured(look, path),
  async handle(_input, work, configured) {
    await forbidChecks(work, configured.repository);
    return checksRecord(configured, work);
  },
});
