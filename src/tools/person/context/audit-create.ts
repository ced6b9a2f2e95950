import { z } from "zod";
import { lookForParallelWork, writeAudit } from "../../../domain/context/team-audit-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { describeAudit } from "../../team/voice/audit.ts";
import { AuditRecord, auditRecord } from "../../team/voice/records.ts";

export default defineTool({
  name: "audit_create",
  family: "person",
  title: "Look for duplicate work",
  summary: "Compare what is under way or was finished lately, and keep what looks like the same work.",
  effect: "create",
  callers: ["agent"],
  input: z.object({}),
  output: z.object({
    status: z.enum(["ok", "warning"]).describe("Warning when somebody is at the same work as another now."),
    message: z.string(),
    audit: AuditRecord,
  }),
  routes: [{ method: "POST", path: "/api/audit" }],
  refusals: [],
  examples: [{ title: "of everything that goes on", input: {} }],
  observe: (_input, look) => lookForParallelWork(look),
  async handle(_input, work, facts) {
    const report = await writeAudit(work, facts);
    const { message, conflicts } = describeAudit(report);
    return {
      status: conflicts === 0 ? ("ok" as const) : ("warning" as const),
      message,
      audit: auditRecord(report, await readViewer(work)),
    };
  },
});
