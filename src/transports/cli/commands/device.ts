import { Refusal } from "../../../contract/refusal.ts";
import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { cleanText } from "../text.ts";

type Device = AnswerOf<"device_list">["devices"][number];

export function addDevices(shell: Shell): void {
  const group = shell.add({
    name: "device",
    summary: "Approve machines that sign in with `crewdeck login`",
    examples: ["device list", "device approve WDJB-MJHT", "device deny WDJB-MJHT"],
  });

  for (const { verb, summary } of [
    { verb: "approve", summary: "Approve the machine that shows this code" },
    { verb: "deny", summary: "Deny the machine that shows this code" },
  ] as const) {
    const judge = shell
      .add({ name: verb, summary, examples: [`device ${verb} WDJB-MJHT`] }, group)
      .argument("<code>", "the code shown on that machine");
    shell.does(judge, async (context, _options, [code = ""]) => {
      const judged = await (await openApi(context)).call(`device_${verb}`, { code });
      const { device, status } = judged;
      if (!device)
        throw new Refusal("NOT_FOUND", "No machine is waiting with that code.", "Check the code on the machine.");
      answer(context, judged, () => [`${cleanText(device.machine_name)} (${device.agents.join(", ")}) is ${status}.`]);
      return undefined;
    });
  }

  const list = shell.add(
    { name: "list", summary: "List machines and your decisions", examples: ["device list --json"] },
    group,
  );
  shell.does(list, async (context) => {
    const { devices } = await (await openApi(context)).call("device_list", {});
    answer(context, { devices }, () =>
      devices.length === 0
        ? ["No machines. To sign in another machine, run there: crewdeck login --base-url URL"]
        : table(devices.map(rowOf), {
            screen: context.screen,
            heading: ["MACHINE", "AGENTS", "STATUS", "EXPIRES"],
            flexible: [0],
          }),
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
