import { execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { patienceMs } from "./waiting.ts";

const run = promisify(execFile);

export interface TestPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Ends the server as a power switch would and starts it again. */
  crashAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

const durable = ["synchronous_commit=on"];

/** For tests that end the server only when all is over: a copy of a database takes 20 ms instead of 90. */
const hasty = ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "max_wal_size=128MB"];

/** A PostgreSQL of the tests' own on a free port, gone when they are done. */
export async function startPostgres({ isDurable = true } = {}): Promise<TestPostgres> {
  const bin = findBinaries();
  const dir = mkdtempSync(join(tmpdir(), "pg-"));
  const dataDir = join(dir, "data");
  const user = process.getuid?.() === 0 ? await postgresUser() : undefined;
  if (user) {
    chmodSync(dir, 0o700);
    chownSync(dir, user.uid, user.gid);
  }
  const as = user ? { uid: user.uid, gid: user.gid } : {};
  await run(join(bin, "initdb"), ["-D", dataDir, "-U", "crewdeck", "-A", "trust", "--no-sync"], { ...as, cwd: dir });
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "max_connections=500", ...(isDurable ? durable : hasty)];
  const options = `-p ${port} -k ${dir} ${settings.map((setting) => `-c ${setting}`).join(" ")}`;
  const control = (...args: string[]) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(join(bin, "pg_ctl"), ["-D", dataDir, "-w", "-t", String(patienceMs / 1_000), ...args], {
        ...as,
        cwd: dir,
        stdio: "ignore",
      });
      child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl ${args[0]} ended with ${code}`))));
      child.on("error", reject);
    });
  const start = () => control("start", "-o", options, "-l", join(dir, "log"));
  await start();
  return {
    url: `postgres://crewdeck@127.0.0.1:${port}/postgres`,
    port,
    dataDir,
    async crashAndRestart() {
      await control("stop", "-m", "immediate");
      await start();
    },
    async stop() {
      await control("stop", "-m", "immediate").catch(() => undefined);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function findBinaries(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const bin = versions.map((version) => join(root, version, "bin")).find((dir) => existsSync(join(dir, "initdb")));
  if (!bin) throw new Error("no PostgreSQL server is installed; `npm test` installs the Debian package postgresql");
  return bin;
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)),
  );
  if (uid === undefined || gid === undefined) throw new Error("the user postgres does not exist");
  return { uid, gid };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
