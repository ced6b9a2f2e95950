import { dispatch } from "../../../dist/engine/dispatch.js";
import { silentLog } from "../../../dist/engine/log.js";
import { openHouse } from "../../../dist/engine/open-house.js";
import { realSources } from "../../../dist/engine/sources.js";

/**
 * The built server's house, as the server itself opens it. It has the tools that are named by their files, or none: to
 * load all of them takes longer than what most of these programs do, and some are started a hundred times.
 */
export async function open(location, { tools = [], ...options } = {}) {
  return openHouse({
    location,
    tools: await Promise.all(tools.map(load)),
    sources: realSources,
    log: silentLog,
    settings: { toolTimeoutsMs: {}, timeoutMs: undefined, checksReplies: false },
    identity: { name: "Ada Example", email: "ada@example.com" },
    ...options,
  });
}

export const call = (house, caller, tool, args, idempotencyKey) =>
  dispatch(house, { tool, args, caller, transport: "http", idempotencyKey });

const load = async (file) => (await import(`../../../dist/tools/${file}.js`)).default;
