import { type Catalogue, listTools, parseSelection, type Selection, tokenCost } from "../../../contract/listing.ts";
import { Refusal } from "../../../contract/refusal.ts";
import { readCatalogue } from "../../catalogue.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { amountText, count, none } from "../text.ts";

interface Options {
  readonly tools?: string;
  readonly exclude?: string;
  readonly readOnly?: true;
  readonly client?: string;
}

export function addTools(shell: Shell): void {
  const command = shell
    .add({
      name: "tools",
      summary: "List the tools a client sees, and what the list costs in tokens",
      examples: ["tools", "tools --client claude-code", "tools --tools all", "tools --tools workflow --read-only"],
    })
    .option("--tools <list>", "profiles (auto, core, all), families and tools, comma separated")
    .option("--exclude <list>", "families and tools to leave out")
    .option("--read-only", "only tools that change nothing")
    .option("--client <name>", "the client's name, such as claude-code");
  shell.does<Options>(command, async (context, options) => {
    const catalogue = readCatalogue();
    const entries = listTools(catalogue, selectionOf(options, catalogue), options.client);
    const familyOf = new Map(catalogue.tools.map((item) => [item.name, item.family]));
    const tools = entries.map(({ name, title, description }) => ({
      name,
      family: familyOf.get(name) ?? null,
      summary: title ?? firstSentence(description),
    }));
    const tokens = tokenCost(entries);
    answer(context, { tools, tokens }, () => [
      ...table(
        tools.map(({ name, family, summary }) => [name, family ?? none, summary]),
        { screen: context.screen, flexible: [2] },
      ),
      "",
      `${count(tools.length, "tool")}, about ${amountText(tokens)} tokens. All of them: crewdeck tools --tools all`,
    ]);
    return undefined;
  });
}

function selectionOf({ tools, exclude, readOnly }: Options, catalogue: Catalogue): Selection {
  try {
    return parseSelection(tools, { exclude, readOnly }, catalogue);
  } catch (error) {
    throw new Refusal("INVALID_REQUEST", error instanceof Error ? error.message : String(error));
  }
}

const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? text;
