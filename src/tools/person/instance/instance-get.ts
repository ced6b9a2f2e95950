import { z } from "zod";
import { AgentId, FeedbackId, InstanceId, TaskId } from "../../../contract/ids.ts";
import { feedbackTypes, launchModes, reviewOutcomes } from "../../../contract/words.ts";
import { findAgent } from "../../../domain/agent/queries.ts";
import { findInstance, listInstances } from "../../../domain/instance/queries.ts";
import { listEntries } from "../../../domain/ledger/queries.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import type { PullComment } from "../../../domain/pull/model.ts";
import { listItemsOf } from "../../../domain/pull/queries.ts";
import { FeedbackItem, ItemName, type NamedItem, nameItems, openItems } from "../../../domain/review/model.ts";
import { getSeenInstance, maySteer } from "../../../domain/review/person-operations.ts";
import { listFeedback, listRounds } from "../../../domain/review/queries.ts";
import { findTask } from "../../../domain/task/queries.ts";
import { defineTool } from "../../define.ts";
import { InstanceRecord, instanceRecord } from "../../review/voice/instance.ts";
import { Time, timeOf, timeOrNull } from "../../time.ts";

const ItemRecord = FeedbackItem.extend({
  item_id: ItemName.describe("Its round and its place in it."),
  status: z.enum(["open", "done"]),
  done_in_round: z.number().nullable(),
});

const itemRecord = ({ name, round: _round, doneIn, ...item }: NamedItem): z.input<typeof ItemRecord> => ({
  ...item,
  item_id: name,
  status: doneIn === undefined ? "open" : "done",
  done_in_round: doneIn ?? null,
});

const commentItem = ({ item, body, path, line }: PullComment): z.input<typeof ItemRecord> => ({
  item_id: item ?? "",
  description: body.slice(0, 4_000),
  ...(path === null ? {} : { location: `${path}${line === null ? "" : `:${line}`}`.slice(-500) }),
  status: "open",
  done_in_round: null,
});

export default defineTool({
  name: "instance_get",
  family: "person",
  title: "Look at an instance",
  summary: "See one instance with its prompt, the feedback of its rounds, its relations and what happened to it.",
  effect: "read",
  callers: ["agent"],
  input: z.object({ id: InstanceId.describe("The instance.") }),
  output: InstanceRecord.extend({
    developer: z.string().describe("Its owner."),
    can_steer: z.boolean().describe("Whether you may watch, stop and abandon it."),
    repository_path: z.string(),
    task: z.object({ id: TaskId, name: z.string() }).nullable().describe("What it was started for."),
    launch_mode: z.enum(launchModes).nullable().describe("tmux has a terminal; null where we did not start it."),
    round_limit: z.number().describe("How many reviews its work may have, with those that people have granted."),
    prompt: z.string().nullable().describe("What its program was told at first."),
    told: z
      .array(z.object({ turn: z.number(), text: z.string(), told_at: Time }))
      .describe("What it was told after its prompt, oldest first; the last ten."),
    program_state: z.string().nullable().describe("queued, starting, running, ended or failed."),
    program_problem: z.string().nullable(),
    exit_code: z.number().nullable(),
    feedback: z.array(
      z.object({
        feedback_id: FeedbackId,
        review_instance_id: InstanceId,
        review_iteration: z.number(),
        feedback_type: z.enum(feedbackTypes),
        priority: z.string().nullable(),
        feedback: z.string(),
        actionable_items: z.array(ItemRecord),
        git_commit_hash: z.string().nullable(),
        cleanup_status: z.string().nullable(),
        created_at: Time,
      }),
    ),
    open_items: z
      .array(ItemRecord)
      .describe("What reviews, and people on its pull requests, asked for and nobody has found done since."),
    rounds: z.array(
      z.object({
        review_instance_id: InstanceId,
        review_iteration: z.number(),
        outcome: z.enum(reviewOutcomes),
        requested_at: Time,
        ended_at: Time.nullable(),
      }),
    ),
    relationships: z.array(
      z.object({
        parent_instance: InstanceId,
        child_instance: InstanceId,
        relationship_type: z.literal("spawned_review"),
        review_iteration: z.number(),
        created_at: Time,
      }),
    ),
    events: z.array(z.object({ event: z.string(), data: z.record(z.string(), z.unknown()), ts: Time })),
  }),
  routes: [{ method: "GET", path: "/api/instances/:id", key: "id" }],
  refusals: ["INSTANCE_NOT_FOUND"],
  examples: [{ title: "one of them", needs: "launcher", input: { id: "$instance" } }],
  observe: async (_input, { ports }) => ports.review.limits.maxIterations,
  async handle({ id }, work, maxRounds) {
    const instance = await getSeenInstance(work, id);
    const viewer = await readViewer(work);
    const coderId = instance.parentId ?? instance.id;
    const coder = instance.parentId === null ? instance : await findInstance(work.db, coderId);
    const task = instance.taskId === null ? undefined : await findTask(work.db, instance.taskId);
    const said = await listFeedback(work.db, coderId);
    const asked = await listItemsOf(work.db, AgentId.parse(coderId));
    const reviews = await listInstances(work.db, { parentId: coderId, limit: 500 });
    const entries = await listEntries(work.db, {
      after: 0,
      limit: 200,
      stream: "work",
      subject: id,
      newestFirst: { before: undefined },
    });
    const isOwnRound = (one: { id?: string; reviewId?: string }): boolean =>
      instance.type !== "review" || one.id === id || one.reviewId === id;
    return {
      ...instanceRecord(instance, await findAgent(work.db, AgentId.parse(id))),
      developer: viewer.of(instance).owner,
      can_steer: maySteer(work.caller, instance),
      repository_path: instance.repositoryPath,
      task: task && viewer.knows(task) ? { id: task.id, name: task.name } : null,
      launch_mode: instance.run?.mode ?? null,
      round_limit: maxRounds + (coder?.grantedRounds ?? 0),
      prompt: instance.prompt,
      told: (instance.run?.told ?? []).map(({ turn, text, at }) => ({ turn, text, told_at: timeOf(at) })),
      program_state: instance.run?.state ?? null,
      program_problem: instance.run?.problem ?? null,
      exit_code: instance.run?.exitCode ?? null,
      feedback: said.filter(isOwnRound).map((one) => ({
        feedback_id: one.id,
        review_instance_id: one.reviewId,
        review_iteration: one.round,
        feedback_type: one.type,
        priority: one.priority,
        feedback: one.text,
        actionable_items: nameItems(one).map(itemRecord),
        git_commit_hash: one.commit,
        cleanup_status: one.delivery,
        created_at: timeOf(one.createdAt),
      })),
      open_items: [
        ...openItems(said).map(itemRecord),
        ...viewer.known(asked.filter(({ doneAt }) => doneAt === null)).map(commentItem),
      ],
      rounds: (await listRounds(work.db, coderId)).filter(isOwnRound).map((one) => ({
        review_instance_id: one.id,
        review_iteration: one.round,
        outcome: one.outcome,
        requested_at: timeOf(one.requestedAt),
        ended_at: timeOrNull(one.endedAt),
      })),
      relationships: reviews
        .filter(isOwnRound)
        .map((one) => ({
          parent_instance: coderId,
          child_instance: one.id,
          relationship_type: "spawned_review" as const,
          review_iteration: one.reviewIteration,
          created_at: timeOf(one.createdAt),
        }))
        .reverse(),
      events: entries.reverse().map(({ announced, data, at }) => ({ event: announced, data, ts: timeOf(at) })),
    };
  },
});
