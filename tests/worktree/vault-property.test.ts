import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gitHands } from "../../src/adapters/git/hands.ts";
import { openGitHost } from "../../src/adapters/git/host.ts";
import { WorktreeId } from "../../src/contract/ids.ts";
import { git, makeFolder, makeRepository } from "../git/scratch.ts";
import { capture } from "./capture.ts";

/** Few names, so that edits meet: files, folders and links take each other's place. */
const names = ["a.txt", "lib/b.txt", "lib", "lib/c.txt", "new", "new/d", "-dash", 'q"uote\n', "ü/ñ.txt", "x.crlf"];
const name = fc.constantFrom(...names);
const content = fc.oneof(
  fc.constantFrom("", "one\n", "two\r\n", "one\n", "mixed\r\nends\n"),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);

const edit = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("write" as const), name, content, isProgram: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("link" as const),
      name,
      target: fc.constantFrom("a.txt", "/nonexistent/folder", "nowhere"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), name }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant("git" as const),
      args: fc.constantFrom(
        ["-c", "core.safecrlf=false", "add", "-A"],
        ["-c", "core.safecrlf=false", "add", "-A"],
        ["reset", "-q"],
        ["add", "--intent-to-add"],
        ["update-index", "--assume-unchanged"],
        ["rm", "-q", "-r", "--cached"],
      ),
      name: name.map((one): string | undefined => one),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("git" as const),
      args: fc.constantFrom(["commit", "-q", "--allow-empty", "-m", "a step"], ["checkout", "-q", "--detach"]),
      name: fc.constant(undefined),
    }),
  },
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** What cannot be done at this moment is left out: which edits are possible is not the point. */
function attempt(path: string, step: Edit): void {
  try {
    apply(path, step);
  } catch {
    // It was not possible.
  }
}

function apply(path: string, step: Edit): void {
  switch (step.do) {
    case "write":
      write(join(path, step.name), step.content, step.isProgram);
      break;
    case "link":
      rmSync(join(path, step.name), { recursive: true, force: true });
      symlinkSync(step.target, join(path, step.name));
      break;
    case "remove":
      rmSync(join(path, step.name), { recursive: true, force: true });
      break;
    case "git":
      git(path, ...step.args, ...(step.name === undefined ? [] : ["--", step.name]));
      break;
  }
}

function write(file: string, text: string, isProgram: boolean): void {
  if (existsSync(file) && lstatSync(file).isDirectory()) rmSync(file, { recursive: true });
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, text, "latin1");
  chmodSync(file, isProgram ? 0o755 : 0o644);
}

test("[VA1, VA2, VA18] whatever was edited, staged and committed, the copy gives it back byte for byte", async () => {
  const repository = makeRepository({
    "a.txt": "one\n",
    "lib/b.txt": "two\n",
    ".gitattributes": "*.crlf text eol=crlf\n",
  });
  const hands = gitHands(openGitHost({ dataDir: makeFolder() }));
  const turn = (key: string) => ({ key, attempt: 1, signal: new AbortController().signal });
  let round = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 12 }), async (edits) => {
      round += 1;
      const worktreeId = WorktreeId.parse(`ws_${round}`);
      const path = `${repository.path}-worktrees/${worktreeId}`;
      const ask = { worktreeId, repositoryPath: repository.path, path, branch: `work/${round}`, baseBranch: null };
      await hands["worktree.make"].run(ask, turn(worktreeId));
      for (const step of edits) attempt(path, step);
      const before = capture(path);

      const storing = { ...ask, number: 1, at: 1_700_000_000_000 };
      const stored = await hands["worktree.store"].run(storing, turn("store"));
      if (stored === null) throw new Error("nothing was stored");
      expect(capture(path)).toEqual(before);
      const { head, trees, branch } = stored;
      expect(await hands["worktree.remove"].run({ ...ask, head, trees }, turn("remove"))).toEqual({
        hasChanged: false,
      });
      expect(existsSync(path)).toBe(false);
      const restoring = { repositoryPath: repository.path, path, branch, head, trees };
      const restored = await hands["vault.restore"].run(restoring, turn(`restore ${round}`));

      expect(restored).toEqual({ path, isOnBranch: branch !== null, isExact: true });
      expect(capture(path)).toEqual(before);
    }),
    { numRuns: 25 },
  );
});
