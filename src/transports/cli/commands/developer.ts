import type { AnswerOf } from "../../../tools/calls.ts";
import { openApi } from "../api.ts";
import { answer } from "../context.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";
import { none } from "../text.ts";

type Developer = AnswerOf<"developer_list">["developers"][number];

interface Fields {
  readonly name?: string;
  readonly email?: string;
  readonly private?: boolean;
}

export function addDevelopers(shell: Shell): void {
  const group = shell.add({
    name: "developer",
    summary: "Manage the people of the team",
    examples: ["developer list", 'developer create ada --name "Ada L." --email ada@example.com'],
  });

  const create = shell
    .add(
      {
        name: "create",
        alias: "add",
        summary: "Add a developer",
        examples: ["developer create ada", "developer create ada --private"],
      },
      group,
    )
    .argument("<handle>", "unique short name: lower-case letters, digits and hyphens")
    .option("--name <name>", "full name")
    .option("--email <address>", "email address")
    .option("--private", "hide them from everyone but themselves");
  shell.does<Fields>(create, async (context, fields, [handle = ""]) => {
    const developer = await (await openApi(context)).call("developer_create", { handle, ...fields });
    answer(context, developer, () => [
      `Added ${developer.handle}. Give them a token with: crewdeck token create --developer ${developer.handle}`,
    ]);
    return undefined;
  });

  const list = shell.add({ name: "list", summary: "List developers", examples: ["developer list --json"] }, group);
  shell.does(list, async (context) => {
    const { developers } = await (await openApi(context)).call("developer_list", {});
    answer(context, { developers }, () => [
      ...table(developers.map(rowOf), {
        screen: context.screen,
        heading: ["HANDLE", "NAME", "EMAIL", "ROLE", "PRIVATE"],
        flexible: [1],
      }),
      ...(developers.length > 1 ? [] : ["", "Add a developer with: crewdeck developer create HANDLE"]),
    ]);
    return undefined;
  });

  const update = shell
    .add(
      {
        name: "update",
        summary: "Change a developer's name, email or privacy",
        examples: ['developer update ada --name "Ada L."', "developer update ada --no-private"],
      },
      group,
    )
    .argument("<handle>", "the developer to change")
    .option("--name <name>", "new name")
    .option("--email <address>", "new email address")
    .option("--private", "hide them from everyone but themselves")
    .option("--no-private", "show them to everyone");
  shell.does<Fields>(update, async (context, fields, [handle = ""]) => {
    const developer = await (await openApi(context)).call("developer_update", { handle, ...fields });
    answer(context, developer, () => table([rowOf(developer)]));
    return undefined;
  });
}

const rowOf = ({ handle, name, email, role, private: isPrivate }: Developer): string[] => [
  handle,
  name,
  email ?? none,
  role,
  isPrivate ? "yes" : "no",
];
