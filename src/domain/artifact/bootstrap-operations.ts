import { Refusal } from "../../contract/refusal.ts";
import type { IndexedTree } from "../codeindex/model.ts";
import type { Look } from "../port.ts";
import { copyIndex } from "./copy-operations.ts";
import { downloadArtifact } from "./operations.ts";
import { restoreIndex } from "./restore-operations.ts";

interface BootstrapAsk {
  readonly skipInstall: boolean;
  readonly skipDicts: boolean;
  readonly skipIndex: boolean;
  readonly skipArtifacts: boolean;
  readonly skipTooling: boolean;
  readonly withSqlite: boolean;
  readonly isIncremental: boolean;
}

interface BootstrapStep {
  readonly name: string;
  readonly status: "done" | "skipped" | "failed";
  readonly message: string;
}

type Bootstrapping = Pick<Look, "ports" | "signal" | "progress" | "record">;
type Outcome = Omit<BootstrapStep, "name">;

/** Sets search up for a repository, step by step. A step that fails is told and stops no other (AR6). */
export async function bootstrapRepository(
  look: Bootstrapping,
  repository: IndexedTree,
  ask: BootstrapAsk,
): Promise<BootstrapStep[]> {
  const steps: (readonly [name: string, isSkipped: boolean, act: () => Promise<Outcome>])[] = [
    ["install", ask.skipInstall, async () => skipped("Crewdeck brings its own packages.")],
    ["dictionaries", ask.skipDicts, () => getDictionary(look)],
    ["extensions", ask.skipTooling, () => lookForExtension(look)],
    ["tooling", ask.skipTooling, () => lookAtTooling(look)],
    ["artifacts", ask.skipArtifacts || ask.skipIndex, () => restoreArtifacts(look, repository, ask)],
    ["index", ask.skipIndex, () => buildIndex(look, repository, ask)],
    ["sqlite", !ask.withSqlite, () => copyToSqlite(look, repository, ask)],
  ];
  const done: BootstrapStep[] = [];
  for (const [at, [name, isSkipped, act]] of steps.entries()) {
    look.signal.throwIfAborted();
    look.progress?.(at, steps.length, `Step ${name}`);
    done.push({ name, ...(isSkipped ? skipped("Not asked for.") : await settle(look, act)) });
  }
  return done;
}

const skipped = (message: string): Outcome => ({ status: "skipped", message });
const finished = (message: string): Outcome => ({ status: "done", message });

async function settle(look: Bootstrapping, act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    look.signal.throwIfAborted();
    if (error instanceof Refusal) return { status: "failed", message: `${error.code}: ${error.message}` };
    throw error;
  }
}

async function getDictionary(look: Bootstrapping): Promise<Outcome> {
  const { downloads, capabilities } = await look.ports.artifact.readConfiguration(look.signal);
  if (capabilities.dictionaries.length > 0) return skipped("A dictionary is installed.");
  if (!downloads.allow || !Object.hasOwn(downloads.files, "en")) {
    return skipped("No dictionary is configured under downloads.files.en, and search works without one.");
  }
  const ask = { kind: "dictionaries", name: "en", from: ["en"], dir: undefined, force: false } as const;
  await downloadArtifact(look, ask);
  return finished("The English dictionary was downloaded.");
}

async function lookForExtension({ ports: { artifact } }: Bootstrapping): Promise<Outcome> {
  const { platform } = artifact.host;
  const found = await artifact.findExtension({ provider: "sqlite-vec", dir: undefined, path: undefined, platform });
  return finished(found.exists ? "The vector extension is installed." : "No vector extension is installed.");
}

async function lookAtTooling(look: Bootstrapping): Promise<Outcome> {
  const { capabilities } = await look.ports.artifact.readConfiguration(look.signal);
  return finished(capabilities.sqlite ? "SQLite is available." : "SQLite is not available.");
}

async function restoreArtifacts(look: Bootstrapping, repository: IndexedTree, ask: BootstrapAsk): Promise<Outcome> {
  if (!ask.isIncremental) return skipped("Every file is read again.");
  const isRestored = await restoreIndex(look, repository, undefined);
  return isRestored ? finished("An index from CI was restored.") : skipped("No index from CI was found.");
}

async function buildIndex(look: Bootstrapping, repository: IndexedTree, ask: BootstrapAsk): Promise<Outcome> {
  const { signal, progress } = look;
  const built = await look.ports.codeindex.build(
    { repository, isFromScratch: !ask.isIncremental },
    { signal, ...(progress && { progress }) },
  );
  return finished(`${built.files} files and ${built.chunks} chunks are indexed.`);
}

async function copyToSqlite(look: Bootstrapping, repository: IndexedTree, ask: BootstrapAsk): Promise<Outcome> {
  const { isIncremental } = ask;
  const copy = await copyIndex(look, repository, { out: undefined, mode: "all", isIncremental });
  return finished(`${copy.files} files were copied to SQLite.`);
}
