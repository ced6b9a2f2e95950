import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { recoverInstallations } from "./adapters/artifacts/download/put-in-place.ts";
import { findingPorts } from "./adapters/artifacts/findings.ts";
import { placesIn } from "./adapters/artifacts/places.ts";
import { artifactPorts } from "./adapters/artifacts/ports.ts";
import { evidencePorts } from "./adapters/checks/ports.ts";
import { checkHands } from "./adapters/checks/run-checks.ts";
import { isDemoHome } from "./adapters/demo-home.ts";
import { openForecast } from "./adapters/forecast/forecast.ts";
import { gitHands, gitPorts } from "./adapters/git/hands.ts";
import { openGitHost } from "./adapters/git/host.ts";
import { projectPorts } from "./adapters/git/locate.ts";
import { openGit } from "./adapters/git/open.ts";
import { installedGit } from "./adapters/git/run.ts";
import { readGitIdentity } from "./adapters/git-identity.ts";
import { pullHands, pullPorts } from "./adapters/github/hands.ts";
import { reachGitHub } from "./adapters/github/hosts.ts";
import {
  type Home,
  makeHome,
  readCredentials,
  removeServerInfo,
  setAsideDefaultToken,
  writeCredentials,
  writeServerInfo,
} from "./adapters/home.ts";
import { Launcher } from "./adapters/launcher/launcher.ts";
import { programLine } from "./adapters/program-line.ts";
import { isReachedFromHere } from "./adapters/reach.ts";
import { readSettings, writeThreshold } from "./adapters/settings.ts";
import { readTemplateFiles } from "./adapters/template-files.ts";
import { tokenFor } from "./adapters/token.ts";
import { openSentenceVectors } from "./adapters/vectors/sentence-vectors.ts";
import { openCodeindex } from "./codeindex/open-codeindex.ts";
import { TaskId } from "./contract/ids.ts";
import type { Verification } from "./contract/plain-routes.ts";
import { Refusal } from "./contract/refusal.ts";
import { toolVersion } from "./contract/versions.ts";
import { verifyReceipt } from "./domain/evidence/verify-operations.ts";
import { type StoreVerification, verifyStore, whatIsDamaged } from "./domain/ledger/operations.ts";
import { authenticate } from "./domain/person/operations.ts";
import { acceptDamageAt } from "./engine/accept-damage.ts";
import type { House } from "./engine/house.ts";
import { predictFootprintsEvery } from "./engine/keepers/footprint-keeper.ts";
import { keepForecastsEvery } from "./engine/keepers/forecast-keeper.ts";
import { instanceKeeperOf } from "./engine/keepers/instance-keeper.ts";
import { followPullsEvery } from "./engine/keepers/pull-keeper.ts";
import { openHouse } from "./engine/open-house.ts";
import { placeOf, realSources } from "./engine/sources.ts";
import { settleOverlap } from "./engine/thresholds.ts";
import { countLinesWith } from "./main/count-lines.ts";
import { deckDir } from "./main/deck.ts";
import { readOpenApi } from "./main/openapi.ts";
import { verifyApart } from "./main/verify-apart.ts";
import { noteDamage, readDamageNote, reasonOf } from "./storage/damage.ts";
import type { Db } from "./storage/db.ts";
import { indexCopies } from "./storage/index-copy/write-copy.ts";
import { lockFileOf, lockStore, type StoreLock } from "./storage/lock.ts";
import { readMeta, saveMeta } from "./storage/meta.ts";
import { isPostgresUrl } from "./storage/open.ts";
import { restoreStore } from "./storage/restore.ts";
import { readStoreFile } from "./storage/store-file.ts";
import { catalog, metaTools, personTools } from "./tools/catalog.ts";
import { verifiedRecord } from "./tools/mission/voice/receipt.ts";
import { readCatalogue } from "./transports/catalogue.ts";
import { startHttp } from "./transports/http/server.ts";
import type { SelectionRequest } from "./transports/mcp/session.ts";
import type { RestoredHome, RunningServer, ServeOptions } from "./transports/program.ts";

/** The only file that knows everyone: it wires rooms together and decides nothing. */

