import { z } from "zod";
import { MessageId, NoteId, TaskId, ThreadId } from "../../../contract/ids.ts";
import { findContent } from "../../../domain/context/content-queries.ts";
import { readViewer } from "../../../domain/person/viewer-queries.ts";
import { defineTool } from "../../define.ts";

export default defineTool({
  name: "content_find",
  family: "person",
  title: "Search tasks, notes, files and messages",
  summary: "Find tasks by name, description or outcome, notes and your messages by their text, and files.",
  effect: "read",
  callers: ["agent"],
  input: z.object({
    text: z.string().trim().min(2).max(200).describe("Words that all have to be in it."),
    limit: z.number().int().min(1).max(50).default(20).describe("At most this many of each kind."),
  }),
  output: z.object({
    items: z.array(
      z.object({
        kind: z.enum(["task", "note", "file", "message"]),
        id: z.union([TaskId, NoteId, MessageId]).describe("The task, the note or the message."),
        title: z.string(),
        excerpt: z.string().describe("Text around the words; for a file, what names it."),
        task_id: TaskId.nullable().describe("The task it belongs to."),
        thread_id: ThreadId.nullable().describe("The thread a message stands in."),
        developer: z.string(),
      }),
    ),
  }),
  routes: [{ method: "GET", path: "/api/find" }],
  refusals: [],
  examples: [{ title: "by description", input: { text: "price rules" } }],
  async handle({ text, limit }, work) {
    const words = [...new Set(text.toLowerCase().split(/\s+/))].slice(0, 10);
    const viewer = await readViewer(work);
    const found = await findContent(work.db, { words, limit, reader: work.caller.developerId });
    return {
      items: viewer.known(found).map((one) => ({
        kind: one.kind,
        id: one.id,
        title: one.title,
        excerpt: one.excerpt,
        task_id: one.taskId,
        thread_id: one.threadId,
        developer: viewer.of(one).owner,
      })),
    };
  },
});
