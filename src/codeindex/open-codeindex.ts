import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { CodeMode } from "../domain/codeindex/model.ts";
import type { BuiltStatus, CodeindexPorts, Found, IndexStatus, SearchAsk, Watch } from "../domain/codeindex/port.ts";
import { searchCopy } from "./copy/search-copy.ts";
import { Leases } from "./leases.ts";
import { Meaning, type MeaningIn } from "./meaning/meaning.ts";
import type { Vectors } from "./meaning/vectors.ts";
import { answersOf, findLanguage } from "./parse/languages.ts";
import { findParseWorker, ParsePool } from "./parse/parse-pool.ts";
import { widen } from "./query/dictionary.ts";
import { parseQuery, type Query } from "./query/grammar.ts";
import { readChunks } from "./read-chunks.ts";
import { listSkipped, noIndex, RepositoryIndex } from "./repository-index.ts";
import { Histories } from "./search/histories.ts";
import { needOf } from "./search/record-needs.ts";
import { matchRecords } from "./search/records.ts";
import { searchViews } from "./search/search-views.ts";
import { chunkModes } from "./segment/builder.ts";
import { Dictionaries } from "./store/dictionaries.ts";
import { readManifest } from "./store/index-files-on-disk.ts";
import { layoutOf } from "./store/layout.ts";
import { listStoredIndexes, removeStoredIndex } from "./store/stored-indexes.ts";
import { Texts } from "./texts.ts";
import type { OpenGit } from "./tree/listing.ts";
import type { View } from "./tree/view.ts";

interface CodeindexOptions {
  readonly homeDir: string;
  readonly openGit: OpenGit;
  readonly now: () => number;
  /** Closed with the index. */
  readonly vectors?: (Vectors & { close(): Promise<void> }) | undefined;
}

interface OpenedCodeindex {
  readonly ports: CodeindexPorts;
  close(): Promise<void>;
}

/** A search that meets files which change under it begins again, so often at most. */
const mostTries = 3;

