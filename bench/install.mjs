import { cpSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/steps/root.mjs";
import { run as runProgram } from "../scripts/steps/run.mjs";
import { makeFolder } from "./kit/homes.mjs";
import { row } from "./kit/rows.mjs";

export const isOnRequest = true;

export const title = "Installing what runs (npm ci --omit=dev) into an empty folder";

export async function run() {
  const folder = makeFolder();
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(root, file), join(folder, file));
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const [command, ...args] = [...npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  const startedAt = performance.now();
  const { code, output } = await runProgram(command, args, { cwd: folder, isCaptured: true });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (code !== 0) throw new Error(`npm ended with ${code}: ${output.slice(-500)}`);
  const { bytes, packages } = measureTree(join(folder, "node_modules"));
  return [
    row({ what: "time", value: seconds, unit: "s", aim: { below: 10 } }),
    row({ what: "size", value: bytes / 1e6, unit: "MB", aim: { below: 50 } }),
    row({ what: "packages", value: packages, unit: "" }),
    row({ what: "Crewdeck's own files", value: measureTree(join(root, "dist")).bytes / 1e6, unit: "MB" }),
  ];
}

/** Every byte below a folder, and how many packages it holds. */
function measureTree(folder) {
  const total = { bytes: 0, packages: 0 };
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isDirectory()) {
      const inner = measureTree(path);
      total.bytes += inner.bytes;
      total.packages += inner.packages;
    } else {
      total.bytes += lstatSync(path).size;
      if (entry.name === "package.json" && isPackageRoot(folder)) total.packages += 1;
    }
  }
  return total;
}

const isPackageRoot = (folder) => /node_modules\/(@[^/]+\/)?[^/]+$/.test(folder.replaceAll("\\", "/"));
