import { z } from "zod";
import { AgentId, DeveloperId, IssueId } from "../../contract/ids.ts";
import { issueStatuses } from "../../contract/words.ts";

/** An issue that an agent asked to be filed at the code host. */
export const FiledIssue = z.object({
  id: IssueId,
  /** All that one call asked for. */
  batch: z.string(),
  /** Its place in the order asked. */
  position: z.number(),
  address: z.string(),
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  /** Titles of the same call, or numbers of issues there are. */
  dependsOn: z.array(z.union([z.string(), z.number()])),
  status: z.enum(issueStatuses),
  /** False where it was there already. */
  isCreated: z.boolean(),
  number: z.number().nullable(),
  url: z.string().nullable(),
  problem: z.string().nullable(),
  developerId: DeveloperId,
  agentId: AgentId.nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
});
export type FiledIssue = z.infer<typeof FiledIssue>;
