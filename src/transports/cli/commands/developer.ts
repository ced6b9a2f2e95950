import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../text.ts";

type Developer = AnswerOf<"developer_list">["developers"][number];

interface Fields {
  readonly name?: string;
  readonly email?: string;
  readonly private?: boolean;
}

export function addDevelopers(shell: Shell): void {
  const group = shell.add({
    name: "developer",
    summary: "The people of the team",
    examples: ["developer list", 'developer create ada --name "Ada L." --email ada@example.com'],
  });

  const create = shell
    .add(
      { name: "create", summary: "Add a person", examples: ["developer create ada", "developer create ada --private"] },
      group,
    )
    .argument("<handle>", "their short unique name: lower-case letters, digits and hyphens")
    .option("--name <name>", "their name")
    .option("--email <address>", "their e-mail address")
    .option("--private", "hide them from everyone but themselves");
  shell.does<Fields>(create, async (context, fields, [handle = ""]) => {
    const developer = await (await openApi(context)).call("developer_create", { handle, ...fields });
    answer(context, developer, () => [
      `Added ${developer.handle}. Give them a token with: crewdeck token create --developer ${developer.handle}`,
    ]);
    return undefined;
  });

  const list = shell.add({ name: "list", summary: "Show everyone", examples: ["developer list --json"] }, group);
  shell.does(list, async (context) => {
    const { developers } = await (await openApi(context)).call("developer_list", {});
    answer(context, { developers }, () => [
      ...table([["HANDLE", "NAME", "E-MAIL", "ROLE", "PRIVATE"], ...developers.map(rowOf)]),
      ...(developers.length > 1 ? [] : ["", "Nobody else yet. Add a person with: crewdeck developer create HANDLE"]),
    ]);
    return undefined;
  });

  const update = shell
    .add(
      {
        name: "update",
        summary: "Change a person's name, e-mail or privacy",
        examples: ['developer update ada --name "Ada L."', "developer update ada --no-private"],
      },
      group,
    )
    .argument("<handle>", "whose record it is")
    .option("--name <name>", "a new name")
    .option("--email <address>", "a new e-mail address")
    .option("--private", "hide them from everyone but themselves")
    .option("--no-private", "show them again");
  shell.does<Fields>(update, async (context, fields, [handle = ""]) => {
    const developer = await (await openApi(context)).call("developer_update", { handle, ...fields });
    answer(context, developer, () => table([rowOf(developer)]));
    return undefined;
  });
}

const rowOf = ({ handle, name, email, role, private: isPrivate }: Developer): string[] => [
  handle,
  name,
  email ?? "-",
  role,
  isPrivate ? "yes" : "no",
];
