import { describe, expect, test } from "vitest";
import { type Args, type Case, declaredAndMet, expectRefusal, huge, none, type Scene } from "./refusal-case.ts";
import { forEachStillStore } from "./still-house.ts";

const letter = ({ my }: Scene): Args => ({
  sender_id: my.agent,
  recipient_id: my.agent,
  message_type: "query",
  body: "Hello",
});
const notice = ({ my }: Scene): Args => ({ sender_id: my.agent, message_type: "notification", body: "Hello" });

const cases: Case[] = [
  {
    rule: "MS4",
    tool: "message_send",
    code: "SENDER_NOT_FOUND",
    when: "the sender does not exist",
    args: (scene) => ({ ...letter(scene), sender_id: none }),
  },
  {
    rule: "MS4",
    tool: "message_send",
    code: "FORBIDDEN",
    when: "the sender is another's",
    args: (scene) => ({ ...letter(scene), sender_id: scene.his.agent }),
  },
  {
    rule: "MS4",
    tool: "message_send",
    code: "RECIPIENT_NOT_FOUND",
    when: "the recipient does not exist",
    args: (scene) => ({ ...letter(scene), recipient_id: none }),
  },
  {
    rule: "MS6",
    tool: "message_send",
    code: "MESSAGE_NOT_FOUND",
    when: "it answers nothing",
    args: (scene) => ({ ...letter(scene), reply_to_id: none }),
  },
  {
    rule: "MS7",
    tool: "message_send",
    code: "WORKFLOW_NOT_FOUND",
    when: "the workflow does not exist",
    args: (scene) => ({ ...letter(scene), workflow_id: none }),
  },
  {
    rule: "MS7",
    tool: "message_send",
    code: "TASK_NOT_FOUND",
    when: "the task does not exist",
    args: (scene) => ({ ...letter(scene), task_id: none }),
  },
  {
    rule: "MS3",
    tool: "message_send",
    code: "TOO_LARGE",
    when: "the body is huge",
    args: (scene) => ({ ...letter(scene), body: huge }),
  },
  {
    rule: "MS4",
    tool: "message_broadcast",
    code: "SENDER_NOT_FOUND",
    when: "the sender does not exist",
    args: (scene) => ({ ...notice(scene), sender_id: none }),
  },
  {
    rule: "MS4",
    tool: "message_broadcast",
    code: "FORBIDDEN",
    when: "the sender is another's",
    args: (scene) => ({ ...notice(scene), sender_id: scene.his.agent }),
  },
  {
    rule: "MS7",
    tool: "message_broadcast",
    code: "WORKFLOW_NOT_FOUND",
    when: "the workflow does not exist",
    args: (scene) => ({ ...notice(scene), workflow_id: none }),
  },
  {
    rule: "MS3",
    tool: "message_broadcast",
    code: "TOO_LARGE",
    when: "the body is huge",
    args: (scene) => ({ ...notice(scene), body: { huge } }),
  },
  {
    rule: "MS23",
    tool: "mail_list",
    code: "AGENT_NOT_FOUND",
    when: "nobody has the id",
    args: () => ({ agent_id: none }),
  },
  {
    rule: "MS23",
    tool: "mail_list",
    code: "FORBIDDEN",
    when: "the mailbox is another's",
    args: ({ his }) => ({ agent_id: his.agent }),
  },
  {
    rule: "MS23",
    tool: "message_list",
    code: "AGENT_NOT_FOUND",
    when: "nobody has the id",
    args: () => ({ agent_id: none }),
  },
  {
    rule: "MS23",
    tool: "message_list",
    code: "FORBIDDEN",
    when: "the mailbox is another's",
    args: ({ his }) => ({ agent_id: his.agent }),
  },
  {
    rule: "MS23",
    tool: "message_count_unread",
    code: "AGENT_NOT_FOUND",
    when: "nobody has the id",
    args: () => ({ agent_id: none }),
  },
  {
    rule: "MS23",
    tool: "message_count_unread",
    code: "FORBIDDEN",
    when: "the mailbox is another's",
    args: ({ his }) => ({ agent_id: his.agent }),
  },
  {
    rule: "MS19",
    tool: "message_get",
    code: "MESSAGE_NOT_FOUND",
    when: "it is between others",
    args: ({ his }) => ({ id: his.message }),
  },
  {
    rule: "MS20",
    tool: "message_mark_read",
    code: "MESSAGE_NOT_FOUND",
    when: "one was sent to another",
    args: ({ my, his }) => ({ message_ids: [my.message, his.message] }),
  },
  {
    rule: "MS20",
    tool: "message_archive",
    code: "MESSAGE_NOT_FOUND",
    when: "one does not exist",
    args: ({ my }) => ({ message_ids: [my.message, none] }),
  },
];

forEachStillStore("what letters are refused", (open) => {
  for (const one of cases) {
    test(`[${one.rule}] ${one.tool} is refused with ${one.code} when ${one.when}`, async () => {
      await expectRefusal(one, await open());
    });
  }
});

describe("what these tools declare", () => {
  for (const tool of declaredAndMet(["mail", "message"], cases)) {
    test(`[ID20] ${tool.name} meets each refusal it declares, and no other`, () => {
      expect(tool.met).toEqual(tool.declared);
    });
  }
});