/** Starts the server of a home: lock, house, port, and a note where it can be found. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { home } = options;
  const { house, lock, launcher, deck } = await openHome(options);
  try {
    const settings = readSettings(home, process.env);
    const secret = randomBytes(32).toString("base64url");
    const start = (port: number) =>
      startHttp({
        house,
        catalogue: readCatalogue(),
        openApi: readOpenApi,
        host: options.host ?? "127.0.0.1",
        port,
        allowedHosts: settings.allowedHosts,
        deckDir,
        isDemo: isDemoHome(home),
        program: programLine(home),
        repo: process.cwd(),
        verifyFile: verifyApart(verifyFile),
        saveThreshold: (change) => writeThreshold(home, change, (overlap) => void settleOverlap({ overlap })),
        secret,
        openTerminal: launcher.openTerminal,
      });
    const wanted = options.port ?? (await readLastPort(house, home)) ?? 3001;
    const http = await start(wanted).catch((error: unknown) => {
      const isTaken = (error as { code?: string }).code === "EADDRINUSE";
      if (!isTaken || !options.allowFreePort) throw error;
      return start(0);
    });
    deck.url = http.url;
    await keepPort(house, home, http.url);
    launcher.listensAt(http.url);
    writeServerInfo(home, { pid: process.pid, url: http.url, version: toolVersion, secret });
    return {
      url: http.url,
      pid: process.pid,
      home: home.dir,
      async close() {
        removeServerInfo(home, process.pid);
        await http.close();
        await house.close();
        lock.release();
      },
    };
  } catch (error) {
    await house.close();
    lock.release();
    throw error;
  }
}

/** Bookmarks and open decks survive a restart: a server that nobody gave a port takes the one it had. */
const portKey = (home: Home): string => `port of ${home.dir}`;

