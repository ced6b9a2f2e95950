import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../scripts/steps/run.mjs";

/**
 * Answers the command that runs a client, or why there is none. It is installed beside the project, never into it, at
 * the version its expectations were written against, and without install scripts: what has to be native comes as a
 * package of its own that needs neither them nor a newer Node.
 */
export async function installClient(client, folder) {
  const wanted = `${client.package}@${client.version}`;
  const place = join(folder, wanted.replaceAll(/[@/]+/g, "-").replace(/^-/, ""));
  if (!isInstalled(place)) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "package.json"), JSON.stringify({ private: true }));
    const options = ["--ignore-scripts", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
    const args = ["install", ...options, wanted];
    const { code, output } = await run("npm", args, { cwd: place, isCaptured: true });
    if (code !== 0) return { problem: `npm could not install ${wanted}:\n${output.trim()}` };
  }
  const program = client.findProgram(join(place, "node_modules"));
  if (program !== undefined && existsSync(program))
    return { command: client.isScript ? [process.execPath, program] : [program] };
  return { problem: `${wanted} has no program for ${process.platform} on ${process.arch}` };
}

/** npm writes its own list last of all, so where it is there nothing is missing. */
const isInstalled = (place) => existsSync(join(place, "node_modules", ".package-lock.json"));

/** The first path `folder/STEP/…rest` that exists, for any step whose name fits: packages name it after the platform. */
export const findFile = (folder, step, ...rest) =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => step.test(name))
    .map((name) => join(folder, name, ...rest))
    .find((file) => existsSync(file));
