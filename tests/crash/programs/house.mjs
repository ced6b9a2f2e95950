import { dispatch } from "../../../dist/engine/dispatch.js";
import { silentLog } from "../../../dist/engine/log.js";
import { openHouse } from "../../../dist/engine/open-house.js";
import { realSources } from "../../../dist/engine/sources.js";
import { catalog, personTools } from "../../../dist/tools/catalog.js";

/** The built server's house, as the server itself opens it. */
export function open(location, options = {}) {
  return openHouse({
    location,
    tools: [...catalog, ...personTools],
    sources: realSources,
    log: silentLog,
    settings: { toolTimeoutsMs: {}, timeoutMs: undefined, checksReplies: false },
    identity: { name: "Ada Example", email: "ada@example.com" },
    ...options,
  });
}

export const call = (house, caller, tool, args, idempotencyKey) =>
  dispatch(house, { tool, args, caller, transport: "http", idempotencyKey });

export const readAsk = () => JSON.parse(process.argv[2]);

export const print = (value) => void process.stdout.write(`${JSON.stringify(value)}\n`);
