import { createHash, randomBytes } from "node:crypto";
import { copyFile, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { compactCopy } from "./compact-copy.ts";
import { useCopy } from "./read-copy.ts";
import { runApart, syncFile } from "./run-apart.ts";
import { type ChunkColumns, type CopyFact, copyFormat, copyTables, gatherWords } from "./tables.ts";

interface CopiedChunk extends ChunkColumns {
  readonly file: string;
  readonly lang: string;
  readonly imports: readonly string[];
  readonly facts: readonly CopyFact[];
  readonly stems: string;
}

interface CopyAsk {
  readonly mode: "all" | "code" | "prose";
  /** Leaves what has not changed as it is. */
  readonly isIncremental: boolean;
  /** What the copy says of itself. */
  readonly meta: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly progress?: ((done: number, total: number, message: string) => void) | undefined;
}

interface WrittenCopy {
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
  readonly chunks: number;
  /** Files that had changed since the copy before. */
  readonly written: number;
  readonly removed: number;
}

/** Copies of a code index, as SQLite files that any program can open. */
export const indexCopies = {
  write: writeCopy,
  compact: compactCopy,
  read: readCopy,
  use: useCopy,
};

/**
 * Writes a copy of an index as a SQLite file. It is made beside the old one, verified and then put in its place, so
 * whoever has the old one open goes on reading it (SQ1, SQ2).
 */
async function writeCopy(path: string, ask: CopyAsk, chunks: AsyncIterable<CopiedChunk>): Promise<WrittenCopy> {
  const draft = `${path}.${randomBytes(6).toString("hex")}.new`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const isOld = ask.isIncremental && (await copyOld(path, draft));
  const db = new DatabaseSync(draft);
  try {
    db.exec("pragma journal_mode = off; pragma synchronous = off; begin");
    if (!isOld) db.exec(copyTables);
    const counts = await fill(db, chunks, ask);
    const meta = db.prepare(
      "insert into meta(key, value) values (?, ?) on conflict(key) do update set value = excluded.value",
    );
    for (const [key, value] of Object.entries({ ...ask.meta, mode: ask.mode, format: String(copyFormat) }))
      meta.run(key, value);
    db.exec("commit");
    db.close();
    ask.progress?.(counts.files, counts.files, "Verifying the copy");
    const words = counts.written + counts.removed > 0 || !isOld ? gatherWords : "";
    const failure = "The copy could not be verified and was thrown away.";
    await runApart({ program: finishing, ask: { draft, words }, failure, signal: ask.signal });
    await syncFile(draft);
    await rename(draft, path);
    return { path, bytes: (await stat(path)).size, ...counts };
  } finally {
    if (db.isOpen) db.close();
    await rm(draft, { force: true });
  }
}

/** What takes long of a large copy: its words, and whether it is whole. */
const finishing = `
function run(DatabaseSync, { draft, words }) {
  const db = new DatabaseSync(draft);
  db.exec("pragma journal_mode = off; pragma synchronous = off; begin");
  db.exec(words);
  db.exec("commit");
  db.exec("insert into chunk_fts(chunk_fts) values ('integrity-check')");
  const said = db.prepare("pragma integrity_check").get().integrity_check;
  db.close();
  if (said !== "ok") process.exitCode = 1;
}
`;

/** Whether a file is a copy of the form we write: only such a one is gone on with. */
function readCopy(path: string): Readonly<Record<string, string>> | undefined {
  let db: DatabaseSyncInstance | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    const rows = db.prepare("select key, value from meta").all() as { key: string; value: string }[];
    const meta = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    return meta["format"] === String(copyFormat) ? meta : undefined;
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

async function copyOld(path: string, draft: string): Promise<boolean> {
  if (readCopy(path) === undefined) return false;
  await copyFile(path, draft);
  return true;
}

async function fill(
  db: DatabaseSyncInstance,
  chunks: AsyncIterable<CopiedChunk>,
  { mode, signal, progress }: CopyAsk,
): Promise<Omit<WrittenCopy, "path" | "bytes">> {
  const known = new Map(
    (db.prepare("select id, path, hash from file").all() as { id: number; path: string; hash: string }[]).map((row) => [
      row.path,
      row,
    ]),
  );
  const addFile = db.prepare("insert into file(path, lang, hash) values (?, ?, ?) returning id");
  const addImport = db.prepare("insert or ignore into import(file_id, module) values (?, ?)");
  const addChunk = db.prepare(
    `insert into chunk(file_id, mode, kind, name, signature, header, doc, text, lead, tail, start_line, end_line,
      name_line, start_byte, end_byte, branches, loops, breaks, continues, flags)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`,
  );
  const addFact = db.prepare("insert or ignore into fact(chunk_id, fact, value) values (?, ?, ?)");
  const addStems = db.prepare("insert into chunk_stems(rowid, stems) values (?, ?)");
  const removeImports = db.prepare("delete from import where file_id = ?");
  const removeChunks = db.prepare("delete from chunk where file_id = ?");
  const removeFile = db.prepare("delete from file where id = ?");
  const remove = (id: number): void => {
    removeChunks.run(id);
    removeImports.run(id);
    removeFile.run(id);
  };
  const counts = { files: 0, chunks: 0, written: 0, removed: 0 };
  const save = (file: string, held: readonly CopiedChunk[]): void => {
    const [first] = held;
    if (!first) return;
    counts.files += 1;
    counts.chunks += held.length;
    progress?.(counts.files, counts.files, "Copying files");
    const hash = createHash("sha256").update(JSON.stringify(held)).digest("hex");
    const before = known.get(file);
    known.delete(file);
    if (before?.hash === hash) return;
    if (before) remove(before.id);
    const { id } = addFile.get(file, first.lang, hash) as { id: number };
    for (const module of first.imports) addImport.run(id, module);
    for (const one of held) {
      const { branches = null, loops = null, breaks = null, continues = null } = one.counts ?? {};
      const { id: chunk } = addChunk.get(
        ...[id, one.mode, one.kind, one.name, one.signature, one.header, one.doc, one.text, one.lead, one.tail],
        ...[one.startLine, one.endLine, one.nameLine, one.start, one.end],
        ...[branches, loops, breaks, continues, one.flags],
      ) as { id: number };
      for (const { fact, value } of one.facts) addFact.run(chunk, fact, value);
      addStems.run(chunk, one.stems);
    }
    counts.written += 1;
  };
  let file = "";
  let held: CopiedChunk[] = [];
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (chunk.file !== file) {
      save(file, held);
      [file, held] = [chunk.file, []];
    }
    if (mode === "all" || (mode === "code") === (chunk.mode === "code")) held.push(chunk);
  }
  save(file, held);
  for (const { id } of known.values()) remove(id);
  counts.removed = known.size;
  return counts;
}
