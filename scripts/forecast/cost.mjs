import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * What a forecast costs in a large repository with many worktrees, each on somebody's branch: the first look, a look
 * when nothing has happened, and one after one file was saved. Only the folders that a branch changes are checked out;
 * files of which the copy has no content are taken out of every branch.
 */
export async function judgeCost({ mirror, heads, base, load, folder, amounts }) {
  const { openForecast } = await load("forecast/forecast");
  const { git, commitWithout, listMissing } = openCopy(mirror, folder);
  const missing = listMissing(base);
  const start = commitWithout(base, missing, []);
  git("update-ref", "refs/heads/main", start);
  const worktrees = [];
  const results = [];
  for (const [at, head] of heads.entries()) {
    const path = join(folder, `worktree-${at}`);
    const changed = git("diff", "--name-only", "--no-renames", base, head).split("\n");
    const folders = [...new Set(changed.map((file) => dirname(file)))].slice(0, 20);
    const commit = commitWithout(head, [...missing, ...listMissing(head, changed)], ["-p", start]);
    git("worktree", "add", "-q", "--no-checkout", "-b", `work-${at}`, path, commit);
    const inside = (...args) => execFileSync("git", ["-C", path, ...args], { stdio: "ignore" });
    inside("sparse-checkout", "set", ...folders);
    inside("checkout", "-q");
    const file = changed.map((name) => join(path, name)).find((name) => existsSync(name));
    worktrees.push({ path, file });
    if (!amounts.includes(at + 1)) continue;
    const forecast = openForecast(join(folder, `home-${at}`));
    const look = (some) =>
      measure(() => forecast.look({ folder: join(folder, "repository"), changed: some }, new AbortController().signal));
    const first = await look();
    const idle = await look();
    const saved = [];
    for (const one of worktrees.filter((each) => each.file !== undefined).slice(0, 10)) {
      writeFileSync(one.file, `${readFileSync(one.file, "utf8")}\n// saved\n`);
      saved.push((await look([one.path])).processorMs);
    }
    results.push({
      worktrees: worktrees.length,
      unread: first.value.worktrees.filter(({ leftOutFor }) => leftOutFor !== null).length,
      meetings: first.value.meetings.length,
      firstMs: first.processorMs,
      idleMs: idle.processorMs,
      savedMs: saved.toSorted((one, other) => one - other),
    });
    console.log(`  ${JSON.stringify(results.at(-1))}`);
  }
  return results;
}

function openCopy(mirror, folder) {
  const place = join(folder, "repository");
  mkdirSync(place, { recursive: true });
  execFileSync("git", ["init", "-q", "-b", "main", place]);
  appendFileSync(join(place, ".git", "objects", "info", "alternates"), `${join(mirror, "objects")}\n`);
  const env = {
    ...process.env,
    GIT_INDEX_FILE: join(folder, "index"),
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, "Bench"],
        [`GIT_${who}_EMAIL`, "bench@localhost"],
      ]),
    ),
  };
  const run = (args, input) =>
    execFileSync("git", ["-C", place, ...args], { encoding: "utf8", env, input, maxBuffer: 1 << 28 }).trimEnd();
  return {
    git: (...args) => run(args),
    /** Paths of a commit whose content is not in the copy. */
    listMissing(commit, paths = []) {
      const files = run(["ls-tree", "-r", commit, ...(paths.length > 0 ? ["--", ...paths] : [])]).split("\n");
      const blobs = files.flatMap((line) => {
        const [, oid, path] = /^100\d+ blob (\S+)\t(.*)$/.exec(line) ?? [];
        return oid === undefined ? [] : [{ oid, path }];
      });
      const answers = run(["cat-file", "--batch-check"], `${blobs.map(({ oid }) => oid).join("\n")}\n`).split("\n");
      return blobs.flatMap(({ path }, at) => (answers[at]?.endsWith("missing") ? [path] : []));
    },
    commitWithout(commit, paths, parents) {
      run(["read-tree", commit]);
      run(["update-index", "--force-remove", "-z", "--stdin"], paths.map((path) => `${path}\0`).join(""));
      return run(["commit-tree", "-m", "work", ...parents, run(["write-tree"])]);
    },
  };
}

async function measure(act) {
  const before = processorMs();
  const value = await act();
  return { value, processorMs: processorMs() - before };
}

/** Of this process and of all that it has started and seen end; Linux counts in hundredths of a second. */
function processorMs() {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]) * 10, 0);
}
