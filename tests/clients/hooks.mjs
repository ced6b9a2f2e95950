import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What every client with hooks must show. `writeBoth` lets it write held.txt and free.txt and answers what its model read
 * of it. Held is claimed by somebody else.
 */
export async function expectHooks(place, client, writeBoth) {
  const { work, root } = place;
  mkdirSync(join(work, ".git"));
  writeFileSync(join(work, ".git", "HEAD"), "ref: refs/heads/main\n");
  await place.serve();
  const before = listTree(work);
  await place.crewdeck("setup", "--client", client, "--yes", "--no-service");
  const call = async (tool, args) => JSON.parse(await place.crewdeck("call", tool, "--input", JSON.stringify(args)));
  const { data } = await call("covibe_session", { operation: "start", agent_name: "Bo", repo: "work" });
  const claim = { operation: "claim", repo: "work", paths: ["held.txt"], session_id: data.session_id };
  await call("covibe_coordination", claim);
  const written = () => ["held.txt", "free.txt"].filter((name) => existsSync(join(work, name)));
  const clear = () => {
    for (const name of written()) rmSync(join(work, name));
  };

  const began = Date.now();
  const read = await writeBoth();
  const took = Date.now() - began;
  assert.deepEqual(written(), ["free.txt"]);
  assert.match(read, /held\.txt is claimed by/);
  const { sessions } = await place.read("/api/sessions?ended=true");
  assert.ok(
    sessions.some(({ agent_type }) => agent_type === client),
    "no session of the client's was seen",
  );

  clear();
  await place.crewdeck("stop");
  await writeBoth();
  assert.deepEqual(written(), ["held.txt", "free.txt"], "without a server something was in the way");
  assert.match(readFileSync(join(root, ".covibe", "journal.jsonl"), "utf8"), /held\.txt/);

  clear();
  const bin = join(root, ".covibe", "bin");
  renameSync(bin, `${bin}-gone`);
  await writeBoth();
  assert.deepEqual(written(), ["held.txt", "free.txt"], "without the hook something was in the way");
  renameSync(`${bin}-gone`, bin);

  clear();
  await place.crewdeck("setup", "--remove", "--yes");
  assert.deepEqual(listTree(work), before);
  return `denied what was claimed in ${took} ms, went on without server and hook, every byte restored`;
}

const listTree = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, "utf8")]),
  );
