import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareSnapshot, takeSnapshot } from "../../src/adapters/evidence/snapshot.ts";
import { never, type Reported } from "./changes.ts";
import { type elsewhere, lines, withMainElsewhere } from "./own-work.ts";
import { makeRepository } from "./repository.ts";

type Step =
  | { readonly do: "write"; readonly file: number; readonly value: number }
  | { readonly do: "edit"; readonly value: number }
  | { readonly do: "delete"; readonly file: number }
  | { readonly do: "main"; readonly file: number; readonly value: number }
  | { readonly do: "commit" | "stage" | "rebase" | "merge" | "amend" | "squash" | "pick" | "branch" | "takeOver" };

const small = fc.integer({ min: 0, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("write" as const), file: small, value: small }),
  fc.record({ do: fc.constant("edit" as const), value: small }),
  fc.record({ do: fc.constant("delete" as const), file: small }),
  fc.record({ do: fc.constant("main" as const), file: small, value: small }),
  fc.record({
    do: fc.constantFrom("commit", "stage", "rebase", "merge", "amend", "squash", "pick", "branch", "takeOver"),
  }),
);

/**
 * The branch owns `own/*` and the last line of `both.txt`, main owns `main/*` and its first line, so nothing conflicts and
 * whose work a change is follows from who wrote it.
 */
class OwnWork {
  readonly r = makeRepository();
  readonly #main: ReturnType<typeof elsewhere>;
  readonly #start: ReadonlyMap<string, string>;
  readonly #now = new Map<string, string>();
  #branches = 0;

  constructor() {
    const { r } = this;
    r.write("own/0", "0");
    r.write("main/0", "0");
    r.write("both.txt", lines("0", "0"));
    r.commit("base");
    r.git("checkout", "-q", "-b", "feature");
    r.write("own/1", "1");
    r.write("both.txt", lines("0", "start"));
    r.commit("before the start");
    this.#main = withMainElsewhere(r);
    this.#start = new Map([
      ["own/0", "0"],
      ["own/1", "1"],
      ["both.txt", "start"],
    ]);
    for (const [name, value] of this.#start) this.#now.set(name, value);
  }

  take(step: Step): void {
    const { r } = this;
    switch (step.do) {
      case "write":
        this.#now.set(`own/${step.file}`, `own ${step.value}`);
        r.write(`own/${step.file}`, `own ${step.value}`);
        break;
      case "edit": {
        this.#now.set("both.txt", `own ${step.value}`);
        const [top = ""] = readFileSync(join(r.dir, "both.txt"), "utf8").split("\n");
        r.write("both.txt", lines(top, `own ${step.value}`));
        break;
      }
      case "delete":
        this.#now.delete(`own/${step.file}`);
        r.remove(`own/${step.file}`);
        break;
      case "main":
        this.#goOnWithMain(step);
        break;
      case "stage":
        r.git("add", "-A");
        break;
      default:
        r.commit("work");
        this.#rearrange(step.do);
    }
  }

  #goOnWithMain({ file, value }: { readonly file: number; readonly value: number }): void {
    const { dir } = this.#main;
    const bottom = readFileSync(join(dir, "both.txt"), "utf8").split("\n").at(-2) ?? "";
    writeFileSync(join(dir, "both.txt"), lines(`main ${value}`, bottom));
    writeFileSync(join(dir, "main", `${file}`), `main ${value}`);
    this.#main.git("add", "-A");
    this.#main.git("commit", "-q", "--allow-empty", "-m", "main");
  }

  #rearrange(how: "commit" | "rebase" | "merge" | "amend" | "squash" | "pick" | "branch" | "takeOver"): void {
    const { r } = this;
    const fork = r.git("merge-base", "main", "HEAD").trim();
    const isOnTop = fork !== r.git("rev-parse", "HEAD").trim();
    if (how === "rebase") this.#orUndo(["rebase", "-q", "main"], ["rebase", "--abort"]);
    else if (how === "merge") this.#orUndo(["merge", "-q", "-m", "merged", "main"], ["merge", "--abort"]);
    else if (how === "amend" && isOnTop) r.git("commit", "-q", "--amend", "--allow-empty", "-m", "amended");
    else if (how === "squash" && isOnTop) {
      r.git("reset", "-q", "--soft", fork);
      r.git("commit", "-q", "--allow-empty", "-m", "squashed");
    } else if (how === "pick" && r.git("rev-list", "--merges", `${fork}..HEAD`) === "" && isOnTop) this.#pick(fork);
    else if (how === "branch") r.git("branch", `b${++this.#branches}`);
    else if (how === "takeOver") this.#takeOver();
  }

  #takeOver(): void {
    try {
      this.#main.git("merge", "-q", "--no-ff", "-m", "taken over", this.r.git("rev-parse", "HEAD").trim());
    } catch {
      this.#main.git("merge", "--abort");
    }
  }

  #pick(fork: string): void {
    const { r } = this;
    const here = r.git("symbolic-ref", "--short", "HEAD").trim();
    r.git("checkout", "-q", "-b", `p${++this.#branches}`, "main");
    const isPicked = this.#orUndo(
      ["cherry-pick", "--allow-empty", "--keep-redundant-commits", `${fork}..${here}`],
      ["cherry-pick", "--abort"],
    );
    if (!isPicked) r.git("checkout", "-q", here);
  }

  /** Work that was taken over and changed since may stand in the way of itself. */
  #orUndo(args: readonly string[], undo: readonly string[]): boolean {
    try {
      this.r.git(...args);
      return true;
    } catch {
      this.r.git(...undo);
      return false;
    }
  }

  expected(): Omit<Reported, "warnings"> {
    const names = [...new Set([...this.#start.keys(), ...this.#now.keys()])].sort();
    const was = (name: string) => this.#start.get(name);
    const is = (name: string) => this.#now.get(name);
    return {
      added: names.filter((name) => was(name) === undefined && is(name) !== undefined),
      modified: names.filter((name) => was(name) !== undefined && is(name) !== undefined && was(name) !== is(name)),
      deleted: names.filter((name) => was(name) !== undefined && is(name) === undefined),
    };
  }
}

test("[EV20] however branches are rebased, squashed, amended, picked, merged and taken over, the report is what the branch's own hands did", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      const work = new OwnWork();
      const snapshot = await takeSnapshot(work.r.dir, never);
      for (const one of steps) work.take(one);
      const { added, modified, deleted } = await compareSnapshot(snapshot, never);
      expect({ added, modified, deleted }).toEqual(work.expected());
    }),
    { numRuns: 20 },
  );
});
