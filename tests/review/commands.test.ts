import { beforeAll, expect, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { crewdeck, ensureBuilt } from "../cli/program.ts";
import { openScene, type Scene } from "./scene.ts";

beforeAll(ensureBuilt);

/** Runs a command as a person at this scene's server does. */
async function run({ dir }: Scene, ...args: string[]): Promise<string> {
  const { PATH, TMPDIR } = process.env;
  const home = { dir, env: { PATH, TMPDIR, HOME: dir, CREWDECK_HOME: dir } };
  const { code, stdout, stderr } = await crewdeck(home, args);
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

const start = async (scene: Scene): Promise<string> =>
  (await scene.call("instance_start", { path: scene.repository.path, prompt: "x", agent: "standin" }, null)).id;

const count = (text: string, part: string): number => text.split(part).length - 1;

test("[LA11, RV22] agents and reviews are listed, read, followed, stopped and granted on the command line", async () => {
  const scene = await openScene({ review: { maxParallel: 1, maxIterations: 1 } });
  const [first, second] = [await start(scene), await start(scene)];
  await until(() => scene.read("runs").length === 1);
  const lines = (await run(scene, "agent", "list")).split("\n");
  expect(lines.find((line) => line.startsWith(first))).toContain("started");
  expect(lines.find((line) => line.startsWith(first))).not.toContain("queued");
  expect(lines.find((line) => line.startsWith(second))).toContain("started (queued)");
  expect(await run(scene, "agent", "log", first)).toContain(`stand-in ${first} says hello`);

  const followed = [
    run(scene, "agent", "log", first, "--follow"),
    run(scene, "agent", "log", first, "--follow", "--json"),
  ];
  expect(await run(scene, "agent", "stop", first)).toBe(`${first} is terminated.\n`);
  const [text = "", json = ""] = await Promise.all(followed);
  expect(count(text, "says hello")).toBe(1);
  const pieces = json
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; output: string; state: string });
  expect(count(pieces.map(({ output }) => output).join("\n"), "says hello")).toBe(1);
  expect(pieces.at(-1)).toMatchObject({ id: first, state: "ended" });

  await run(scene, "agent", "stop", second);
  const { review_instance_id: reviewer } = await scene.call("request_review");
  const [coder] = await scene.instances("?type=coding&status=waiting_review");
  await until(async () => (await scene.instance(coder.id)).status === "started");
  expect(await run(scene, "review", "list")).toMatch(new RegExp(`${reviewer} +${coder.id} +1 +feedback`));
  const shown = await run(scene, "review", "show", coder.id);
  expect(shown).toContain("Round 1: needs_work\n\nPlease rename it.");
  expect(shown).toContain("[ ] 1.2 Test it (a.txt:1)");
  expect(await run(scene, "review", "show", reviewer)).toContain("# Review of another agent's work");
  expect(await scene.call("request_review")).toMatchObject({ code: "REVIEW_LIMIT_EXCEEDED" });
  expect(await run(scene, "review", "grant", coder.id)).toBe(`${coder.id} may ask for one more review.\n`);
  expect(await scene.call("request_review")).toMatchObject({ branch_name: coder.branch_name });
});
