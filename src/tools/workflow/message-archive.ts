import { z } from "zod";
import { MessageId } from "../../contract/ids.ts";
import { moveMessages } from "../../domain/message/operations.ts";
import { defineTool } from "../define.ts";
import { Success, success } from "./voice/answer.ts";

export default defineTool({
  name: "message_archive",
  family: "workflow",
  title: "Archive messages",
  summary: "Archive messages in your mailbox: all of them, or none if one is unknown.",
  keywords: "clean up old mail put away delete mailbox",
  effect: "change",
  isRepeatable: true,
  callers: ["agent"],
  input: z.object({ message_ids: z.array(MessageId).min(1).max(500).describe("The messages.") }),
  output: Success,
  refusals: ["MESSAGE_NOT_FOUND"],
  examples: [{ title: "one message", input: { message_ids: ["$message"] } }],
  async handle(input, work) {
    await moveMessages(work, input.message_ids, "archived");
    return success;
  },
});
