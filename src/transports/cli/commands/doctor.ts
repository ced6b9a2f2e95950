import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { baseUrlFrom, readOrigin } from "../../../adapters/base-url.ts";
import { readServerInfo } from "../../../adapters/home.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { tokenFor } from "../../../adapters/token.ts";
import { type CompanionCheck, checkCompanion } from "../../../companion/doctor/check-companion.ts";
import { checkClock } from "../../../companion/doctor/clock.ts";
import { type Fact, type Finding, failed, ok, warning } from "../../../companion/doctor/finding.ts";
import { repair } from "../../../companion/doctor/repair.ts";
import { reportMachine } from "../../../companion/doctor/report-machine.ts";
import { companionAt } from "../../../companion/places.ts";
import { copyAt } from "../../../companion/repository.ts";
import { configuredServerOf, serverOf } from "../../../companion/repository-server.ts";
import { findTarget } from "../../../companion/server.ts";
import { exitCodes } from "../../../contract/errors.ts";
import type { Verification } from "../../../contract/plain-routes.ts";
import { toolVersion } from "../../../contract/versions.ts";
import { apiAt } from "../api.ts";
import { answer, type Context } from "../context.ts";
import { withProgress } from "../progress.ts";
import { styleOf } from "../screen.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";

interface Options {
  readonly baseUrl?: string;
  readonly fix?: true;
  readonly ignore?: readonly string[];
}

export function addDoctor(shell: Shell): void {
  const command = shell
    .add({
      name: "doctor",
      summary:
        "Check this installation: home, store, server, token, programs, and the clients set up in this repository",
      examples: ["doctor", "doctor --fix", "doctor --ignore watch tmux", "doctor --json"],
    })
    .option("--base-url <origin>", "the server's address, if it isn't on this machine (default: $COVIBE_BASE_URL)")
    .option("--fix", "repair what can be repaired safely")
    .option("--ignore <check...>", "leave these checks out");
  shell.does<Options>(command, async (asked, options) => {
    const ask = companionAsk(options.baseUrl === undefined ? asked : withBaseUrl(asked, options.baseUrl));
    const context = { ...asked, env: ask.place.env };
    const fixed = options.fix ? repair(ask, context.home) : [];
    const companion = await withProgress("Checking clients…", checkCompanion(ask));
    const all = [
      checkNode(),
      checkHome(context),
      checkToken(context, ask.place.baseUrl),
      ...(await withProgress("Checking the server…", checkServer(context))),
      await checkProgram("git", ["--version"], "Receipts and worktrees need it: install git."),
      await checkProgram("tmux", ["-V"], "Agents started by Crewdeck run in it where it is installed: install tmux."),
      ...companion.findings,
    ];
    const clock = all.flatMap(({ check, fact }) => (check === "clock" && fact !== undefined ? [fact] : []));
    await tellServer(context, ask, companion, clock);
    const findings = all.filter(({ check }) => options.ignore?.includes(check) !== true);
    const isHealthy = findings.every(({ status }) => status !== "failed");
    const checks = findings.map(({ fact: _, ...said }) => said);
    answer(context, { healthy: isHealthy, version: toolVersion, fixed, checks }, () => [
      ...fixed.map((what) => `Fixed: ${what}`),
      ...table(
        findings.map(({ check, status, detail }) => [{ text: status, style: styleOf(status) }, check, detail]),
        { screen: context.screen, flexible: [2] },
      ),
      ...findings.flatMap(({ check, fix }) => (fix === null ? [] : ["", `${check}: ${fix}`])),
    ]);
    return isHealthy ? exitCodes.done : exitCodes.refused;
  });
}

/** What is asked for on the command line goes before the variable. */
const withBaseUrl = (context: Context, address: string): Context => ({
  ...context,
  env: { ...context.env, COVIBE_BASE_URL: readOrigin(address, "--base-url") },
});

/** The server is the one that was asked for, else the repository's own. */
function companionAsk({ env, home }: Context): Parameters<typeof checkCompanion>[0] {
  const companion = companionAt();
  const copy = copyAt(process.cwd());
  const baseUrl = configuredServerOf(companion, copy);
  const asked = baseUrlFrom(env) ?? serverOf({ companion, home }, copy);
  const place = {
    repository: copy.root,
    userHome: homedir(),
    env: asked === undefined ? env : { ...env, COVIBE_BASE_URL: asked },
    baseUrl,
  };
  return { companion, place, homeDir: home.dir };
}

/** For the deck's page of clients. Whoever looks here has just read it all: a server that can't be told changes nothing. */
async function tellServer(
  { home, env }: Context,
  { place }: ReturnType<typeof companionAsk>,
  check: CompanionCheck,
  facts: readonly Fact[],
): Promise<void> {
  try {
    const target = await findTarget({ home, env, agent: "doctor", baseUrl: undefined });
    await reportMachine(target, { place, check, facts });
  } catch {
    // The checks above have said what is wrong with the server.
  }
}

