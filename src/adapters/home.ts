import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Refusal } from "../contract/refusal.ts";
import { readOwnFile } from "./regular-file.ts";

/** The folder that holds one installation's data. Nothing is written outside it. */
export interface Home {
  readonly dir: string;
  readonly database: string;
  readonly serverFile: string;
  readonly credentialsFile: string;
  readonly configFile: string;
  readonly logsDir: string;
}

/** `--home`, then `$CREWDECK_HOME`, then a folder in the user's data directory. */
export function homeAt(dir: string | undefined, env: NodeJS.ProcessEnv = process.env): Home {
  const root = resolve(dir ?? env["CREWDECK_HOME"] ?? join(dataDirectory(env), "crewdeck"));
  return {
    dir: root,
    database: join(root, "crewdeck.db"),
    serverFile: join(root, "server.json"),
    credentialsFile: join(root, "credentials.json"),
    configFile: join(root, "config.json"),
    logsDir: join(root, "logs"),
  };
}

function dataDirectory(env: NodeJS.ProcessEnv): string {
  if (process.platform === "win32") return env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  // Empty or relative it counts as unset, as its specification says; it would follow the folder one happens to be in.
  const named = env["XDG_DATA_HOME"] ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".local", "share");
}

/** A home belongs to one account: whoever shares it could read its tokens, or leave files that its owner cannot use. */
export function makeHome(home: Home): void {
  mkdirSync(home.dir, { recursive: true, mode: 0o700 });
  const account = process.getuid?.();
  if (account === undefined || statSync(home.dir).uid === account) return;
  throw new Refusal(
    "FORBIDDEN",
    `The home ${home.dir} belongs to another account.`,
    "Run Crewdeck as that account, or choose another home with --home.",
  );
}

/** Where the running server of a home is. */
export interface ServerInfo {
  readonly pid: number;
  readonly url: string;
  readonly version: string;
  /** By it the server shows that it is the one that wrote this, before anybody sends it a token. */
  readonly secret: string;
}

export function readServerInfo(home: Home): ServerInfo | undefined {
  return readJson<ServerInfo>(home.serverFile);
}

export function writeServerInfo(home: Home, info: ServerInfo): void {
  writeSecret(home.serverFile, info);
}

/** Removes the note only if it is still ours: a successor may have written its own. */
export function removeServerInfo(home: Home, pid: number): void {
  if (readServerInfo(home)?.pid === pid) rmSync(home.serverFile, { force: true });
}

export interface Credentials {
  /** For the home's own server. */
  readonly default?: string;
  readonly agents?: Readonly<Record<string, string>>;
  /** By origin, what a server gave this machine when a person approved it there. */
  readonly servers?: Readonly<Record<string, { readonly agents?: Readonly<Record<string, string>> }>>;
}

export class UnsafeCredentialsError extends Error {
  override readonly name = "UnsafeCredentialsError";
}

/** Tokens of this user. A file that others can read is refused: a token in it must be taken as known to them. */
export function readCredentials(home: Home): Credentials {
  const file = credentialsIn(home);
  return file === undefined ? {} : readSafely(file);
}

function readSafely(file: string): Credentials {
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
    throw new UnsafeCredentialsError(`${file} can be read by others; run: chmod 600 ${file}`);
  }
  return readJson<Credentials>(file) ?? {};
}

export function writeCredentials(home: Home, credentials: Credentials): void {
  makeHome(home);
  writeSecret(home.credentialsFile, credentials);
}

/**
 * Takes the default token out of use, so that the next start gives this machine another. Tokens of single agents stay:
 * they may be another server's. Answers where the credentials are kept as they were.
 */
export function setAsideDefaultToken(home: Home, time = new Date()): string | undefined {
  const { default: _foreign, ...others } = readCredentials(home);
  let kept = credentialsIn(home);
  if (kept === home.credentialsFile) {
    kept = `${kept}.before-restore-${time.toISOString().replaceAll(/[:.]/g, "-")}`;
    copyFileSync(home.credentialsFile, kept);
    chmodSync(kept, 0o600);
  }
  writeCredentials(home, others);
  return kept;
}

/** The home's own, then what another tool of the same account has left. */
export const listCredentials = (home: Home): Credentials[] =>
  [home.credentialsFile, accountFile()].filter((path) => existsSync(path)).map(readSafely);

const accountFile = (): string => join(homedir(), ".covibe", "credentials.json");

const credentialsIn = (home: Home): string | undefined =>
  [home.credentialsFile, accountFile()].find((path) => existsSync(path));

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readOwnFile(file) ?? "") as T;
  } catch {
    return undefined;
  }
}

const writeSecret = (file: string, value: unknown): void =>
  writeSecretText(file, `${JSON.stringify(value, null, 2)}\n`);

/** Written beside and renamed, so that a reader never sees half a file; only the owner may read it. */
export function writeSecretText(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}
