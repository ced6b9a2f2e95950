import { z } from "zod";
import { listAgentsById } from "../../../domain/agent/queries.ts";
import { type Matter, type MatterKind, matterKinds } from "../../../domain/context/matter-model.ts";
import type { Viewer } from "../../../domain/person/viewer-model.ts";
import type { Work } from "../../../domain/work.ts";
import { timeOf } from "../../time.ts";
import { ResultRecord, resultRecord } from "../../workflow/voice/result.ts";

/** What an agent calls about it, and what a person does. Ids are our own; nothing that anyone wrote is part of either. */
const advice: Readonly<Record<MatterKind, { agent: (id: string) => string; person: (id: string) => string }>> = {
  blocked_start: {
    agent: (id) => `Judge every candidate of ${id}, then call start again with check_id and scope_verdict.`,
    person: (id) => `crewdeck call check_confirm --check-id ${id} --reason TEXT`,
  },
  ask: {
    agent: (id) => `Call covibe_coordination reply with ask_id ${id}.`,
    person: (id) => `crewdeck call covibe_coordination --operation reply --ask-id ${id} --answer TEXT`,
  },
  handoff: {
    agent: (id) => `Call covibe_coordination accept with handoff_id ${id}, then covibe_session get_context.`,
    person: (id) => `crewdeck call covibe_coordination --operation accept --handoff-id ${id}`,
  },
  issue: {
    agent: (id) => `Ask your developer to look at issue ${id}.`,
    person: (id) => `crewdeck issue resolve ${id}`,
  },
  agent_waiting: {
    agent: (id) => `Ask your developer to look at agent ${id}.`,
    person: (id) => `crewdeck agent attach ${id}, or: crewdeck agent log ${id}; end it with: crewdeck agent stop ${id}`,
  },
  agent_failed: {
    agent: (id) => `Ask your developer why agent ${id} ended.`,
    person: (id) => `crewdeck agent log ${id}; check its command under agents in config.json`,
  },
  review_limit: {
    agent: (id) => `Ask your developer whether ${id} gets one more review.`,
    person: (id) => `crewdeck review grant ${id}, or: crewdeck agent abandon ${id}`,
  },
  pull_request: {
    agent: (id) => `Ask your developer to decide pull request ${id}.`,
    person: (id) => `crewdeck pr diff ${id}, then: crewdeck pr merge ${id}, or: crewdeck pr close ${id}`,
  },
  collision: {
    agent: () => "Agree with the other agent who goes first, then rebase; check_conflicts shows what conflicts.",
    person: () => "crewdeck conflicts, or open Collisions in the deck",
  },
  failed_task: {
    agent: (id) => `Look at why ${id} failed with task_get, then try it again or cancel it.`,
    person: (id) => `crewdeck call task_get --id ${id}`,
  },
  doubtful_result: {
    agent: (id) =>
      `Review ${id}: files outside its scope changed or checks failed. Your developer accepts or reopens it.`,
    person: (id) => `crewdeck task diff ${id}, then: crewdeck call result_accept --task-id ${id}`,
  },
  blocked_task: {
    agent: (id) => `Remove what blocks ${id}, then call covibe_task update with status active, or cancel it.`,
    person: (id) => `crewdeck call task_get --id ${id}`,
  },
  stale_task: {
    agent: (id) => `Go on with ${id} or end it with covibe_task complete or cancel: nothing has changed for a day.`,
    person: (id) => `crewdeck call task_get --id ${id}`,
  },
  stale_session: {
    agent: (id) => `Call covibe_session heartbeat with session_id ${id} if it lives, else end.`,
    person: (id) => `crewdeck call covibe_session --operation end --session-id ${id}`,
  },
  refused_claim: {
    agent: () => "Look who holds the code with covibe_coordination summary, and ask them or work elsewhere.",
    person: () => "crewdeck call covibe_coordination --operation summary",
  },
  budget: {
    agent: (id) => `The budget of ${id} is spent: ask your developer before going on.`,
    person: () => "crewdeck usage",
  },
};

export const ActionRecord = z.object({
  kind: z.enum(matterKinds),
  id: z.string().describe("The record it is about."),
  title: z.string().nullable(),
  from: z.string().nullable().describe("Who wants it, where that is somebody else."),
  action: z.string().describe("What to call."),
  since: z.string(),
});

export const actionRecord = (matter: Matter, viewer: Viewer): z.input<typeof ActionRecord> => ({
  kind: matter.kind,
  id: matter.id,
  title: titleOf(matter, viewer),
  from: matter.from === null ? null : viewer.nameOf(matter.from),
  action: advice[matter.kind].agent(matter.id),
  since: timeOf(matter.since),
});

export const MatterRecord = z.object({
  kind: z.enum(matterKinds),
  id: z.string().describe("The record it is about."),
  title: z.string().nullable(),
  developer: z.string().describe("Who is to look at it."),
  from: z.string().nullable().describe("Who wants it, where that is somebody else."),
  agent_id: z.string().nullable().describe("The agent that wants it, or whose work it is."),
  agent: z.string().nullable().describe("The name of that agent."),
  action: z.string().describe("What to do about it."),
  since: z.string(),
  result: ResultRecord.optional(),
});

/** As a viewer sees them, each with its agent where that may be known. */
export async function matterRecords(
  { db }: Pick<Work, "db">,
  matters: readonly Matter[],
  viewer: Viewer,
): Promise<z.input<typeof MatterRecord>[]> {
  const agents = await listAgentsById(
    db,
    matters.flatMap(({ agentId }) => agentId ?? []),
  );
  return matters.map((matter) => {
    const agent = matter.agentId ? agents.get(matter.agentId) : undefined;
    const known = agent && viewer.knows(agent) ? agent : undefined;
    return {
      kind: matter.kind,
      id: matter.id,
      title: isLetterOfOthers(matter, viewer) ? null : titleOf(matter, viewer),
      developer: viewer.of(matter).owner,
      from: matter.from === null ? null : viewer.nameOf(matter.from),
      agent_id: known?.id ?? null,
      agent: known?.name ?? null,
      action: advice[matter.kind].person(matter.id),
      since: timeOf(matter.since),
      ...(matter.result && { result: resultRecord(matter.result) }),
    };
  });
}

/** What two people write to each other is theirs. */
const isLetterOfOthers = (matter: Matter, viewer: Viewer): boolean =>
  (matter.kind === "ask" || matter.kind === "handoff") && !viewer.of(matter).isOwn && !viewer.isSelf(matter.from);

/** What somebody who is private writes to the viewer is meant for them; only the name stays hidden. */
const titleOf = (matter: Matter, viewer: Viewer): string | null => viewer.of(matter).title(matter.title);
