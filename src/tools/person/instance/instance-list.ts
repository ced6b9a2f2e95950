import { z } from "zod";
import { AgentId, TaskId } from "../../../contract/ids.ts";
import { instanceStatuses, instanceTypes, processStates } from "../../../contract/words.ts";
import { listAgentsById } from "../../../domain/agent/queries.ts";
import type { InstanceStatus } from "../../../domain/instance/model.ts";
import { listInstances } from "../../../domain/instance/queries.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { InstanceRecord, instanceRecord } from "../../review/voice/instance.ts";

/** The review contract writes them in capitals at times. */
const capitals = instanceStatuses.map((status) => status.toUpperCase() as Uppercase<InstanceStatus>);

export default defineTool({
  name: "instance_list",
  family: "person",
  title: "List instances",
  summary: "See the agents that write, review and plan in work trees of their own, newest first.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    type: z.enum(instanceTypes).optional().describe("Only those that do this."),
    status: z
      .enum([...instanceStatuses, ...capitals])
      .optional()
      .describe("Only those in this status; capitals are accepted."),
    limit: z.number().int().min(1).max(500).default(100).describe("At most this many."),
    offset: z.number().int().min(0).max(100_000).default(0).describe("Skip this many."),
  }),
  output: z.object({
    instances: z.array(
      InstanceRecord.extend({
        developer: z.string().describe("Its owner."),
        task_id: TaskId.nullable().describe("What it was started for."),
        program_state: z.enum(processStates).nullable().describe("Null where we did not start it."),
      }),
    ),
  }),
  routes: [{ method: "GET", path: "/api/instances" }],
  refusals: [],
  examples: [
    { title: "all of them", input: {} },
    { title: "reviews under way", input: { type: "review", status: "started" } },
  ],
  async handle({ type, status, limit, offset }, work) {
    const found = await listInstances(work.db, {
      type,
      status: status === undefined ? undefined : [status.toLowerCase() as InstanceStatus],
      limit,
      offset,
    });
    const viewer = await readViewer(work);
    const instances = viewer.known(found);
    const agents = await listAgentsById(
      work.db,
      instances.map(({ id }) => AgentId.parse(id)),
    );
    return {
      instances: instances.map((one) => ({
        ...instanceRecord(one, agents.get(AgentId.parse(one.id))),
        developer: viewer.of(one).owner,
        task_id: one.taskId,
        program_state: one.run?.state ?? null,
      })),
    };
  },
});
