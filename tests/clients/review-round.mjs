import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What is asked of the coder, what it writes first and then, and what the reviewer says of it. */
export const story = {
  task: "Write greeting.txt that says hello.",
  file: "greeting.txt",
  drafts: ["helo\n", "hello\n"],
  messages: ["Add a greeting", "Mend the greeting"],
  feedback: {
    feedback: "The greeting lacks a letter.",
    feedback_type: "needs_work",
    actionable_items: ["Write hello"],
  },
  approval: { title: "Add a greeting", description: "It says hello.", base_branch: "main" },
};

/** Reviewers wait at it until the coder's program has been ended. */
export function openGate() {
  let open;
  const isOpen = new Promise((resolve) => {
    open = resolve;
  });
  return { isOpen, open };
}

/** Who a request to the model is from, and how far it has come, as the text of the request says. */
export function readScene(text) {
  const [, folder = "", id = ""] = /([^"\s\\]+\/worktrees\/((?:work|review)-[0-9a-z]{8}))/.exec(text) ?? [];
  return {
    folder,
    isReviewer: id.startsWith("review-"),
    isSecond: text.includes("This is round 2."),
    isToldOf: text.includes(story.feedback.feedback),
    /** The file that it was told to read, once for each turn. */
    promptFiles: [...text.matchAll(/Read the file (\S+) and do what it says/g)].map(([, file]) => file),
  };
}

/**
 * One whole round with a program that we start ourselves: the coder writes, commits and asks for a review, the reviewer
 * sends it back, the coder goes on in its conversation, mends it and asks again, and the second reviewer approves.
 */
export async function playRound(place, { name, program, mode, env, gate }) {
  const git = (...args) => execFileSync("git", args, { cwd: place.work, encoding: "utf8" }).trim();
  for (const [key, value] of [
    ["name", "Ada"],
    ["email", "ada@example.test"],
  ])
    git("config", "--file", join(place.root, ".gitconfig"), `user.${key}`, value);
  git("init", "-q", "-b", "main");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "commit", "-q", "--allow-empty", "-m", "Begin");
  const bin = join(place.root, "bin");
  mkdirSync(bin);
  symlinkSync(program, join(bin, name));
  place.configure({ agents: { [name]: { mode, env } }, review: { agent: name } });
  await place.serve({ PATH: `${bin}${delimiter}${process.env.PATH}` });
  const start = ["agent", "start", "--agent", name, "--prompt", story.task, "--json"];
  const { id } = JSON.parse(await place.crewdeck(...start));
  const readCoder = () => place.read(`/api/instances/${id}`);
  if (gate) await endCoder(place, readCoder, gate);
  const coder = await place.until(
    readCoder,
    ({ status }) => status !== "started" && status !== "waiting_review",
    () => describeTrouble(place, id),
  );
  assert.equal(coder.status, "pr_created", await describeTrouble(place, id));
  assert.deepEqual(
    coder.rounds.map(({ outcome }) => outcome),
    ["feedback", "approved"],
  );
  const [given] = coder.feedback;
  assert.equal(given.cleanup_status, "terminated");
  const branch = coder.branch_name;
  git("merge-base", "--is-ancestor", given.git_commit_hash, branch);
  const mended = git("show", `${branch}:${story.file}`);
  assert.equal(`${mended}\n`, story.drafts[1]);
  assert.equal(git("ls-tree", "--name-only", branch), story.file, "no feedback file is left on the branch");
  const { pulls } = await place.read("/api/pulls");
  assert.deepEqual(
    pulls.map(({ number, branch: head, base, status }) => ({ number, head, base, status })),
    [{ number: 1, head: branch, base: "main", status: "open" }],
  );
  return coder;
}

/** Ends the coder's program while it waits, as a person who closes it does: the next turn has to start it again. */
async function endCoder(place, readCoder, gate) {
  const { id } = await place.until(
    readCoder,
    ({ status }) => status === "waiting_review",
    async () => describeTrouble(place, (await readCoder()).id),
  );
  const { pid } = JSON.parse(readFileSync(join(place.home, "agents", id, "process.json"), "utf8"));
  process.kill(-pid, "SIGTERM");
  const hasEnded = ({ program_state }) => program_state === "ended";
  await place.until(readCoder, hasEnded, () => describeTrouble(place, id));
  gate.open();
}

/** What the programs have said, for whoever reads why a round failed. */
async function describeTrouble(place, id) {
  const { instances } = await place.read("/api/instances");
  const logs = await Promise.all(
    instances.map(async ({ id: one, status, end_reason, attention }) => {
      const log = await place.crewdeck("agent", "log", one).catch(({ message }) => message);
      return `${one} ${status} ${end_reason ?? ""} ${attention?.reason ?? ""}\n${log.slice(-3_000)}`;
    }),
  );
  return `the work of ${id}:\n${logs.join("\n")}`;
}
