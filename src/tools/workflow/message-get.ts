import { z } from "zod";
import { MessageId } from "../../contract/ids.ts";
import { openMessage } from "../../domain/message/operations.ts";
import { defineTool } from "../define.ts";
import { MessageRecord, messageRecord } from "./voice/answer.ts";

export default defineTool({
  name: "message_get",
  family: "workflow",
  title: "Get a message",
  summary: "Read one message you sent or received; reading it as its recipient marks it as read.",
  keywords: "open single one by id",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({
    id: MessageId.describe("The message to read."),
    mark_read: z.boolean().default(true).describe("False leaves it unread."),
  }),
  output: MessageRecord,
  refusals: ["MESSAGE_NOT_FOUND"],
  examples: [{ title: "a look", input: { id: "$message", mark_read: false } }],
  async handle(input, work) {
    return messageRecord(await openMessage(work, input.id, { marksRead: input.mark_read }));
  },
});
