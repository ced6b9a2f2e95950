import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, Place } from "../clients/client.ts";
import { clients } from "../clients/clients.ts";
import { listTomlNames } from "../edit/toml-scan.ts";
import { readJsonFile } from "../files.ts";
import { recordOf } from "../hook/signal.ts";
import { countUnchecked } from "../journal.ts";
import { type Companion, inboxOf } from "../places.ts";
import { readManifest } from "../setup/manifest.ts";
import type { Step } from "../setup/plan.ts";
import { planSetup } from "../setup/setup.ts";
import { listInbox } from "../telemetry/inbox.ts";
import { watcherOf } from "../watch/watcher-note.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";
import { askClient, type Listing } from "./own-listing.ts";
import { tryHook, tryServer } from "./try-shims.ts";

interface Ask {
  readonly companion: Companion;
  readonly place: Place;
  readonly homeDir: string;
}

/** What setup left behind, checked by what it does. Where it was never run there is one line that says so. */
export async function checkCompanion(ask: Ask): Promise<Finding[]> {
  const { companion, place } = ask;
  const manifest = readManifest(companion);
  const isHere = (client: Client): boolean => client.parts(place).some(({ file }) => Object.hasOwn(manifest, file));
  const own = clients.filter((client) => isHere(client));
  if (own.length === 0 && !existsSync(companion.binDir)) {
    return [
      warning(
        "clients",
        `none set up in ${place.repository}`,
        "Connect the clients of this machine with: crewdeck setup",
      ),
    ];
  }
  const plan = planSetup({ ...ask, names: own.map(({ name }) => name), isRemoval: false });
  const listings = await Promise.all(own.map((client) => askClient(client, place)));
  const missed = clients.filter((client) => !isHere(client) && client.isFound(place));
  return [
    ...(plan.staleShims.length === 0
      ? [await tryHook(companion), await tryServer(companion)]
      : [warning("hook", "belongs to another installation", "Run: crewdeck doctor --fix")]),
    ...own.map((client, at) => {
      const steps = plan.steps.filter((step) => step.client === client);
      return clientFinding(client, steps, { place, listing: listings[at] });
    }),
    ...missed.map((client) =>
      warning(client.name, "found, but not set up", `Run: crewdeck setup --client ${client.name}`),
    ),
    inboxFinding(place.repository),
    journalFinding(companion),
    watchFinding(companion),
  ];
}

function clientFinding(
  client: Client,
  steps: readonly Step[],
  { place, listing }: { place: Place; listing: Listing | undefined },
): Finding {
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
  const waiting = client.todo.length > 0 ? awaitedOf(client, place) : undefined;
  if (waiting !== undefined) return warning(client.name, waiting, client.todo[0] ?? "");
  if (listing === undefined) return ok(client.name, "set up");
  if (listing.problem === undefined) return ok(client.name, `set up; \`${listing.command}\` names it`);
  return warning(client.name, listing.problem, client.todo[0] ?? `Run: crewdeck setup --client ${client.name}`);
}

/** What a person still has to do, as far as the client writes down that it was done. */
function awaitedOf({ name, parts }: Client, place: Place): string | undefined {
  if (name === "claude-code") return isApproved(place) ? undefined : "waits for your approval of `.mcp.json`";
  if (name !== "codex") return undefined;
  const [config, hooks] = parts(place).map(({ file }) => file);
  return isTrusted(config ?? "", hooks ?? "") ? undefined : "its hooks are not trusted yet";
}

function isApproved({ repository, userHome }: Place): boolean {
  const listed = [
    join(repository, ".claude", "settings.local.json"),
    join(repository, ".claude", "settings.json"),
    join(userHome, ".claude", "settings.json"),
  ].map((file) => recordOf(readJsonFile(file)));
  const projects = recordOf(recordOf(readJsonFile(join(userHome, ".claude.json")))?.["projects"]);
  return [...listed, recordOf(projects?.[repository])].some((settings) => {
    const servers = settings?.["enabledMcpjsonServers"];
    return (
      settings?.["enableAllProjectMcpServers"] === true || (Array.isArray(servers) && servers.includes("crewdeck"))
    );
  });
}

/** Codex keeps a table for each hook that somebody has trusted, under the name of its file. */
function isTrusted(config: string, hooks: string): boolean {
  try {
    const names = listTomlNames(readFileSync(config, "utf8"));
    return names.some(
      ([first, second, key]) => first === "hooks" && second === "state" && key?.startsWith(hooks) === true,
    );
  } catch {
    return false;
  }
}

function inboxFinding(repository: string): Finding {
  const folder = inboxOf(repository);
  const waiting = listInbox(folder).length;
  const refused = countIn(join(folder, "refused"));
  if (refused > 0)
    return warning("inbox", `${refused} refused`, `Look at ${join(folder, "refused")}, then delete what is of no use.`);
  return waiting > 0
    ? warning("inbox", `${waiting} waiting`, "Send them with: crewdeck telemetry")
    : ok("inbox", "empty");
}

function journalFinding(companion: Companion): Finding {
  const lines = countUnchecked(companion);
  if (lines === 0) return ok("journal", "every edit was checked");
  return warning(
    "journal",
    `${lines} unchecked edit${lines === 1 ? "" : "s"}`,
    "They are reported once the server runs: crewdeck up",
  );
}

function watchFinding(companion: Companion): Finding {
  const watcher = watcherOf(companion);
  return watcher === undefined
    ? warning("watch", "not running", "Edits by shell commands are not seen. Run: crewdeck watch")
    : ok("watch", `running, process ${watcher.pid}`);
}

function countIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}
