import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram, compileModules } from "./bundle.mjs";
import { buildDeck } from "./deck.mjs";
import { listFiles } from "./files.mjs";
import { packGrammars } from "./grammars.mjs";
import { writeOpenApi } from "./openapi.mjs";
import { say } from "./run.mjs";

const stampName = ".source-hash";

/** Everything dist is made from. */
const sources = [
  "src",
  "scripts/steps/bundle.mjs",
  "scripts/steps/deck.mjs",
  "scripts/steps/grammars.mjs",
  "scripts/steps/openapi.mjs",
  "package-lock.json",
];

/** Builds dist unless it was built from exactly this source. */
export async function ensureOutput(root) {
  const stamp = join(root, "dist", stampName);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hashSources(root)) return true;
  return buildOutput(root);
}

/**
 * Builds into a folder of its own and swaps it with dist at the end: a build that fails leaves the last good one
 * alone, and nothing of an older build survives a good one.
 */
export async function buildOutput(root) {
  say("building…");
  const hash = hashSources(root);
  const draft = join(root, ".work", `dist-${process.pid}`);
  try {
    await compileModules(root, draft);
    await bundleProgram(root, draft);
    await packGrammars(root, join(draft, "program", "grammars"));
    await writeOpenApi(draft);
    await buildDeck(join(root, "src", "dashboard"), join(draft, "dashboard"));
    writeFileSync(join(draft, stampName), hash);
    replaceFolder(join(root, "dist"), draft);
    return true;
  } catch (error) {
    say(`${error.message}\nThe build failed.`);
    return false;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Two renames instead of a removal: dist is missing for an instant only. Of two builds at once the later one stays. */
function replaceFolder(folder, replacement) {
  for (let tries = 1; ; tries += 1) {
    const old = `${replacement}-old-${tries}`;
    try {
      if (existsSync(folder)) renameSync(folder, old);
      renameSync(replacement, folder);
      return;
    } catch (error) {
      if (tries === 10) throw error;
    } finally {
      rmSync(old, { recursive: true, force: true });
    }
  }
}

function hashSources(root) {
  const hash = createHash("sha256");
  for (const path of sources.flatMap((source) => listFiles(root, source))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
