import { z } from "zod";
import { InstanceId } from "../../../contract/ids.ts";
import { attentionKinds, instanceStatuses, instanceTypes } from "../../../contract/words.ts";
import type { Agent } from "../../../domain/agent/model.ts";
import type { Instance } from "../../../domain/instance/model.ts";
import { Time, timeOf } from "../../time.ts";

export const InstanceRecord = z.object({
  id: InstanceId,
  type: z.enum(instanceTypes),
  status: z.enum(instanceStatuses),
  worktree_path: z.string(),
  branch_name: z.string().nullable(),
  base_branch: z.string().nullable(),
  session_name: z.string().nullable().describe("The terminal of an instance that we started."),
  agent: z.string().nullable().describe("The program, as it is configured."),
  parent_instance_id: InstanceId.nullable().describe("The instance it reviews."),
  review_iteration: z.number().describe("A reviewer's own round; of a coder how many it has asked for."),
  pr_number: z.number().nullable(),
  pr_url: z.string().nullable(),
  created_at: Time,
  last_activity: Time,
  terminated_at: Time.nullable(),
  end_reason: z.string().nullable(),
  attention: z
    .object({ kind: z.enum(attentionKinds), reason: z.string(), since: Time })
    .nullable()
    .describe("Why a person should look at it."),
  budget: z.object({ tokens: z.number().nullable(), usd: z.number().nullable() }).nullable(),
  used: z.object({ tokens: z.number(), usd: z.number().nullable() }).nullable().describe("As far as it is known."),
});

/** An instance as the review contract has it. Its agent is heard of more often than the record is written. */
export const instanceRecord = (instance: Instance, agent: Agent | undefined): z.input<typeof InstanceRecord> => ({
  id: instance.id,
  type: instance.type,
  status: instance.status,
  worktree_path: instance.worktreePath,
  branch_name: instance.branch,
  base_branch: instance.baseBranch,
  session_name: instance.sessionName,
  agent: instance.program,
  parent_instance_id: instance.parentId,
  review_iteration: instance.reviewIteration,
  pr_number: instance.pullNumber,
  pr_url: instance.pullUrl,
  created_at: timeOf(instance.createdAt),
  last_activity: timeOf(Math.max(instance.lastActivityAt, agent?.lastHeartbeatAt ?? 0)),
  terminated_at: instance.terminatedAt === null ? null : timeOf(instance.terminatedAt),
  end_reason: instance.endReason,
  attention: attentionOf(instance),
  budget: instance.run?.budget ? { tokens: instance.run.budget.tokens, usd: instance.run.budget.dollars } : null,
  used: instance.run?.used ? { tokens: instance.run.used.tokens, usd: instance.run.used.dollars } : null,
});

function attentionOf({ run }: Instance): z.input<typeof InstanceRecord>["attention"] {
  const attention = run?.attention ?? null;
  return attention && { kind: attention.kind, reason: attention.reason, since: timeOf(attention.since) };
}
