import { setImmediate as nextTurn } from "node:timers/promises";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import type { ChunkColumns, CopyCounts, CopyFact } from "./tables.ts";

interface CopyRow extends ChunkColumns {
  readonly id: number;
  readonly fileId: number;
  readonly facts: () => readonly CopyFact[];
  readonly imports: () => readonly string[];
}

type Words =
  | { readonly type: "any"; readonly words: readonly string[] }
  | { readonly type: "and" | "or"; readonly parts: readonly Words[] };

interface Selection {
  readonly modes: readonly string[];
  readonly files: readonly number[] | undefined;
  readonly kinds: readonly string[] | undefined;
  readonly facts: readonly { readonly fact: string; readonly values: readonly string[] }[];
  readonly signatures: readonly string[] | undefined;
  readonly counts: Readonly<Partial<CopyCounts>>;
  readonly flags: number;
  readonly words: Words | undefined;
  readonly stems: readonly string[] | undefined;
}

/** More words than this are not asked for one by one: looking at the text is as fast. */
const mostWords = 500;

const columns = `id, file_id as fileId, mode, kind, name, signature, header, doc, text, lead, tail,
  start_line as startLine, end_line as endLine, name_line as nameLine, start_byte as start, end_byte as end,
  branches, loops, breaks, continues, flags`;

/** Opens a copy for as long as it is asked, and never writes to it. */
export async function useCopy<T>(path: string, ask: (copy: CopyReader) => Promise<T>): Promise<T> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return await ask(new CopyReader(db));
  } finally {
    // Whoever was asked may have left something to do in this turn.
    await nextTurn();
    db.close();
  }
}

/** Asks a copy for chunks. Everything a caller wrote goes in as a parameter. */
class CopyReader {
  readonly meta: Readonly<Record<string, string>>;
  readonly #db: DatabaseSyncInstance;

  constructor(db: DatabaseSyncInstance) {
    this.#db = db;
    const rows = this.#all<{ key: string; value: string }>("select key, value from meta");
    this.meta = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  }

  listFiles(): readonly { id: number; path: string; lang: string }[] {
    return this.#all("select id, path, lang from file");
  }

  listValues(fact: string): readonly string[] {
    return this.#all<{ value: string }>("select distinct value from fact where fact = ?", fact).map(
      ({ value }) => value,
    );
  }

  filesImporting(modules: readonly string[]): readonly number[] {
    return this.#all<{ id: number }>(
      "select distinct file_id as id from import where module in (select value from json_each(?))",
      JSON.stringify(modules),
    ).map(({ id }) => id);
  }

  wordsWith(part: string): readonly string[] | undefined {
    const found = this.#all<{ word: string }>(
      "select word from word where instr(word, ?) > 0 limit ?",
      part,
      mostWords + 1,
    );
    return found.length > mostWords ? undefined : found.map(({ word }) => word);
  }

  select(ask: Selection): readonly number[] {
    const terms: string[] = [];
    const values: (string | number)[] = [];
    const need = (term: string, ...given: (string | number)[]): void => {
      terms.push(term);
      values.push(...given);
    };
    const among = "in (select value from json_each(?))";
    need(`mode ${among}`, JSON.stringify(ask.modes));
    if (ask.files) need(`file_id ${among}`, JSON.stringify(ask.files));
    if (ask.kinds) need(`kind ${among}`, JSON.stringify(ask.kinds));
    for (const { fact, values: some } of ask.facts) {
      need(`id in (select chunk_id from fact where fact = ? and value ${among})`, fact, JSON.stringify(some));
    }
    if (ask.signatures) {
      need("exists (select 1 from json_each(?) where instr(signature, value) > 0)", JSON.stringify(ask.signatures));
    }
    for (const name of ["branches", "loops", "breaks", "continues"] as const) {
      const least = ask.counts[name];
      if (least !== undefined) need(`${name} >= ?`, least);
    }
    if (ask.flags !== 0) need("(flags & ?) = ?", ask.flags, ask.flags);
    if (ask.words) {
      const match = matchOf(ask.words);
      if (match === undefined) return [];
      need("id in (select rowid from chunk_fts where chunk_fts match ?)", `text : (${match})`);
    }
    if (ask.stems) {
      need("id in (select rowid from chunk_stems where chunk_stems match ?)", ask.stems.map(quote).join(" OR "));
    }
    return this.#all<{ id: number }>(`select id from chunk where ${terms.join(" and ")} order by id`, ...values).map(
      ({ id }) => id,
    );
  }

  read(ids: readonly number[]): readonly CopyRow[] {
    return this.#rows(`select ${columns} from chunk where id in (select value from json_each(?))`, JSON.stringify(ids));
  }

  readFile(file: number): readonly CopyRow[] {
    const own = "file_id = ? and mode <> 'extracted-prose'";
    return this.#rows(`select ${columns} from chunk where ${own} order by start_byte`, file);
  }

  #rows(sql: string, ...values: readonly (string | number)[]): CopyRow[] {
    return this.#all<Omit<CopyRow, "counts" | "facts" | "imports"> & Nullable<CopyCounts>>(sql, ...values).map(
      ({ branches, loops, breaks, continues, ...row }) => ({
        ...row,
        counts:
          branches === null
            ? undefined
            : { branches, loops: loops ?? 0, breaks: breaks ?? 0, continues: continues ?? 0 },
        facts: () => this.#all("select fact, value from fact where chunk_id = ?", row.id),
        imports: () =>
          this.#all<{ module: string }>("select module from import where file_id = ?", row.fileId).map(
            ({ module }) => module,
          ),
      }),
    );
  }

  #all<Row>(sql: string, ...values: readonly (string | number)[]): Row[] {
    return this.#db.prepare(sql).all(...values) as Row[];
  }
}

type Nullable<Type> = { readonly [Key in keyof Type]: Type[Key] | null };

/** An expression of full-text search; undefined where nothing can fit. Words are quoted, so that none is an operator. */
function matchOf(words: Words): string | undefined {
  if (words.type === "any") return joinAll("OR", words.words.map(quote));
  const parts = words.parts.map(matchOf);
  const known = parts.filter((part) => part !== undefined);
  if (words.type === "and") return known.length < parts.length ? undefined : joinAll("AND", known);
  return joinAll("OR", known);
}

const joinAll = (operator: "AND" | "OR", parts: readonly string[]): string | undefined =>
  parts.length === 0 ? undefined : `(${parts.join(` ${operator} `)})`;

const quote = (word: string): string => `"${word.replaceAll('"', '""')}"`;
