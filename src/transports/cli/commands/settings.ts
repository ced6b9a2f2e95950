import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../text.ts";

type Answer = AnswerOf<"settings_get">;

export function addSettings(shell: Shell): void {
  const command = shell.add({
    name: "settings",
    summary: "Show the thresholds in force, and what each of them means",
    examples: ["settings", "settings --json"],
  });
  shell.does(command, async (context) => {
    const settings = await (await openApi(context)).call("settings_get", {});
    answer(context, settings, () => linesOf(settings));
    return undefined;
  });
}

const linesOf = ({ thresholds }: Answer): string[] => [
  ...table([
    ["SETTING", "VALUE", "DEFAULT", "RANGE", "MEANING"],
    ...thresholds.map(({ key, value, default: fallback, least, most, meaning }) => [
      key,
      String(value),
      String(fallback),
      `${least} to ${most}`,
      meaning,
    ]),
  ]),
  "",
  'Set them in config.json in the server\'s home, as in {"overlap": {"escalateThreshold": 0.2}}, then: crewdeck stop',
];
