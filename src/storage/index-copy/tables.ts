/** The tables of a copy, as docs/index-database.md describes them; anyone may read them with any program. */
export const copyFormat = 2;

export const copyTables = `
  create table meta (key text primary key, value text not null);
  create table file (id integer primary key, path text not null unique, lang text not null, hash text not null);
  create table import (file_id integer not null references file(id), module text not null,
    primary key (file_id, module)) without rowid;
  create index import_by_module on import(module);
  create table chunk (
    id integer primary key, file_id integer not null references file(id), mode text not null, kind text not null,
    name text not null, signature text not null, header text not null, doc text not null, text text not null,
    lead text not null, tail text not null,
    start_line integer not null, end_line integer not null, name_line integer not null,
    start_byte integer not null, end_byte integer not null,
    branches integer, loops integer, breaks integer, continues integer, flags integer not null);
  create index chunk_by_file on chunk(file_id);
  create index chunk_by_name on chunk(name);
  create table fact (chunk_id integer not null references chunk(id), fact text not null, value text not null,
    primary key (chunk_id, fact, value)) without rowid;
  create index fact_by_value on fact(fact, value);
  create virtual table chunk_fts using fts5(
    name, signature, doc, text, content='chunk', content_rowid='id', tokenize="unicode61 tokenchars '_'");
  create trigger chunk_added after insert on chunk begin
    insert into chunk_fts(rowid, name, signature, doc, text)
      values (new.id, new.name, new.signature, new.doc, new.text);
  end;
  create trigger chunk_removed after delete on chunk begin
    insert into chunk_fts(chunk_fts, rowid, name, signature, doc, text)
      values ('delete', old.id, old.name, old.signature, old.doc, old.text);
    delete from fact where chunk_id = old.id;
    delete from chunk_stems where rowid = old.id;
  end;
  create virtual table chunk_stems using fts5(
    stems, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_$'");
  create table word (word text primary key) without rowid;
`;

/** Which words the full-text table has, for searches that ask for a part of one. */
export const gatherWords = `
  create virtual table temp.vocabulary using fts5vocab(main, chunk_fts, row);
  delete from word;
  insert into word select term from temp.vocabulary;
  drop table temp.vocabulary;
`;

/** What a chunk has in its row; what belongs to its file and what lies in other tables is beside it. */
export interface ChunkColumns {
  readonly mode: "code" | "prose" | "extracted-prose";
  readonly kind: string;
  readonly name: string;
  readonly signature: string;
  readonly header: string;
  readonly doc: string;
  readonly text: string;
  readonly lead: string;
  readonly tail: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nameLine: number;
  readonly start: number;
  readonly end: number;
  readonly flags: number;
  readonly counts: CopyCounts | undefined;
}

export interface CopyCounts {
  readonly branches: number;
  readonly loops: number;
  readonly breaks: number;
  readonly continues: number;
}

export interface CopyFact {
  readonly fact: string;
  readonly value: string;
}
