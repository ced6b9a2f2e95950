import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Client, Place } from "../clients/client.ts";
import { clients } from "../clients/clients.ts";
import { countUnchecked } from "../journal.ts";
import { type Companion, inboxOf } from "../places.ts";
import type { Step } from "../setup/plan.ts";
import { readService } from "../setup/service.ts";
import { listSetUp, planSetup } from "../setup/setup.ts";
import { listInbox } from "../telemetry/inbox.ts";
import { watcherOf } from "../watch/watcher-note.ts";
import { type ClientState, missingState, stateOf } from "./client-state.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";
import { askClient, askVersion, type Listing } from "./own-listing.ts";
import { strayFindings } from "./strays.ts";
import { type Trust, trustOf } from "./trust.ts";
import { movedHook, tryHook, tryServer } from "./try-shims.ts";

interface Ask {
  readonly companion: Companion;
  readonly place: Place;
  readonly homeDir: string;
}

export interface CompanionCheck {
  readonly findings: readonly Finding[];
  /** Clients that are set up here, and those that were found and are not. */
  readonly clients: readonly ClientState[];
}

/** What setup left behind, checked by what it does. Where it was never run there is one line that says so. */
export async function checkCompanion(ask: Ask): Promise<CompanionCheck> {
  const { companion, place } = ask;
  const own = listSetUp(ask);
  const missed = clients.filter((client) => !own.includes(client) && client.isFound(place));
  const missing = missed.map((client) => missingState(client, place));
  if (own.length === 0 && !existsSync(companion.binDir)) {
    const advice = "Connect the clients of this machine with: crewdeck setup";
    return { findings: [warning("clients", `none set up in ${place.repository}`, advice)], clients: missing };
  }
  const plan = planSetup({ ...ask, names: own.map(({ name }) => name), isRemoval: false });
  const looked = await Promise.all(
    own.map(async (client) => {
      const [listing, version, trust] = await Promise.all([
        askClient(client, place),
        askVersion(client, place),
        trustOf(client, place),
      ]);
      const steps = plan.steps.filter((step) => step.client === client);
      const state = stateOf(client, steps, { trust: trust.state, listing });
      return { client, steps, listing, version, trust, state, strays: strayFindings(client, place) };
    }),
  );
  return {
    findings: [
      ...(plan.staleShims.length === 0 ? [await tryHook(companion), await tryServer(companion)] : [movedHook()]),
      ...looked.flatMap((one) => [clientFinding(one), ...one.strays]),
      ...missed.map(({ name }) => warning(name, "found, but not set up", `Run: crewdeck setup --client ${name}`)),
      inboxFinding(place.repository),
      journalFinding(companion),
      watchFinding(companion),
      serviceFinding(companion, place.userHome),
    ],
    clients: [...looked.map(({ state }) => state), ...missing],
  };
}

interface Looked {
  readonly client: Client;
  readonly steps: readonly Step[];
  readonly listing: Listing | undefined;
  readonly version: string | undefined;
  readonly trust: Trust;
  readonly state: ClientState;
  readonly strays: readonly Finding[];
}

function clientFinding({ client, steps, listing, version, trust }: Looked): Finding {
  const broken = steps.find(({ action }) => action === "refused");
  if (broken)
    return failed(
      client.name,
      `${broken.part.file}: ${broken.reason}`,
      `Fix the file, then run: crewdeck setup --client ${client.name}`,
    );
  const taken = steps.find(({ action }) => action === "kept");
  if (taken)
    return warning(
      client.name,
      `${taken.part.file}: ${taken.reason}`,
      "Rename or remove that entry, then run: crewdeck setup",
    );
  const drifted = steps.find(({ action }) => action !== "none");
  if (drifted)
    return warning(client.name, `${drifted.part.file} has changed since setup`, "Run: crewdeck doctor --fix");
  if (trust.awaited !== undefined) return warning(client.name, trust.awaited, client.todo[0] ?? "");
  const setUp = version === undefined ? "set up" : `set up, version ${version}`;
  if (listing === undefined) return ok(client.name, setUp);
  if (listing.problem === undefined) return ok(client.name, `${setUp}; \`${listing.command}\` names it`);
  return warning(client.name, listing.problem, client.todo[0] ?? `Run: crewdeck setup --client ${client.name}`);
}

function inboxFinding(repository: string): Finding {
  const folder = inboxOf(repository);
  const waiting = listInbox(folder).length;
  const refused = countIn(join(folder, "refused"));
  if (refused > 0)
    return warning(
      "inbox",
      `${refused} refused`,
      `Look at ${join(folder, "refused")}, then delete what is of no use.`,
      { check: "inbox", state: "refused", count: refused },
    );
  return waiting > 0
    ? warning("inbox", `${waiting} waiting`, "Send them with: crewdeck telemetry", {
        check: "inbox",
        state: "waiting",
        count: waiting,
      })
    : ok("inbox", "empty", { check: "inbox", state: "empty" });
}

function journalFinding(companion: Companion): Finding {
  const lines = countUnchecked(companion);
  if (lines === 0) return ok("journal", "every edit was checked", { check: "journal", state: "empty" });
  return warning(
    "journal",
    `${lines} unchecked edit${lines === 1 ? "" : "s"}`,
    "They are reported once the server runs: crewdeck up",
    { check: "journal", state: "unchecked", count: lines },
  );
}

function watchFinding(companion: Companion): Finding {
  const watcher = watcherOf(companion);
  return watcher === undefined
    ? warning("watch", "not running", "Edits by shell commands are not seen. Run: crewdeck watch", {
        check: "watch",
        state: "stopped",
      })
    : ok("watch", `running, process ${watcher.pid}`, { check: "watch", state: "running" });
}

/** Without one somebody may still watch by hand, which is another check. */
function serviceFinding(companion: Companion, userHome: string): Finding {
  const state = readService(companion, userHome);
  const details = {
    installed: "starts with your session",
    absent: "not installed",
    unsupported: "none on this system",
  };
  return ok("service", details[state], { check: "service", state });
}

function countIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}
