/**
 * `npm run gen`: writes everything that is derived from the definitions. `--check` only compares and names what has
 * drifted; `--release` also keeps the present set as the released one. `--pictures` also takes those of the README.
 * `--root DIR` writes to another tree.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listDrift, removeStale, writeFiles } from "./gen/files.mjs";
import { listVersionFaults } from "./gen/versions.mjs";
import { ensureOutput } from "./steps/output.mjs";
import { readRootOption, root } from "./steps/root.mjs";

const target = readRootOption();
const released = join(target, "contracts", "released", "contract.json");
process.exitCode = (await ensureOutput(root)) ? await generate() : 1;

async function generate() {
  const { files, set, json } = await readDefinitions();
  const isCheck = process.argv.includes("--check");
  const drift = listDrift(target, files);
  const faults = listVersionFaults({
    set,
    released: JSON.parse(readFileSync(released, "utf8")),
    manifest: JSON.parse(readFileSync(join(target, "package.json"), "utf8")),
    ...(await import("../dist/contract/versions.js")),
    ...(await import("../dist/contract/semver.js")),
  });
  if (!isCheck) {
    writeFiles(target, files);
    removeStale(target, files);
    if (process.argv.includes("--release") && faults.length === 0) writeFileSync(released, json(set));
  }
  for (const line of [...drift, ...faults]) console.log(line);
  if (isCheck) console.log(drift.length === 0 ? `${files.size} files are up to date` : "run `npm run gen`");
  if (process.argv.includes("--pictures")) await (await import("./pictures.mjs")).writePictures();
  return faults.length > 0 || (isCheck && drift.length > 0) ? 1 : 0;
}

async function readDefinitions() {
  const { generatedFiles, contractSet, json } = await import("../dist/contract/projections/files.js");
  const { catalog, personTools, metaTools } = await import("../dist/tools/catalog.js");
  const { coreTools } = await import("../dist/tools/surfaces.js");
  return {
    files: generatedFiles({ tools: catalog, helpers: metaTools, core: coreTools, person: personTools }),
    set: contractSet(catalog),
    json,
  };
}
