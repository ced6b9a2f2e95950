import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { type Api, openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { cleanText } from "../text.ts";

type Item = AnswerOf<"inbox">["items"][number];

export function addAnswer(shell: Shell): void {
  const command = shell
    .add({
      name: "answer",
      summary: "Answer an item of your inbox",
      examples: ['answer 1 "Yes, up to a minute old."', 'answer msg_01jd8 "Use port 3002."'],
    })
    .argument("<item>", "its number in `crewdeck inbox`, or its id")
    .argument("<text...>", "the answer: what the agent reads, or why a possible duplicate may start");
  shell.does(command, async (context, _options, [which = "", ...words]) => {
    const api = await openApi(context);
    const { items } = await api.read("/api/inbox", {});
    const item = chooseItem(items, which);
    const told = await sendAnswer(api, item, words.join(" "));
    answer(context, told, () => [
      item.kind === "ask"
        ? `Answered ${cleanText(item.from ?? "the agent")}.`
        : "Confirmed. The agent can start the task now.",
    ]);
    return undefined;
  });
}

/** Numbers are those that `crewdeck inbox` shows just now. */
function chooseItem(items: readonly Item[], which: string): Item {
  const byNumber = /^\d{1,3}$/.test(which) ? items[Number(which) - 1] : undefined;
  const byId = which.length >= 4 ? items.filter(({ id }) => id.startsWith(which)) : [];
  const [item = byNumber, ...others] = byId;
  if (item !== undefined && others.length === 0) return item;
  throw new Refusal(
    "NOT_FOUND",
    others.length > 0 ? `${which} could be several items of your inbox.` : `Your inbox has no item ${which}.`,
    "List them with: crewdeck inbox",
  );
}

function sendAnswer(api: Api, item: Item, text: string): Promise<unknown> {
  switch (item.kind) {
    case "ask":
      return api.call("covibe_coordination", { operation: "reply", ask_id: item.id, answer: text });
    case "blocked_start":
      return api.call("check_confirm", { check_id: item.id, reason: text });
    default:
      throw new Refusal("INVALID_STATE", "That item is not a question.", item.action);
  }
}
