import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "./scripted-model.mjs";

export const companionCheck = (habits) => ({
  title: "the companion",
  run: (place, command) => expectCompanion(place, command, habits),
});

/**
 * What the companion promises, tried with one client: a session by itself, no edit of what others hold, nothing in the
 * way while we are away, each request counted once, every byte given back.
 *
 * `habits` is what differs: `client` is our name for it; `prepare(place, model)` points it to the model; `turn(place,
 * command, model, ask)` runs one turn without a person; `write(file)` is a call of its tool; `takesWord` says that it lets
 * a hook add to what the model reads before an edit; `first` and `further` are turns of one session; `isOwn` is what it
 * adds to its configuration by itself. Requests of a turn that `isUnwritten` are in no transcript of the client.
 */
async function expectCompanion(place, command, habits) {
  const { work, root } = place;
  const script = { steps: [], shown: undefined, onFirst: undefined };
  const model = await startScriptedModel(async ({ body, results }) => {
    // A sub-agent is known by what it was told first.
    if (JSON.stringify(body.messages?.[0] ?? "").includes(subAgentPrompt)) return { text: "helped" };
    // Results of earlier turns of a session that goes on are none of this turn.
    script.shown ??= results;
    const step = script.steps[results - script.shown];
    if (step !== undefined && script.onFirst !== undefined) {
      const tell = script.onFirst;
      script.onFirst = undefined;
      await tell();
    }
    return step ?? { text: "done" };
  });
  const shot = { model, habits, place, command, script };
  try {
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: work, env: { ...process.env, HOME: root } });
    habits.prepare(place, model);
    await place.serve();
    const files = await plannedFiles(place, habits.client);
    const before = files.map(contentOf);
    await place.crewdeck("setup", "--client", habits.client, "--yes", "--no-service");
    const times = { denied: await expectDenied(shot) };
    const usage = await expectCounted(shot);
    times.stopped = await expectUndisturbed(shot, "stopped", () => place.crewdeck("stop"));
    await place.serve();
    const { pid } = JSON.parse(readFileSync(join(root, "crewdeck", "server.json"), "utf8"));
    times.hanging = await expectUndisturbed(shot, "hanging", () => process.kill(pid, "SIGSTOP"));
    process.kill(pid, "SIGCONT");
    const shims = join(root, ".covibe", "bin");
    times["no hook"] = await expectUndisturbed(shot, "without the hook", () => renameSync(shims, `${shims}-gone`));
    renameSync(`${shims}-gone`, shims);
    await place.crewdeck("setup", "--remove", "--yes");
    const after = files.map((file) => contentOf(file)?.replace(habits.isOwn ?? "", "") ?? null);
    assert.deepEqual(after, before, "not every byte came back");
    const said = Object.entries(times).map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)} s`);
    return `${said.join(", ")}; ${usage}; every byte restored`;
  } finally {
    model.close();
  }
}

/** What the model tells a sub-agent to do. */
export const subAgentPrompt = "Help with the files.";

const contentOf = (file) => (existsSync(file) ? readFileSync(file, "utf8") : null);

async function plannedFiles(place, client) {
  const plan = JSON.parse(await place.crewdeck("setup", "--client", client, "--dry-run", "--json"));
  return plan.clients.flatMap((one) => one.files.map(({ file }) => file));
}

const call = async (place, tool, args) =>
  JSON.parse(await place.crewdeck("call", tool, "--input", JSON.stringify(args)));

/** One turn in which the model writes both files; answers how long it took. */
async function writeBoth({ model, habits, place, command, script }, ask = {}) {
  const began = Date.now();
  for (const name of ["held.txt", "free.txt"]) rmSync(join(place.work, name), { force: true });
  script.steps = ask?.steps ?? ["held.txt", "free.txt"].map((name) => habits.write(join(place.work, name)));
  script.shown = undefined;
  const { code, stdout, stderr } = await habits.turn(place, command, model, ask);
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  return Date.now() - began;
}

const written = ({ place }) => ["held.txt", "free.txt"].filter((name) => existsSync(join(place.work, name)));

async function expectDenied(shot) {
  const { place, model, habits, script } = shot;
  const { data } = await call(place, "covibe_session", { operation: "start", agent_name: "Bo", repo: "work" });
  const claim = { operation: "claim", repo: "work", paths: ["held.txt"], session_id: data.session_id };
  await call(place, "covibe_coordination", claim);
  // While it works a person takes a claim away from it: word that waits for the agent (NC5).
  script.onFirst = async () => {
    const { sessions } = await place.read("/api/sessions");
    const own = sessions.find(({ agent_type }) => agent_type === habits.client);
    assert.ok(own, "no session of the client's was seen");
    const mine = { operation: "claim", repo: "work", paths: ["mine.txt"], session_id: own.id };
    const { data: held } = await call(place, "covibe_coordination", mine);
    await call(place, "claim_release", { claim_id: held.claim_id, reason: "Ship it today" });
  };
  const took = await writeBoth(shot, habits.first);
  assert.equal(script.onFirst, undefined, "the model was never asked to work");
  assert.deepEqual(written(shot), ["free.txt"]);
  const read = JSON.stringify(model.bodies);
  assert.match(read, /held\.txt is claimed by/);
  assert.match(read, /Crewdeck: your session is/, "the session's briefing did not reach the model");
  if (habits.takesWord) assert.match(read, /Ship it today/, "word that waited for the agent did not reach the model");
  return took;
}

/** Each request of the model to work is counted once, over everything that the client can do with a session. */
async function expectCounted(shot) {
  const { place, model, habits } = shot;
  const done = [];
  for (const [name, further] of habits.further ?? []) {
    const from = model.served.length;
    await writeBoth(shot, further);
    assert.ok(model.served.length > from, `nothing was asked of the model: ${name}`);
    if (further.isUnwritten) for (const one of model.served.slice(from)) one.isWork = false;
    done.push(name);
  }
  await place.crewdeck("telemetry", "--json");
  await place.crewdeck("telemetry", "--json");
  const { events } = await place.read("/api/events?kind=usage:recorded&limit=500");
  const counted = events.map(({ data }) => data.total_tokens).sort();
  const wanted = model.served.filter(({ isWork }) => isWork).map(({ total }) => total);
  assert.deepEqual(counted, wanted.sort(), `served: ${JSON.stringify(model.served)}`);
  const over = done.length === 0 ? "" : ` over ${done.join(", ")}`;
  return `${wanted.length} of ${model.served.length} requests counted once${over}`;
}

async function expectUndisturbed(shot, how, leave) {
  await leave();
  const took = await writeBoth(shot);
  assert.deepEqual(written(shot), ["held.txt", "free.txt"], `something was in the way: ${how}`);
  return took;
}