const checkNode = (): Finding => ok("version", `Crewdeck ${toolVersion}, Node ${process.version}`);

function checkHome({ home, env }: Context): Finding {
  // Whoever uses a server elsewhere needs none.
  if (!existsSync(home.dir) && baseUrlFrom(env) !== undefined) return ok("home", "none; the server is elsewhere");
  // Setup names a home that the first call of a client creates.
  if (!existsSync(home.dir) && existsSync(companionAt().binDir))
    return warning(
      "home",
      `${home.dir} does not exist yet`,
      "The first call of a client creates it, and so does: crewdeck up",
    );
  if (!existsSync(home.dir)) return failed("home", `${home.dir} does not exist`, "Create it with: crewdeck up");
  try {
    accessSync(home.dir, constants.R_OK | constants.W_OK);
  } catch {
    return failed("home", `${home.dir} is not writable`, "Change its owner or permissions, or use another --home.");
  }
  const isOpen = process.platform !== "win32" && (statSync(home.dir).mode & 0o077) !== 0;
  return isOpen
    ? warning("home", `${home.dir} can be read by others`, `Run: chmod 700 ${home.dir}`)
    : ok("home", home.dir);
}

/** `configured` is where a clone says that its server is, which nobody has signed in to. */
function checkToken({ home, env }: Context, configured: string | undefined): Finding {
  try {
    const named = baseUrlFrom(env);
    const origin = named ?? configured;
    if (origin === named && tokenFor(home, { origin, env }) !== undefined) return ok("token", "found");
    return origin === undefined
      ? warning("token", "none", "The first start creates one: crewdeck up")
      : warning("token", `none for ${origin}`, `Sign this machine in with: crewdeck login --base-url ${origin}`);
  } catch (error) {
    return failed("token", "unsafe", (error as Error).message);
  }
}

/** A running server is asked; without one the store's file is looked at. */
async function checkServer(context: Context): Promise<Finding[]> {
  const remote = baseUrlFrom(context.env);
  const url = remote ?? (await findServer(context.home))?.url;
  if (url === undefined) {
    const left = readServerInfo(context.home);
    const detail = left === undefined ? "not running" : `not running; process ${left.pid} ended without cleaning up`;
    return [warning("server", detail, "Start it with: crewdeck up"), await checkStoreFile(context)];
  }
  const api = apiAt(url, context);
  try {
    const { status } = await api.read("/status", {});
    const { handle } = await api.read("/api/me", {});
    const verification = await api.read("/api/verify", {});
    const { tool } = status.versions;
    const clock = await checkClock(url);
    const where = `${url}, process ${status.pid}, signed in as ${handle}`;
    return [
      tool === toolVersion
        ? ok("server", where)
        : warning("server", `${where}, version ${tool}`, `This is ${toolVersion}. Restart it with: crewdeck stop`),
      status.store.readOnlyReason === null
        ? ok("store", `${status.store.dialect} ${status.store.location}, held by process ${status.pid}`)
        : failed(
            "store",
            `read-only: ${status.store.readOnlyReason}`,
            status.store.readOnlyReason.startsWith("damaged")
              ? `Stop the server, then ${restoreOrAccept}`
              : "Free disk space or fix permissions, then restart.",
          ),
      integrity(verification),
      ...(clock === undefined ? [] : [clock]),
    ];
  } catch (error) {
    const fix = remote === undefined ? "Check the token, then run: crewdeck serve" : "Check the address and the token.";
    return [failed("server", `${url}: ${(error as Error).message}`, fix)];
  }
}

async function checkStoreFile(context: Context): Promise<Finding> {
  if (!existsSync(context.home.database))
    return warning("store", "none yet", "The first start creates it: crewdeck up");
  try {
    const { verifyHome } = await context.loadProgram();
    return integrity(await verifyHome(context.home));
  } catch (error) {
    return failed("store", (error as Error).message, "Restore a backup with: crewdeck restore FILE");
  }
}

const integrity = ({ isIntact, entries, reason, problems }: Verification): Finding =>
  isIntact
    ? ok("integrity", `${entries.toLocaleString("en")} ledger entries, intact`)
    : failed("integrity", reason ?? problems[0] ?? "corrupt", `Stop the server, then ${restoreOrAccept}`);

const restoreOrAccept =
  "restore a backup (crewdeck restore FILE) or keep the store as it is (crewdeck verify --accept).";

async function checkProgram(name: string, args: readonly string[], fix: string): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(name, [...args]);
    return ok(name, stdout.trim().split("\n")[0] ?? "");
  } catch {
    return warning(name, "not found", fix);
  }
}
