import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openForecast } from "../../src/adapters/forecast/forecast.ts";
import { git, makeFolder, writeIn } from "../git/scratch.ts";
import { commitIn, lines, listAll, listConflicts } from "./scene.ts";

/** What somebody does in a worktree, committed or not. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant("edit" as const),
    file: fc.constantFrom("a.txt", "b.txt", "crlf.txt"),
    line: fc.nat(12),
  }),
  fc.record({ kind: fc.constant("rename" as const), to: fc.constantFrom("c.txt", "sub/a.txt") }),
  fc.record({ kind: fc.constant("delete" as const), file: fc.constantFrom("a.txt", "b.txt") }),
  fc.record({ kind: fc.constant("mode" as const), file: fc.constantFrom("a.txt", "b.txt") }),
  fc.record({ kind: fc.constant("link" as const), to: fc.constantFrom("a.txt", "b.txt") }),
  fc.record({ kind: fc.constant("submodule" as const), at: fc.constantFrom("1", "2") }),
  fc.record({ kind: fc.constant("pointer" as const), oid: fc.constantFrom("1", "2") }),
  fc.record({
    kind: fc.constant("attributes" as const),
    folder: fc.constantFrom("", "sub/"),
    says: fc.constantFrom("*.txt merge=union", "a.txt -merge", "* text=auto", "b.txt binary", "*.txt merge=own", ""),
  }),
  fc.record({ kind: fc.constant("commit" as const) }),
);
const work = fc.array(step, { minLength: 1, maxLength: 4 });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function act(folder: string, name: string, one: Step): void {
  const at = (file: string): string => join(folder, file);
  if (one.kind === "edit" && existsSync(at(one.file))) {
    const end = one.file === "crlf.txt" ? "\r" : "";
    writeIn(folder, one.file, lines({ [one.line + 1]: `${name}${end}` }));
  }
  if (one.kind === "rename" && existsSync(at("a.txt"))) {
    mkdirSync(dirname(at(one.to)), { recursive: true });
    renameSync(at("a.txt"), at(one.to));
  }
  if (one.kind === "delete") rmSync(at(one.file), { force: true });
  if (one.kind === "mode" && existsSync(at(one.file))) chmodSync(at(one.file), 0o755);
  if (one.kind === "link") {
    rmSync(at("link"), { force: true });
    symlinkSync(one.to, at("link"));
  }
  if (one.kind === "submodule") {
    const hash = git(folder, "rev-parse", "HEAD").replace(/./g, one.at);
    git(folder, "update-index", "--add", "--cacheinfo", `160000,${hash},vendored`);
    git(folder, "commit", "-q", "--allow-empty", "-m", "submodule");
  }
  if (one.kind === "pointer") writeIn(folder, "model.bin", `oid ${one.oid} of ${name}\n`);
  if (one.kind === "attributes") writeIn(folder, `${one.folder}.gitattributes`, `${one.says}\n`);
  if (one.kind === "commit") commitAll(folder);
}

/** A submodule that is nowhere checked out stays as it was committed. */
function commitAll(folder: string): void {
  git(folder, "add", "-A", "--", ":(exclude)vendored");
  git(folder, "commit", "-q", "--allow-empty", "-m", "work");
}

test("[FC1, FC4] of random work the verdict is git's own, and everything is as it was before", async () => {
  const scenario = { one: work, two: work, format: fc.constantFrom("sha1", "sha256"), isSparse: fc.boolean() };
  await fc.assert(
    fc.asyncProperty(fc.record(scenario), async ({ one, two, format, isSparse }) => {
      const around = makeFolder();
      const path = join(around, "shop");
      git(around, "init", "-q", "-b", "main", `--object-format=${format}`, path);
      commitIn(path, {
        "a.txt": lines(),
        "b.txt": lines(),
        "crlf.txt": lines().replaceAll("\n", "\r\n"),
        "aside/x.txt": "x\n",
      });
      const folders = ["one", "two"].map((name) => join(around, name));
      for (const folder of folders) git(path, "worktree", "add", "-q", "-b", folder.slice(-3), folder);
      if (isSparse) git(folders[0] ?? "", "sparse-checkout", "set", "--no-cone", "/*", "!/aside/");
      for (const some of one) act(folders[0] ?? "", "one", some);
      for (const some of two) act(folders[1] ?? "", "two", some);
      const before = listAll(around);
      const { meetings } = await openForecast(makeFolder()).look({ folder: path }, new AbortController().signal);
      expect(listAll(around)).toEqual(before);
      for (const folder of folders) commitAll(folder);
      const [meeting] = meetings.filter(({ between }) => !between.includes(path));
      const conflicts = listConflicts(folders[0] ?? "", "one", "two");
      expect(meeting?.verdict === "conflict").toBe(conflicts.length > 0);
      expect(meeting?.verdict).not.toBe("unknown");
    }),
    // What is most easily got wrong is tried each time.
    { numRuns: 6, examples: [[unionOnOne]] },
  );
});

const edit: Step = { kind: "edit", file: "a.txt", line: 3 };
const union: Step = { kind: "attributes", folder: "", says: "*.txt merge=union" };
const unionOnOne = { one: [union, edit], two: [edit], format: "sha256" as const, isSparse: true };

test("[FC4] a forecast that is broken off leaves everything as it was", async () => {
  const around = makeFolder();
  const path = join(around, "shop");
  git(around, "init", "-q", "-b", "main", path);
  commitIn(path, { "a.txt": lines() });
  for (const name of ["one", "two"]) {
    git(path, "worktree", "add", "-q", "-b", name, join(around, name));
    writeIn(join(around, name), "a.txt", lines({ 5: name }));
  }
  const before = listAll(around);
  const forecast = openForecast(makeFolder());
  const breaks = new AbortController();
  const looking = forecast.look({ folder: path }, breaks.signal);
  // Whichever step it is in by then.
  setImmediate(() => breaks.abort(new Error("broken off")));
  await looking.catch(() => undefined);
  expect(listAll(around)).toEqual(before);
  const { meetings } = await forecast.look({ folder: path }, new AbortController().signal);
  expect(meetings.map(({ verdict }) => verdict)).toEqual(["conflict"]);
});
