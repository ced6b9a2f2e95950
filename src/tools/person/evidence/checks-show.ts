import { z } from "zod";
import { findConfigured } from "../../../domain/evidence/permit-operations.ts";
import { defineTool } from "../../define.ts";
import { CheckedPath, ChecksRecord, checksRecord } from "../voice/checks.ts";

export default defineTool({
  name: "checks_show",
  family: "person",
  title: "Show a repository's checks",
  summary: "See the checks that a repository configures and whether they may be run; nothing is run.",
  effect: "read",
  callers: ["person"],
  input: z.object({ path: CheckedPath }),
  output: ChecksRecord,
  refusals: ["NOT_FOUND", "INVALID_INPUT", "FORBIDDEN"],
  examples: [{ title: "as they stand", input: { path: "$checked" } }],
  observe: ({ path }, look) => findConfigured(look, path),
  handle: (_input, work, configured) => checksRecord(configured, work),
});
