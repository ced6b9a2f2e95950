import { basename } from "node:path";
import { Refusal } from "../../contract/refusal.ts";
import { readDocs } from "../../domain/overlap/doc-operations.ts";
import { noteFootprint } from "../../domain/task/footprint-operations.ts";
import { listUnpredicted } from "../../domain/task/footprint-queries.ts";
import { predictFiles } from "../../domain/task/footprint-rules.ts";
import { listTasksById } from "../../domain/task/queries.ts";
import type { House } from "../house.ts";
import { transactAsSystem } from "../system-work.ts";
import type { Keeper } from "./keepers.ts";

const tasksAtOnce = 20;
const mostHits = 100;
/** Tasks that could not be placed in an index are looked at again when they change, or after this. */
const againAfterMs = 60_000;

type Parts = Pick<House, "store" | "sources" | "ports" | "log">;

/**
 * Predicts for planned tasks which files they will touch: after the commit that planned them, so that planning never
 * waits, and only where their repository is indexed.
 */
export async function predictFootprints(
  { store, sources, ports }: Parts,
  { signal, seen = new Map() }: { readonly signal: AbortSignal; readonly seen?: Map<string, number> },
): Promise<void> {
  const now = sources.now();
  const unpredicted = await store.read((db) => listUnpredicted(db, tasksAtOnce * 5));
  const fresh = unpredicted.filter(({ id, updatedAt }) => {
    const lookedAt = seen.get(id);
    return lookedAt === undefined || lookedAt < updatedAt || now - lookedAt > againAfterMs;
  });
  if (fresh.length === 0) return;
  const ids = fresh.slice(0, tasksAtOnce).map(({ id }) => id);
  const indexes = await ports.codeindex.listIndexes();
  const tasks = await store.read((db) => listTasksById(db, ids));
  for (const doc of indexes.length === 0 ? [] : await store.read((db) => readDocs(db, ids))) {
    const main = doc.repo === null ? undefined : findIndex(doc.repo, indexes);
    const taskId = ids.find((id) => id === doc.id);
    if (main === undefined || taskId === undefined) continue;
    signal.throwIfAborted();
    // A line break makes a question of it: no word is required.
    const query = `${doc.title}\n${tasks.get(doc.id)?.description || doc.title}`;
    const found = await ports.codeindex
      .search({ ...plainSearch, query, repository: { root: main, main }, now }, { signal })
      .catch((error: unknown) => {
        if (error instanceof Refusal) return undefined;
        throw error;
      });
    const files = predictFiles(found?.hits.code ?? []);
    await transactAsSystem(store, sources, (work) => noteFootprint(work, { taskId, repositoryPath: main, files }));
  }
  for (const id of ids) seen.set(id, now);
}

const plainSearch = {
  modes: ["code"],
  isNothing: false,
  filters: {},
  top: mostHits,
  contextLines: 0,
  isFull: false,
  isEverywhere: false,
} as const;

/** People name a repository by its folder or by its name; a name that several have says nothing. */
function findIndex(repo: string, indexes: readonly { readonly main: string }[]): string | undefined {
  const exact = indexes.find(({ main }) => main === repo || repo.startsWith(`${main}/`));
  if (exact) return exact.main;
  const name = basename(repo).replace(/\.git$/, "");
  const named = indexes.filter(({ main }) => basename(main) === name);
  return named.length === 1 ? named[0]?.main : undefined;
}

/** Predicts by the clock, one round at a time. */
export const predictFootprintsEvery =
  (everyMs: number) =>
  (house: House): Keeper => {
    const closing = new AbortController();
    const seen = new Map<string, number>();
    let running: Promise<void> | undefined;
    let timer: NodeJS.Timeout | undefined;
    return {
      async start() {
        timer = setInterval(() => {
          running ??= predictFootprints(house, { signal: closing.signal, seen })
            .catch((error: unknown) => {
              if (!closing.signal.aborted) house.log.error({ err: error }, "footprints could not be predicted");
            })
            .finally(() => {
              running = undefined;
            });
        }, everyMs);
        timer.unref();
      },
      async close() {
        clearInterval(timer);
        closing.abort();
        await running;
      },
    };
  };
