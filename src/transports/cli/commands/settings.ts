import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Screen } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";

type Answer = AnswerOf<"settings_get">;

export function addSettings(shell: Shell): void {
  const command = shell.add({
    name: "settings",
    summary: "Show thresholds, their defaults and what they mean",
    examples: ["settings", "settings --json"],
  });
  shell.does(command, async (context) => {
    const settings = await (await openApi(context)).call("settings_get", {});
    answer(context, settings, () => linesOf(settings, context.screen));
    return undefined;
  });
}

const linesOf = ({ thresholds }: Answer, screen: Screen): string[] => [
  ...table(
    thresholds.map(({ key, value, default: fallback, least, most, meaning }) => [
      key,
      String(value),
      String(fallback),
      `${least} to ${most}`,
      meaning,
    ]),
    { screen, heading: ["SETTING", "VALUE", "DEFAULT", "RANGE", "MEANING"], flexible: [4], optional: [3, 2] },
  ),
  "",
  'Change them in config.json in the home, for example {"overlap": {"escalateThreshold": 0.2}}, then run: crewdeck stop',
];