async function readLastPort({ store }: House, home: Home): Promise<number | undefined> {
  const port = Number(await store.read((db) => readMeta(db, portKey(home))));
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

async function keepPort({ store }: House, home: Home, url: string): Promise<void> {
  if (store.readOnlyReason !== null) return;
  await store.transact(async (db) => {
    await saveMeta(db, portKey(home), new URL(url).port);
    return { value: undefined, entries: [] };
  });
}

export interface InProcessOptions extends Pick<ServeOptions, "home" | "database" | "log"> {
  readonly ask: SelectionRequest & { readonly repo?: string | undefined; readonly role?: string | undefined };
}

/** MCP on this process's own stdio with everything in it; ends when stdin does. */
export async function serveInProcess(options: InProcessOptions): Promise<void> {
  const { serveStdioInProcess } = await import("./transports/mcp/stdio.ts");
  const { house, lock } = await openHome(options);
  const catalogue = readCatalogue();
  const token = tokenFor(options.home, { origin: undefined });
  await serveStdioInProcess({
    house,
    catalogue,
    ask: options.ask,
    folder: options.ask.repo ?? process.env["CLAUDE_PROJECT_DIR"] ?? process.cwd(),
    role: options.ask.role,
    identify: () => house.authenticator.identify(token),
  });
  await house.close();
  lock.release();
}

/**
 * Puts a backup in the place of a home's store, which no server may hold. A token that the backup does not know would
 * lock this machine out: it is set aside, and the next start finds none and makes one (ID21).
 */
export async function restoreHome(home: Home, file: string): Promise<RestoredHome> {
  makeHome(home);
  const { default: token } = readCredentials(home);
  let isForeign = false;
  const restored = await restoreStore(file, fileOf(home), async (db) => {
    const verification = await verifyStore(db);
    isForeign = verification.isIntact && token !== undefined && !(await authenticate(db, token, Date.now()));
    return verification;
  });
  return { ...restored, credentials: (isForeign && setAsideDefaultToken(home)) || null };
}

/** Whether a store's file is sound, whoever has it open. */
export const verifyFile = (file: string): Promise<StoreVerification> => readStoreFile(file, verifyStore);

/** Whether the store of a home is sound, read from its file without a server. The next one will know what was found. */
export async function verifyHome(home: Home): Promise<Verification> {
  const file = fileOf(home);
  // Its ledger is the same in every schema.
  const found = await readStoreFile(file, verifyStore, { mayBeOlder: true });
  if (!found.isIntact) noteDamage(file, whatIsDamaged(found));
  const damage = readDamageNote(file);
  return { ...found, readOnlyReason: damage === null ? null : reasonOf(damage) };
}

/** Keeps a home's damaged store as it is, and answers what was wrong. */
export async function acceptDamage(home: Home): Promise<Verification> {
  const location = locationOf(home);
  if (!isPostgresUrl(location) && !existsSync(location))
    throw new Refusal("NOT_FOUND", "This home has no store yet.", "The first start creates it: crewdeck up");
  const lock = lockAt(home, location);
  try {
    const found = await acceptDamageAt(location, realSources, readCredentials(home).default);
    return { ...found, readOnlyReason: null };
  } finally {
    lock.release();
  }
}

/** The same for one task's receipt: nothing but the store's file and the task's folder is needed. */
export async function verifyTask(home: Home, taskId: string, options: { runsChecks: boolean }): Promise<object> {
  const file = fileOf(home);
  const look = {
    ports: evidencePorts,
    place: placeOf(realSources),
    signal: new AbortController().signal,
    read: <T>(body: (db: Db) => Promise<T>) => readStoreFile(file, body),
  };
  return verifiedRecord(await verifyReceipt(look, TaskId.parse(taskId), options));
}

/** Where the store is. An address of another database is no path, though a file system would take it for one. */
function locationOf(home: Home, asked = process.env["MCP_DATABASE_PATH"]): string {
  const location = asked || home.database;
  if (isPostgresUrl(location) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(location)) return location;
  throw new Refusal("INVALID_REQUEST", "A store is a SQLite file or a postgres:// address.", "Name one of the two.");
}

function fileOf(home: Home): string {
  const location = locationOf(home);
  if (!isPostgresUrl(location)) return location;
  throw new Refusal(
    "CAPABILITY_MISSING",
    "A store in PostgreSQL is copied and put back with PostgreSQL's own tools.",
    "Use pg_dump and pg_restore; `crewdeck verify` works while the server runs.",
  );
}

/** Several nodes may share a PostgreSQL; each still has its home for itself. */
const lockAt = (home: Home, location: string): StoreLock =>
  lockStore(lockFileOf(isPostgresUrl(location) ? home.database : location), {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    home: home.dir,
  });

async function openHome(
  options: Pick<ServeOptions, "home" | "database" | "log" | "host">,
): Promise<{ house: House; lock: StoreLock; launcher: Launcher; deck: { url: string } }> {
  const { home, log } = options;
  const location = locationOf(home, options.database);
  makeHome(home);
  const lock = lockAt(home, location);
  try {
    const settings = readSettings(home, process.env);
    await recoverInstallations(home.dir);
    const git = openGitHost({ dataDir: home.dir });
    const vectors = openSentenceVectors({ folder: placesIn(home.dir).models, log });
    const codeindex = openCodeindex({
      homeDir: home.dir,
      vectors,
      openGit: (signal) => openGit(installedGit, signal),
      now: realSources.now,
    });
    const github = reachGitHub({ settings: settings.github, env: process.env });
    const deck = { url: "" };
    const { agents: programs, review } = settings;
    const launcher = new Launcher({
      dataDir: home.dir,
      host: git,
      programs,
      mostAtOnce: review.maxParallel,
      quietMs: review.quietMs,
      budget: review.budget,
      countLines: countLinesWith(settings.prices),
    });
    const { instance, review: looks, ...fromGit } = gitPorts(git);
    const { house, firstToken } = await openHouse({
      location,
      tools: [...catalog, ...personTools, ...metaTools],
      // On a shared database each server does the outside work of its own home; a file has one server anyway.
      sources: isPostgresUrl(location) ? { ...realSources, place: `${hostname()}:${home.dir}` } : realSources,
      log,
      settings: { ...settings, checksReplies: false },
      identity: await readGitIdentity(),
      hasLostToken: !isPostgresUrl(location) && readCredentials(home).default === undefined,
      ports: {
        ...fromGit,
        codeindex: codeindex.ports,
        instance: { ...instance, ...launcher.ports },
        review: { ...looks, limits: review },
        project: projectPorts(isReachedFromHere(options.host, settings.allowedHosts)),
        finding: findingPorts(home.dir),
        forecast: { ...openForecast(home.dir), judgesClaims: settings.claims === "forecast" },
        artifact: artifactPorts({
          homeDir: home.dir,
          downloads: settings.downloads,
          copies: indexCopies,
          timeouts: { allMs: settings.timeoutMs ?? null, toolsMs: settings.toolTimeoutsMs },
        }),
        ...pullPorts(git, github, () => `${deck.url}/deck/pulls/{number}`),
        template: { readFiles: (paths, signal) => readTemplateFiles(paths, join(home.dir, "templates"), signal) },
        usage: { listPrices: () => settings.prices },
        agent: { readCompanion: async () => settings.companion ?? null },
        ...evidencePorts,
      },
      hands: { ...gitHands(git), ...pullHands(git, github), ...checkHands, ...launcher.hands },
      keepers: [
        () => codeindex,
        instanceKeeperOf,
        followPullsEvery(settings.github.pollSeconds),
        predictFootprintsEvery(2_000),
        keepForecastsEvery(1_000),
      ],
    });
    if (firstToken !== null) writeCredentials(home, { ...readCredentials(home), default: firstToken });
    return { house, lock, launcher, deck };
  } catch (error) {
    lock.release();
    throw error;
  }
}