/** The indexes of all repositories; each is read from its files when it is asked for first. */
export function openCodeindex({ homeDir, openGit, now, vectors }: CodeindexOptions): OpenedCodeindex {
  const opened = new Map<string, Promise<RepositoryIndex>>();
  const texts = new Texts();
  const histories = new Histories(openGit);
  const parsing = new ParsePool({ file: findParseWorker() });
  const meaning = vectors && new Meaning(vectors);
  const dictionaries = new Dictionaries(join(homeDir, "index", "dictionaries"));
  const readQuery = async ({ query: text, isCased }: { query: string; isCased: boolean }): Promise<Query> => {
    const query = parseQuery(text);
    return isCased ? query : widen(query, await dictionaries.read());
  };
  const leases = new Leases();
  const idOf = (main: string): string => layoutOf(homeDir, main).id;
  const indexOf = async (main: string): Promise<RepositoryIndex> => {
    await leases.untilGone(idOf(main));
    const known = opened.get(main);
    if (known) return known;
    const index = RepositoryIndex.open({ layout: layoutOf(homeDir, main), main, openGit, parsing, now });
    opened.set(main, index);
    return index;
  };
  const hold: CodeindexPorts["hold"] = async ({ main }, use) => {
    if (leases.isLeaving(idOf(main))) throw noIndex();
    return leases.hold(idOf(main), use);
  };
  /** What makes an index makes it anew where one is being removed. */
  const holdStaying: CodeindexPorts["hold"] = async ({ main }, use) => {
    await leases.untilStaying(idOf(main));
    return leases.hold(idOf(main), use);
  };
  const builtIndexOf = async (main: string): Promise<RepositoryIndex> => {
    const index = await indexOf(main);
    if (index.builtAt === undefined) throw noIndex();
    return index;
  };
  return {
    ports: {
      hold,
      build: ({ repository, isFromScratch }, watch) =>
        holdStaying(repository, async () =>
          (await indexOf(repository.main)).build(repository.root, { isFromScratch }, watch),
        ),
      restore: (repository, folder) =>
        holdStaying(repository, async () => (await indexOf(repository.main)).restore(folder)),
      search: (ask, watch) =>
        hold(ask.repository, async () =>
          search(await builtIndexOf(ask.repository.main), ask, {
            ...{ texts, histories, watch, openGit },
            meaning: ask.isByMeaning
              ? meaning && { meaning, folder: layoutOf(homeDir, ask.repository.main).folder, signal: watch.signal }
              : undefined,
            query: await readQuery({ query: ask.query, isCased: ask.filters.caseTokens === true }),
          }),
        ),
      findModel: async () => meaning?.findModel(),
      needOfRecords: async (ask) => needOf(await readQuery(ask)),
      matchRecords: async (ask) => matchRecords(await readQuery(ask), ask),
      async searchCopy(ask, copy, { signal }) {
        const startedAt = performance.now();
        const { root, main } = ask.repository;
        const index = await builtIndexOf(main);
        await index.refresh(root);
        const view = index.views.get(root);
        if (!view) throw noIndex();
        const history = await histories.look(main, view, ask.filters);
        const query = await readQuery({ query: ask.query, isCased: ask.filters.caseTokens === true });
        const found = await searchCopy({ ask, query, copy, view, history, signal });
        const isFresh = copy.meta["content"] === fingerprintOf(view);
        const state = { builtAt: copy.meta["builtAt"] ?? "", head: copy.meta["head"] || null, isFresh };
        return { ...found, tookMs: Math.round((performance.now() - startedAt) * 10) / 10, state };
      },
      async *readChunks({ root, main }, signal) {
        const index = await builtIndexOf(main);
        await index.refresh(root);
        const view = index.views.get(root);
        if (!view) return;
        for await (const chunk of readChunks(index, view, texts)) {
          signal.throwIfAborted();
          yield chunk;
        }
      },
      listIndexes: () => listStoredIndexes(homeDir),
      removeIndex: (id, signal) =>
        leases.remove(id, signal, async () => {
          for (const [main, index] of opened) {
            if (idOf(main) !== id) continue;
            opened.delete(main);
            await (await index).abandon();
            await meaning?.forget(layoutOf(homeDir, main).folder);
          }
          await removeStoredIndex(homeDir, id);
        }),
      async readStatus({ root, main }) {
        const layout = layoutOf(homeDir, main);
        const index = await indexOf(main);
        const isFresh = index.builtAt !== undefined && (await index.refresh(root));
        const view = index.views.get(root);
        const { head, branch, isDirty } = view ?? (await readGit(root, openGit));
        const built = view && index.builtAt !== undefined ? await describe(index, view, isFresh, layout) : undefined;
        return {
          id: layout.id,
          folder: layout.folder,
          git: { head, branch, isDirty },
          built,
          languages: languagesOf(view),
          fingerprint: view ? fingerprintOf(view) : "",
        };
      },
    },
    async close() {
      meaning?.close();
      await vectors?.close();
      await parsing.close();
      for (const index of opened.values()) await (await index).close();
    },
  };
}

interface SearchParts {
  readonly meaning: MeaningIn | undefined;
  readonly query: Query;
  readonly texts: Texts;
  readonly histories: Histories;
  readonly watch: Watch;
  readonly openGit: OpenGit;
}

async function search(
  index: RepositoryIndex,
  ask: SearchAsk,
  { query, meaning, texts, histories, watch, openGit }: SearchParts,
): Promise<Found> {
  const { root } = ask.repository;
  const startedAt = performance.now();
  const roots = ask.isEverywhere ? await listWorktrees(root, openGit) : [root];
  for (let tries = 1; ; tries += 1) {
    watch.signal.throwIfAborted();
    let isFresh = true;
    for (const one of roots) isFresh = (await index.refresh(one)) && isFresh;
    const views = roots.flatMap((one) => index.views.get(one) ?? []);
    const [view] = views;
    if (!view) continue;
    const history = await histories.look(ask.repository.main, view, ask.filters);
    const { segments } = index.library;
    const found = await searchViews(ask, {
      query,
      meaning,
      segments,
      views,
      texts,
      isFresh: isFresh && tries < mostTries,
      signal: watch.signal,
      history,
    });
    if (found.hasMoved && tries < mostTries) continue;
    const { hits, total, warnings } = found;
    const tookMs = Math.round((performance.now() - startedAt) * 10) / 10;
    return { hits, total, tookMs, warnings, state: index.stateOf(view, isFresh && !found.hasMoved) };
  }
}

