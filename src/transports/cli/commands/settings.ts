import { Refusal } from "../../../contract/refusal.ts";
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
    summary: "Show thresholds, their defaults and what they mean, or change one",
    examples: ["settings", "settings --json", "settings set overlap.escalateThreshold 0.2"],
  });
  const set = shell
    .add(
      {
        name: "set",
        summary: "Change a threshold for the team, at once",
        examples: ["settings set overlap.escalateThreshold 0.2", "settings set vault.maxEntries default"],
      },
      command,
    )
    .argument("<setting>", "its name, such as overlap.warnFloor")
    .argument("<value>", "a number, or default");
  shell.does(set, async (context, _options, [key = "", given = ""]) => {
    const value = given === "default" ? null : Number(given);
    if (given.trim() === "" || Number.isNaN(value)) {
      throw new Refusal("INVALID_REQUEST", `"${given}" is not a number.`, "Pass a number, or default.");
    }
    const changed = await (await openApi(context)).post("/api/thresholds", { key, value });
    answer(context, changed, () => [`${key} is now ${value === null ? "at its default" : value}.`]);
    return undefined;
  });
  shell.does(command, async (context) => {
    const settings = await (await openApi(context)).call("settings_get", {});
    answer(context, settings, () => linesOf(settings, context.screen));
    return undefined;
  });
}

/** Below this a meaning would be cut to a word or two; it stands below its setting. */
const narrow = 100;

const linesOf = ({ thresholds }: Answer, screen: Screen): string[] => [
  ...(screen.width < narrow ? blocksOf(thresholds, screen) : rowsOf(thresholds, screen)),
  "",
  "The owner changes one with: crewdeck settings set SETTING VALUE",
];

type Thresholds = Answer["thresholds"];

const rowsOf = (thresholds: Thresholds, screen: Screen): string[] =>
  table(
    thresholds.map(({ key, value, default: fallback, least, most, meaning }) => [
      key,
      String(value),
      String(fallback),
      `${least} to ${most}`,
      meaning,
    ]),
    { screen, heading: ["SETTING", "VALUE", "DEFAULT", "RANGE", "MEANING"], flexible: [4], optional: [3] },
  );

const blocksOf = (thresholds: Thresholds, screen: Screen): string[] => {
  const cells = thresholds.map(({ key, value, default: fallback }) => [key, String(value), String(fallback)]);
  const [heading = "", ...lines] = table(cells, { screen, heading: ["SETTING", "VALUE", "DEFAULT"] });
  return [heading, ...lines.flatMap((line, at) => [line, ...wrap(thresholds[at]?.meaning ?? "", screen.width)])];
};

/** A sentence on as many lines as it takes, indented. */
function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length + 3 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines.map((line) => `  ${line}`);
}
