import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listDrift, removeStale, writeFiles } from "./files.mjs";
import { readReleased, releasedPath, writeReleased } from "./released.mjs";
import { listPackageFaults, listSchemaFaults } from "./versions.mjs";

/** What `npm run gen` does to the tree at `target` once dist is built. Answers the exit code and the lines to print. */
export async function generate(target, options) {
  const isChecked = options.includes("--check");
  const { files, set } = await readDefinitions();
  const drift = listDrift(target, files);
  if (!isChecked) {
    writeFiles(target, files);
    removeStale(target, files);
  }
  const released = readReleased(target);
  const judged = await judgeVersions(target, set, released.released);
  const { faults, done } = options.includes("--release")
    ? release(target, { set, released: released.released, judged, canReplace: options.includes("--replace") })
    : { faults: listFaults(released, judged), done: [] };
  const summary = drift.length === 0 ? `${files.size} files are up to date` : "run `npm run gen`";
  return {
    code: faults.length > 0 || (isChecked && drift.length > 0) ? 1 : 0,
    lines: [...done, ...drift, ...faults, ...(isChecked ? [summary] : [])],
  };
}

let definitions;

/** Deriving everything takes most of the time, and a process has only one set of definitions. */
function readDefinitions() {
  definitions ??= derive();
  return definitions;
}

async function derive() {
  const { generatedFiles, contractSet } = await import("../../dist/contract/projections/files.js");
  const { catalog, metaTools } = await import("../../dist/tools/catalog.js");
  const { coreArguments, coreTools } = await import("../../dist/tools/surfaces.js");
  return {
    files: generatedFiles({ tools: catalog, helpers: metaTools, core: coreTools, coreArguments }),
    set: contractSet(catalog),
  };
}

const listFaults = ({ isMissing }, { packageFaults, schemaFaults }) => [
  ...packageFaults,
  ...(isMissing ? [`${releasedPath} is missing`] : schemaFaults),
];

/** A released version stands: it is written again only where that is asked for. */
function release(target, { set, released, judged, canReplace }) {
  const isSameVersion = released.schemaVersion === set.schemaVersion;
  const isReplaced = isSameVersion && canReplace;
  const faults = [...judged.packageFaults, ...(isReplaced ? [] : judged.schemaFaults)];
  if (faults.length > 0) return { faults, done: [] };
  if (isSameVersion && !isReplaced) return { faults, done: [`${set.schemaVersion} is released already`] };
  writeReleased(target, set);
  return { faults, done: [`${set.schemaVersion} is released`] };
}

async function judgeVersions(target, set, released) {
  const { schemaVersion, toolVersion } = await import("../../dist/contract/versions.js");
  const { dueVersion, isAtLeast, compareSets } = await import("../../dist/contract/semver.js");
  const manifest = JSON.parse(readFileSync(join(target, "package.json"), "utf8"));
  return {
    packageFaults: listPackageFaults({ manifest, toolVersion }),
    schemaFaults: listSchemaFaults({ set, released, schemaVersion, dueVersion, isAtLeast, compareSets }),
  };
}
