/**
 * A server that does one call and prints how far its outside work has come. With `stopAt` it stands still at that point
 * of that kind of work for ever, so that the test can end it there; without, it ends when nothing is left to do.
 */
import { gitHands, gitPorts } from "../../../dist/adapters/git/hands.js";
import { openGitHost } from "../../../dist/adapters/git/host.js";
import { print, readAsk } from "../../crash/programs/ask.mjs";
import { call, open } from "../../crash/programs/house.mjs";
import { findOwner } from "../../crash/programs/owner.mjs";

const { location, dataDir, request, stopAt } = readAsk();
const host = openGitHost({ dataDir });
const tools = ["workflow/workspace-create", "workflow/workspace-update", "person/worktree/vault-restore"];
const { house } = await open(location, { tools, hands: watched(gitHands(host)), ports: gitPorts(host), sweeps: false });

const reply = request && (await call(house, await findOwner(house), request.tool, request.args));
if (reply) print(reply.ok ? { answer: reply.value } : { refused: reply.failure });
await house.errands.settle();
print({ settled: true });
await house.close();

function watched(hands) {
  return Object.fromEntries(
    Object.entries(hands).map(([kind, hand]) => [kind, { ...hand, run: (...args) => run(kind, hand, args) }]),
  );
}

async function run(kind, hand, [payload, turn]) {
  if (stopAt?.kind === kind && stopAt.when === "before") await standStill(kind);
  const result = await hand.run(payload, turn);
  if (stopAt?.kind === kind && stopAt.when === "after") await standStill(kind);
  return result;
}

function standStill(kind) {
  print({ standsStillAt: kind });
  return new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));
}
