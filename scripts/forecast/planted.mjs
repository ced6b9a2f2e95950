import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask } from "./data.mjs";

/** Languages whose names are read; others are left out and counted. */
const families = ["go", "js", "py", "rs", "jvm"];

/**
 * A real commit that begins to use a name, against a side made up here that renames it everywhere or adds a parameter.
 * Git merges most of these; told are those in which the name is said to be the matter.
 */
export async function judgePlanted(lines, { mirror, open }) {
  const judged = [];
  const { repository, sides, meetings } = await open();
  for (const line of lines) {
    if (!families.includes(line.family)) continue;
    const parent = ask(mirror, "rev-parse", `${line.x}^`);
    const planted = await plant(repository, mirror, { ...line, parent }).catch(() => undefined);
    if (planted === undefined) continue;
    const base = { branch: "main", commit: parent };
    const both = [];
    for (const [name, commit] of Object.entries({ real: line.x, planted }))
      both.push(await sides.ofCommit(repository, { name, commit }, base));
    if (both.includes(undefined)) continue;
    const [meeting] = await meetings.find(repository, both);
    if (meeting?.verdict === "conflict" || meeting?.verdict === "unknown") continue;
    const isTold = meeting?.places.some(({ symbol }) => symbol?.name === line.S) ?? false;
    judged.push({ ...line, isTold });
  }
  return judged;
}

async function plant(repository, mirror, { parent, S, plant: how, def, family }) {
  const word = new RegExp(`\\b${S.replace(/\W/g, "\\$&")}\\b`, "g");
  const files =
    how === "rename"
      ? ask(mirror, "grep", "-lIw", "-F", "-e", S, parent)
          .split("\n")
          .map((line) => line.slice(parent.length + 1))
      : [def];
  const scratch = mkdtempSync(join(tmpdir(), "crewdeck-planted-"));
  try {
    const within = { indexFile: join(scratch, "index") };
    await repository.git(["read-tree", parent], within);
    for (const path of files) {
      const before = ask(mirror, "cat-file", "blob", `${parent}:${path}`);
      const after = how === "rename" ? before.replace(word, `${S}Renamed`) : addParameter(before, { S, def, family });
      if (after === before) throw new Error(`${S} is not defined in ${path} in a way that is known here`);
      const { text: oid } = await repository.git(["hash-object", "-w", "--stdin"], { input: `${after}\n` });
      const [mode] = ask(mirror, "ls-tree", parent, path).split(" ");
      await repository.git(["update-index", "-z", "--index-info"], { ...within, input: `${mode} ${oid}\t${path}\0` });
    }
    const { text: tree } = await repository.git(["write-tree"], within);
    const who = { NAME: "planted", EMAIL: "planted@localhost", DATE: "1000000000 +0000" };
    const env = Object.fromEntries(
      Object.entries(who).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    );
    return (await repository.git(["commit-tree", "-m", "planted", "-p", parent, tree], { env })).text;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** How a definition looks to whoever plants: written apart from what is measured. */
const looks = {
  go: (name) => `func\\s*(?:\\([^)]*\\)\\s*)?${name}(?:\\[[^\\]]*\\])?\\(`,
  js: (name) =>
    `(?:function\\s*\\*?\\s*${name}|\\b${name}\\s*[:=]\\s*(?:async\\s*)?(?:function\\s*\\w*\\s*)?|^[ \\t]+(?:[a-z]+[ \\t]+)*${name}\\??)\\s*(?:<[^(]*>)?\\((?![^()]*\\)\\s*[;,.)])`,
  jvm: (name) => `[\\w>\\]]\\s+${name}\\s*\\((?=[^()]*\\)[^;()]*\\{)`,
  py: (name) => `def\\s+${name}\\s*\\(\\s*(?:(?:self|cls)\\s*,?\\s*)?`,
  rs: (name) => `fn\\s+${name}\\s*(?:<[^(]*>)?\\(\\s*(?:&?\\s*(?:mut\\s+)?self\\s*,?\\s*)?`,
};
const parameters = { go: "planted int", jvm: "int planted", py: "planted", rs: "planted: i32", js: "planted" };

function addParameter(text, { S, family }) {
  const look = new RegExp(looks[family](S.replace(/\W/g, "\\$&")), "gm");
  return text.replace(look, (found, ...rest) => {
    const [at] = rest.filter((one) => typeof one === "number");
    const isLast = text
      .slice(at + found.length)
      .trimStart()
      .startsWith(")");
    const comma = /self\s*$|cls\s*$/.test(found) ? ", " : "";
    return `${found}${comma}${parameters[family]}${isLast ? "" : ", "}`;
  });
}
