import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openTestHouse } from "../../src/testing/house.ts";
import { git, makeRepository } from "../git/scratch.ts";

const files = {
  "src/handler.ts": `import { exec } from "node:child_process";

/** Runs what a request asks for. */
@Controller("run")
export class Handler extends Base {
  private count = 0;

  async run(req: Request, retries: number): Promise<string> {
    const command = req.query.command;
    this.count = this.count + 1;
    for (const one of retries) {
      if (one === 3) continue;
      if (one === 4) break;
    }
    const answer = await fetchAll(command);
    exec(command);
    if (!answer) throw new TimeoutError("late");
    return answer;
  }

  protected *steps() {
    yield 1;
  }
}

export function plain(list: string[]): void {
  list.push("x");
}
`,
  "src/plain.py": `import os

class Reader(Base):
    @property
    def lines(self, limit: int) -> list:
        while limit:
            limit = limit - 1
        return os.listdir(self.path)
`,
  "docs/guide.md": "# Guide\n\nHow handlers run.\n\n## Retries\n\nThree of them.\n",
};

/** Each filter with what passes it: names of chunks, of which some must be there and some must not. */
const cases: readonly [Record<string, unknown>, readonly string[], readonly string[]][] = [
  [{ type: "class" }, ["Handler"], ["run", "plain"]],
  [{ type: "function,method" }, ["run", "plain"], ["Handler"]],
  [{ calls: "fetchAll" }, ["run"], ["plain"]],
  [{ calls: "fetch" }, [], ["run"]],
  [{ import: "node:child_process" }, ["run", "plain"], ["lines"]],
  [{ import: "os" }, ["lines"], ["run"]],
  [{ param: "retries" }, ["run"], ["plain"]],
  [{ signature: "list: string[]" }, ["plain"], ["run"]],
  [{ decorator: "controller" }, ["Handler"], ["plain"]],
  [{ returnType: "promise" }, ["run"], ["plain"]],
  [{ throws: "timeout" }, ["run"], ["plain"]],
  [{ awaits: "fetch" }, ["run"], ["plain"]],
  [{ extends: "base" }, ["Handler", "Reader"], ["plain"]],
  [{ visibility: "protected" }, ["steps"], ["run"]],
  [{ async: true }, ["run"], ["plain", "steps"]],
  [{ generator: true }, ["steps"], ["run"]],
  [{ returns: true }, ["run"], ["plain"]],
  [{ branchesMin: 2 }, ["run"], ["plain"]],
  [{ loopsMin: 1 }, ["run", "lines"], ["plain"]],
  [{ breaksMin: 1 }, ["run"], ["lines"]],
  [{ continuesMin: 1, lang: "ts" }, ["run"], ["plain"]],
  [{ mutates: "list" }, ["plain"], []],
  [{ reads: "command" }, ["run"], ["plain"]],
  [{ writes: "count" }, ["run"], ["plain"]],
  [{ riskSink: "exec" }, ["run"], ["plain"]],
  [{ risk: "command-injection" }, ["run"], ["plain"]],
  [{ riskSource: "req.query" }, ["run"], ["plain"]],
  [{ riskFlow: "req.query->exec" }, ["run"], ["plain"]],
  [{ lang: "python" }, ["lines"], ["run"]],
  [{ author: "ada" }, ["run", "lines"], []],
  [{ author: "nobody" }, [], ["run", "lines"]],
  [{ chunkAuthor: "ada", path: "plain" }, ["lines"], ["run"]],
  [{ churnMin: 3 }, ["run"], []],
  [{ churnMin: 100_000 }, [], ["run"]],
  [{ modifiedSince: 1 }, ["run"], []],
  [{ modifiedAfter: "2100-01-01" }, [], ["run"]],
  [{ async: true, param: "list" }, [], ["run", "plain"]],
];

test("[IX5] every filter leaves what it is about", async () => {
  const { path: repoPath } = makeRepository();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repoPath, path)), { recursive: true });
    writeFileSync(join(repoPath, path), text);
  }
  git(repoPath, "add", "-A");
  git(repoPath, "commit", "-q", "-m", "Files");
  const house = await openTestHouse("sqlite");
  await house.call("build_index", { repoPath });
  const wrong: unknown[] = [];
  for (const [filter, some, others] of cases) {
    const ask = { repoPath, query: "", mode: "code", top: 100, ...filter };
    const { code } = await house.call<{ code: { name: string }[] }>("search", ask);
    const names = code.map(({ name }) => name.replace(/^.*\./, ""));
    const isRight = some.every((name) => names.includes(name)) && !others.some((name) => names.includes(name));
    if (!isRight) wrong.push({ filter, names });
  }
  expect(wrong).toEqual([]);
  const full = await house.call("search", { repoPath, query: "fetchAll", mode: "code", output: "full" });
  expect(full).toMatchObject({
    code: [{ name: "run", kind: "method", signature: expect.stringContaining("async run"), meta: { async: true } }],
  });
  const sections = await house.call<{ prose: { name: string }[] }>("search", { repoPath, query: "", type: "section" });
  expect(sections.prose.map(({ name }) => name).sort()).toEqual(expect.arrayContaining(["Guide", "Retries"]));
});
