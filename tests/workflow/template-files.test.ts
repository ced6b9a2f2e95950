import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readTemplateFiles } from "../../src/adapters/template-files.ts";
import { openTestHouse } from "../../src/testing/house.ts";

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "crewdeck-templates-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const yaml = `
description: How we release
tasks:
  - name: Tag {{version}}
  - name: Publish {{version}}
    depends_on: ["Tag {{version}}"]
`;

async function openWithFiles() {
  const dir = tempDir();
  const [repository, user] = [join(dir, "shop"), join(dir, "home", "templates")];
  mkdirSync(join(repository, ".crewdeck", "templates"), { recursive: true });
  mkdirSync(user, { recursive: true });
  const house = await openTestHouse("sqlite", {
    ports: { template: { readFiles: (paths, signal) => readTemplateFiles(paths, user, signal) } },
  });
  await house.call("repository_register", { path: repository });
  return { house, repository, user, folder: join(repository, ".crewdeck", "templates") };
}

interface Listed {
  readonly templates: { id: string; name: string; task_count: number; template: { variables: { name: string }[] } }[];
}

test("[TP30, TP31] YAML and JSON files of repositories and of the user stand beside stored and built-in templates", async () => {
  const { house, folder, user } = await openWithFiles();
  writeFileSync(join(folder, "release.yaml"), yaml);
  writeFileSync(join(user, "spike.json"), JSON.stringify({ name: "Spike", tasks: [{ name: "Try it" }] }));
  await house.call("template_create", {
    name: "Stored",
    template: { tasks: [{ name: "One", description: "", sequence: 1 }] },
  });
  const { templates } = await house.call<Listed>("template_list");
  expect(templates.map(({ id, name }) => [id.replace(/^tmpl_.*/, "tmpl_"), name])).toEqual([
    ["file:shop/release.yaml", "release"],
    ["file:user/spike.json", "Spike"],
    ["tmpl_", "Stored"],
    ["builtin:feature", "feature"],
    ["builtin:bugfix", "bugfix"],
    ["builtin:refactor", "refactor"],
  ]);
  expect(templates[0]?.template.variables).toEqual([{ name: "version", description: "", required: true }]);
});

test("[TP32] a template from a file is applied like any other", async () => {
  const { house, folder } = await openWithFiles();
  writeFileSync(join(folder, "release.yaml"), yaml);
  const { workflow_id } = await house.call<{ workflow_id: string }>("template_apply", {
    template_id: "file:shop/release.yaml",
    workflow_name: "Release 2",
    variables: { version: "2.0" },
  });
  const { tasks } = await house.call<{ tasks: { name: string; status: string; depends_on: string[] }[] }>(
    "workflow_get",
    { id: workflow_id, include_tasks: true },
  );
  expect(tasks.map(({ name, status, depends_on }) => ({ name, status, depends_on }))).toEqual([
    { name: "Tag 2.0", status: "pending", depends_on: [] },
    { name: "Publish 2.0", status: "blocked", depends_on: ["Tag 2.0"] },
  ]);
});

test("[TP33] what is no template, too large, or a link out of the folder is left out and never read", async () => {
  const { house, folder, repository } = await openWithFiles();
  const secret = join(repository, "secret.json");
  writeFileSync(secret, JSON.stringify({ tasks: [{ name: "leaked" }] }));
  symlinkSync(secret, join(folder, "link.json"));
  writeFileSync(join(folder, "broken.yaml"), "tasks: [");
  writeFileSync(join(folder, "other.json"), JSON.stringify({ tasks: "none" }));
  writeFileSync(join(folder, "large.json"), JSON.stringify({ tasks: [{ name: "x".repeat(300_000) }] }));
  writeFileSync(
    join(folder, "bomb.yaml"),
    `a: &a [x, x]\n${"b: &b [*a, *a, *a, *a]\n".repeat(1)}tasks: ${"[*a, ".repeat(30)}`,
  );
  const { templates } = await house.call<Listed>("template_list");
  expect(templates.filter(({ id }) => id.startsWith("file:"))).toEqual([]);
});
