import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { cleanText, table } from "../text.ts";

type Device = AnswerOf<"device_list">["devices"][number];

export function addDevices(shell: Shell): void {
  const group = shell.add({
    name: "device",
    summary: "The machines that ask for tokens with `crewdeck login`",
    examples: ["device list", "device approve WDJB-MJHT", "device deny WDJB-MJHT"],
  });

  for (const { verb, summary } of [
    { verb: "approve", summary: "Let the machine that shows this code have tokens of yours" },
    { verb: "deny", summary: "Refuse the machine that shows this code" },
  ] as const) {
    const judge = shell
      .add({ name: verb, summary, examples: [`device ${verb} WDJB-MJHT`] }, group)
      .argument("<code>", "the code that the machine shows");
    shell.does(judge, async (context, _options, [code = ""]) => {
      const judged = await (await openApi(context)).call(`device_${verb}`, { code });
      const { device, status } = judged;
      if (!device)
        throw new Refusal("NOT_FOUND", "No machine waits under that code.", "Type it as the machine shows it.");
      answer(context, judged, () => [`${cleanText(device.machine_name)} (${device.agents.join(", ")}) is ${status}.`]);
      return undefined;
    });
  }

  const list = shell.add(
    { name: "list", summary: "Show who waits and what you decided", examples: ["device list --json"] },
    group,
  );
  shell.does(list, async (context) => {
    const { devices } = await (await openApi(context)).call("device_list", {});
    answer(context, { devices }, () =>
      devices.length === 0
        ? ["No machine waits. One that shall sign in runs: crewdeck login --base-url URL"]
        : table([["MACHINE", "AGENTS", "STATE", "UNTIL"], ...devices.map(rowOf)]),
    );
    return undefined;
  });
}

const rowOf = ({ machine_name, agents, status, expires_at }: Device): string[] => [
  machine_name,
  agents.join(", "),
  status,
  expires_at.slice(0, 16).replace("T", " "),
];
