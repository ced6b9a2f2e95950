import { z } from "zod";
import { MessageId, SharedContextId, TaskId } from "../../../contract/ids.ts";
import { readHandoff } from "../../../domain/intent/handoff-operations.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";
import { Time, timeOf } from "../../time.ts";

export default defineTool({
  name: "handoff_get",
  family: "person",
  title: "Read a handoff",
  summary: "Read a handoff with its task and context before you accept it.",
  effect: "read",
  callers: ["person"],
  input: z.object({ handoff_id: MessageId.describe("A handoff that waits for you.") }),
  output: z.object({
    handoff_id: MessageId,
    from: z.string().describe("Who hands over."),
    summary: z.string(),
    offered_at: Time,
    task: z.object({ id: TaskId, title: z.string(), description: z.string().nullable() }).nullable(),
    context: z
      .object({
        id: SharedContextId,
        title: z.string(),
        summary: z.string(),
        repo: z.string().nullable(),
        branch: z.string().nullable(),
        files: z.array(z.string()),
        next_actions: z.array(z.string()),
        blockers: z.array(z.string()),
        published_at: Time,
      })
      .nullable(),
    claims: z.array(z.object({ paths: z.array(z.string()), symbols: z.array(z.string()) })),
  }),
  routes: [{ method: "GET", path: "/api/handoffs/:id", key: "handoff_id" }],
  refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_STATE"],
  examples: [{ title: "before accepting", input: { handoff_id: "$handoff" } }],
  async handle({ handoff_id }, work) {
    const { handoff, task, context, claims } = await readHandoff(work, handoff_id);
    const viewer = await readViewer(work);
    return {
      handoff_id,
      from: viewer.nameOf(handoff.fromDeveloperId),
      summary: handoff.body,
      offered_at: timeOf(handoff.createdAt),
      task: task === null ? null : { id: task.id, title: task.name, description: task.description },
      context:
        context === null
          ? null
          : {
              id: context.id,
              title: context.title,
              summary: context.summary,
              repo: context.repo,
              branch: context.branch,
              files: context.files,
              next_actions: context.nextActions,
              blockers: context.blockers,
              published_at: timeOf(context.createdAt),
            },
      claims: claims.map(({ paths, symbols }) => ({ paths, symbols })),
    };
  },
});
