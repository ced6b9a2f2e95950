import { z } from "zod";
import { AgentId, TaskId } from "../../../contract/ids.ts";
import { lifecycle } from "../../../contract/lifecycle.ts";
import { agentRoles } from "../../../contract/words.ts";
import type { CrewMember } from "../../../domain/context/crew-operations.ts";
import { Time, timeOf } from "../../time.ts";
import { SessionRecord, sessionRecord, type View } from "./session.ts";

/** How an agent is shown to people: always with its name, its client and its owner. */

const HeldTask = z.object({ id: TaskId, name: z.string(), status: z.enum(lifecycle), since: Time });

export const CrewRecord = z.object({
  id: AgentId,
  name: z.string(),
  client: z.string().nullable().describe("The program it runs in, for example `claude-code`."),
  developer: z.string().describe("Its owner."),
  mine: z.boolean(),
  is_person: z.boolean().describe("The address of a person who writes messages, not an agent."),
  role: z.enum(agentRoles),
  status: z
    .enum(["working", "idle", "stale", "offline"])
    .describe("working: has a task in hand. stale: its session has been silent for 30 minutes."),
  tasks: z.array(HeldTask).describe("What it has in hand, last changed first."),
  folder: z.string().nullable().describe("Where it works."),
  branch: z.string().nullable(),
  dirty_files: z.number().int().nullable().describe("Files changed and not committed; null where none were reported."),
  cost_usd: z.number().nullable().describe("What it has cost so far; null where nothing was reported."),
  started_at: Time,
  last_seen_at: Time,
  session: SessionRecord.nullable().describe("What it reported in its session, if it has one."),
});

export function crewRecord(member: CrewMember, view: View): z.input<typeof CrewRecord> {
  const { agent, desk, tasks } = member;
  const sight = view.viewer.of(agent);
  const session = desk && sessionRecord(desk, view);
  return {
    id: agent.id,
    name: sight.title(agent.name),
    client: sight.value(clientOf(member)),
    developer: sight.owner,
    mine: sight.isOwn,
    is_person: !sight.isHidden && agent.metadata["person"] === true,
    role: agent.role,
    status: member.status,
    tasks: sight.list(tasks).map((task) => ({
      id: task.id,
      // Somebody may have taken a task of a developer who is private.
      name: view.viewer.of(task).title(task.name),
      status: task.status,
      since: timeOf(task.since),
    })),
    folder: session ? session.worktree : sight.value(agent.workspacePath),
    branch: session?.branch ?? null,
    dirty_files: session?.snapshot?.dirty_total ?? null,
    cost_usd: session?.usage?.cost_usd ?? null,
    started_at: timeOf(desk?.session.createdAt ?? agent.createdAt),
    last_seen_at: timeOf(Math.max(agent.lastHeartbeatAt, desk?.session.lastSeenAt ?? 0)),
    session: session ?? null,
  };
}

/** One spelling for the same program, whichever family's words it came with. */
const clientOf = ({ agent, desk }: CrewMember): string =>
  (desk?.session.agentType ?? agent.runtime).replaceAll("_", "-");
