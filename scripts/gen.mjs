/**
 * `npm run gen`: writes everything that is derived from the definitions and committed. `--check` only compares and
 * names what has drifted. `--release` also keeps the present set as the released one, which a version has only once;
 * `--replace` writes it anew while nobody has that version. `--pictures` also takes those of the README. `--root DIR`
 * writes to another tree.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listDrift, removeStale, writeFiles } from "./gen/files.mjs";
import { readReleased, releasedPath, writeReleased } from "./gen/released.mjs";
import { listPackageFaults, listSchemaFaults } from "./gen/versions.mjs";
import { ensureOutput } from "./steps/output.mjs";
import { readRootOption, root } from "./steps/root.mjs";

const target = readRootOption();
const isAsked = (option) => process.argv.includes(option);
process.exitCode = (await ensureOutput(root)) ? await generate() : 1;

async function generate() {
  const { files, set } = await readDefinitions();
  const drift = listDrift(target, files);
  if (!isAsked("--check")) {
    writeFiles(target, files);
    removeStale(target, files);
  }
  const faults = isAsked("--release") ? await release(set) : await listFaults(set);
  for (const line of [...drift, ...faults]) console.log(line);
  if (isAsked("--check")) console.log(drift.length === 0 ? `${files.size} files are up to date` : "run `npm run gen`");
  if (isAsked("--pictures")) await (await import("./pictures.mjs")).writePictures();
  return faults.length > 0 || (isAsked("--check") && drift.length > 0) ? 1 : 0;
}

async function readDefinitions() {
  const { generatedFiles, contractSet } = await import("../dist/contract/projections/files.js");
  const { catalog, metaTools } = await import("../dist/tools/catalog.js");
  const { coreArguments, coreTools } = await import("../dist/tools/surfaces.js");
  return {
    files: generatedFiles({ tools: catalog, helpers: metaTools, core: coreTools, coreArguments }),
    set: contractSet(catalog),
  };
}

async function listFaults(set) {
  const { released, isMissing } = readReleased(target);
  const { packageFaults, schemaFaults } = await judgeVersions(set, released);
  return [...packageFaults, ...(isMissing ? [`${releasedPath} is missing`] : schemaFaults)];
}

/** A released version stands: it is written again only where that is asked for. */
async function release(set) {
  const { released } = readReleased(target);
  const { packageFaults, schemaFaults } = await judgeVersions(set, released);
  const isSameVersion = released.schemaVersion === set.schemaVersion;
  const isReplaced = isSameVersion && isAsked("--replace");
  const faults = [...packageFaults, ...(isReplaced ? [] : schemaFaults)];
  if (faults.length > 0) return faults;
  if (isSameVersion && !isReplaced) {
    console.log(`${set.schemaVersion} is released already`);
    return [];
  }
  writeReleased(target, set);
  console.log(`${set.schemaVersion} is released`);
  return [];
}

async function judgeVersions(set, released) {
  const { schemaVersion, toolVersion } = await import("../dist/contract/versions.js");
  const { dueVersion, isAtLeast, compareSets } = await import("../dist/contract/semver.js");
  const manifest = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
  return {
    packageFaults: listPackageFaults({ manifest, toolVersion }),
    schemaFaults: listSchemaFaults({ set, released, schemaVersion, dueVersion, isAtLeast, compareSets }),
  };
}
