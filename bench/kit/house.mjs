import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/steps/root.mjs";
import { makeFolder } from "./homes.mjs";

const silent = () => undefined;
const log = { trace: silent, debug: silent, info: silent, warn: silent, error: console.error };

const load = (module) => import(`../../dist/${module}.js`);

export const loadCatalogue = () => JSON.parse(readFileSync(join(root, "contracts", "mcp.json"), "utf8"));

/** The whole core in this process, on a store of its own, as `main` opens it; one that is there already needs a token. */
export async function openBenchHouse(location = join(makeFolder(), "crewdeck.db"), knownToken = undefined) {
  const [{ openHouse }, { realSources }, { catalog, personTools, metaTools }, { dispatch }] = await Promise.all([
    load("engine/open-house"),
    load("engine/sources"),
    load("tools/catalog"),
    load("engine/dispatch"),
  ]);
  const { house, firstToken } = await openHouse({
    location,
    tools: [...catalog, ...personTools, ...metaTools],
    sources: realSources,
    log,
    settings: { toolTimeoutsMs: {}, timeoutMs: undefined, checksReplies: false },
    identity: { name: "Bench", email: null },
  });
  const token = knownToken ?? firstToken;
  const caller = await house.authenticator.identify(token);
  const call = async (tool, args) => {
    const reply = await dispatch(house, { tool, args, caller, transport: "mcp" });
    if (!reply.ok) throw new Error(`${tool} was refused: ${reply.failure.message}`);
    return reply.value;
  };
  return { house, token, call };
}

/** A server for one connection of the house, as every MCP transport makes it. */
export async function makeHouseServer({ house, token }) {
  const [{ makeServer }, { openConnection, selectionOf }] = await Promise.all([
    load("transports/mcp/gate"),
    load("transports/mcp/session"),
  ]);
  const catalogue = loadCatalogue();
  const connection = openConnection({
    house,
    catalogue,
    selection: selectionOf(catalogue, {}),
    developerId: null,
    identify: () => house.authenticator.identify(token),
    way: "stdio",
  });
  return makeServer(connection, "legacy");
}

/** The house's HTTP side on a free port, as `main` starts it. */
export async function serveHouse({ house }) {
  const { startHttp } = await load("transports/http/server");
  return startHttp({
    house,
    catalogue: loadCatalogue(),
    openApi: () => "{}",
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    deckDir: join(root, "dist", "dashboard"),
    repo: root,
  });
}

export const registration = { name: "bench", runtime: "claude_code", role: "worker" };

let registered = 0;

/** For an agent among many: who registers under a name that is known is taken for the same agent, from any process. */
export function anotherRegistration() {
  registered += 1;
  return { ...registration, name: `bench ${process.pid}-${registered}` };
}
