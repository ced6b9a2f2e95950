/** The tables of a copy, as docs/index-database.md describes them; anyone may read them with any program. */
export const copyFormat = 1;

export const copyTables = `
  create table meta (key text primary key, value text not null);
  create table file (id integer primary key, path text not null unique, lang text not null, hash text not null);
  create table chunk (
    id integer primary key, file_id integer not null references file(id), mode text not null, kind text not null,
    name text not null, signature text not null, doc text not null, text text not null,
    start_line integer not null, end_line integer not null, start_byte integer not null, end_byte integer not null);
  create index chunk_by_file on chunk(file_id);
  create index chunk_by_name on chunk(name);
  create virtual table chunk_fts using fts5(
    name, signature, doc, text, content='chunk', content_rowid='id', tokenize="unicode61 tokenchars '_'");
  create trigger chunk_added after insert on chunk begin
    insert into chunk_fts(rowid, name, signature, doc, text)
      values (new.id, new.name, new.signature, new.doc, new.text);
  end;
  create trigger chunk_removed after delete on chunk begin
    insert into chunk_fts(chunk_fts, rowid, name, signature, doc, text)
      values ('delete', old.id, old.name, old.signature, old.doc, old.text);
  end;
`;