/** The live worktrees of a repository, the asked one first. One that does not belong to it is none, whatever it notes. */
async function listWorktrees(root: string, openGit: OpenGit): Promise<string[]> {
  const git = openGit();
  const here = await git.find(root);
  if (!here) return [root];
  const roots = [root];
  for (const path of await git.listWorktrees(here)) {
    const place = realPath(path);
    if (place === undefined || roots.includes(place)) continue;
    const there = await git.find(place).catch(() => undefined);
    if (there && realPath(there.commonDir) === realPath(here.commonDir)) roots.push(place);
  }
  return roots;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

async function readGit(root: string, openGit: OpenGit): Promise<IndexStatus["git"]> {
  const git = openGit();
  const found = await git.find(root);
  if (!found) return { head: null, branch: null, isDirty: false };
  const { text } = await git.run(found, {
    args: ["status", "--porcelain=v2", "--branch", "--ignore-submodules=all"],
    cwd: root,
    env: { GIT_WORK_TREE: root },
  });
  const lines = text.split("\n");
  const said = (name: string): string | null => lines.find((line) => line.startsWith(name))?.slice(name.length) ?? null;
  const [head, branch] = [said("# branch.oid "), said("# branch.head ")];
  return {
    head: head === "(initial)" ? null : head,
    branch: branch === "(detached)" ? null : branch,
    isDirty: lines.some((line) => line !== "" && !line.startsWith("#")),
  };
}

async function describe(
  index: RepositoryIndex,
  view: View,
  isFresh: boolean,
  layout: ReturnType<typeof layoutOf>,
): Promise<BuiltStatus> {
  const manifest = await readManifest(layout);
  const modes: Record<CodeMode, { files: number; chunks: number; bytes: number }> = {
    code: { files: 0, chunks: 0, bytes: 0 },
    prose: { files: 0, chunks: 0, bytes: 0 },
    "extracted-prose": { files: 0, chunks: 0, bytes: 0 },
  };
  for (const segment of index.library.segments) {
    const { contents, chunks } = segment;
    for (const [content, entries] of view.placedIn(segment).entries()) {
      if (!entries) continue;
      const seen = new Set<CodeMode>();
      for (
        let chunk = contents.firstChunks[content] ?? 0;
        chunk < (contents.firstChunks[content + 1] ?? 0);
        chunk += 1
      ) {
        const mode = chunkModes[chunks.mode[chunk] ?? 0] ?? "code";
        modes[mode].chunks += entries.length;
        modes[mode].bytes += entries.length * ((chunks.end[chunk] ?? 0) - (chunks.start[chunk] ?? 0));
        seen.add(mode);
      }
      for (const mode of seen) modes[mode].files += entries.length;
    }
  }
  return {
    state: index.stateOf(view, isFresh),
    bytes: manifest?.segments.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0,
    segments: index.library.segments.length,
    worktrees: [...index.views.keys()],
    modes,
    skipped: listSkipped(view),
  };
}

/** Which content each path has, in one hash. */
function fingerprintOf(view: View): string {
  const hash = createHash("sha1").update(view.root);
  const rows = [...view.entries.values()].map(({ raw, key }) => `${raw}\0${key ?? ""}`);
  for (const row of rows.sort()) hash.update(row).update("\n");
  return hash.digest("hex");
}

/** What the languages of a work tree can be asked. */
function languagesOf(view: View | undefined): IndexStatus["languages"] {
  const files = new Map<string, number>();
  for (const { key } of view?.entries.values() ?? []) {
    if (key === undefined) continue;
    const language = key.slice(key.indexOf(" ") + 1);
    files.set(language, (files.get(language) ?? 0) + 1);
  }
  return [...files]
    .sort(([, one], [, other]) => other - one)
    .map(([language, count]) => ({
      language,
      files: count,
      filters: [...answersOf(findLanguage(language) ?? "text")],
    }));
}
