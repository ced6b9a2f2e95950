import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** PostgreSQL's own bench on the same server: how many small durable transactions it does with so many connections, in whole seconds. */
export async function preparePgbench(url, connections) {
  const { hostname, port, username, pathname } = new URL(url);
  const env = { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: pathname.slice(1) };
  const pgbench = (...args) => run(findPgbench(), args, { env });
  await pgbench("--initialize", "--quiet", "--scale", "4");
  return async (seconds) => {
    const how = ["--no-vacuum", "--protocol", "prepared", "--skip-some-updates"];
    const { stdout } = await pgbench(...how, "--client", String(connections), "--time", String(seconds));
    return { perSecond: Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]) };
  };
}

function findPgbench() {
  const folder = "/usr/lib/postgresql";
  const [newest] = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
  return join(folder, newest, "bin", "pgbench");
}
