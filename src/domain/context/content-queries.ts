import type { DeveloperId, NoteId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

/** Something that has all the words in it, wherever: a task, a note, or a file that a task or a note names. */
interface FoundContent {
  readonly kind: "task" | "note" | "file";
  readonly id: TaskId | NoteId;
  readonly title: string;
  /** What was found in, from the place on. */
  readonly excerpt: string;
  readonly taskId: TaskId | null;
  readonly developerId: DeveloperId;
}

/** What is older than so many others is not looked through. */
const mostLookedThrough = 20_000;
const mostExcerpt = 160;

/** Newest first within each kind: tasks, notes, files. */
export async function findContent(
  db: Db,
  { words, limit }: { readonly words: readonly string[]; readonly limit: number },
): Promise<FoundContent[]> {
  const tasks = await listTasksWith(db, words, limit);
  const notes = await listNotesWith(db, words, limit);
  const files = new Map<string, FoundContent>();
  for (const { row, files: named } of [...tasks, ...notes]) {
    for (const path of named.filter((path) => hasAll(path, words)).slice(0, limit)) {
      if (!files.has(path)) files.set(path, { ...row, kind: "file", title: path, excerpt: row.title });
    }
  }
  const inWords = [...tasks, ...notes].filter(({ row }) => hasAll(`${row.title} ${row.excerpt}`, words));
  return [
    ...inWords.map(({ row }) => ({ ...row, excerpt: excerptOf(row.excerpt, words) })),
    ...[...files.values()].slice(0, limit),
  ];
}

interface Searched {
  readonly row: FoundContent;
  readonly files: readonly string[];
}

async function listTasksWith(db: Db, words: readonly string[], limit: number): Promise<Searched[]> {
  const recent = db.q
    .selectFrom("task")
    .select(["id", "name", "description", "outcome", "files", "developerId"])
    .orderBy("id", "desc")
    .limit(mostLookedThrough);
  const rows = await db.all(
    db.q
      .selectFrom(recent.as("recent"))
      .selectAll()
      .where((of) =>
        of.and(
          words.map((word) =>
            of.or(
              (["name", "description", "outcome", "files"] as const).map((column) =>
                of(of.fn("lower", [column]), "like", patternOf(word)),
              ),
            ),
          ),
        ),
      )
      .orderBy("id", "desc")
      .limit(limit),
  );
  return rows.map(({ id, name, description, outcome, files, developerId }) => ({
    row: {
      kind: "task",
      id,
      title: name,
      excerpt: [description, outcome].filter(Boolean).join(" "),
      taskId: id,
      developerId,
    },
    files: JSON.parse(files) as string[],
  }));
}

async function listNotesWith(db: Db, words: readonly string[], limit: number): Promise<Searched[]> {
  const recent = db.q
    .selectFrom("note")
    .select(["id", "summary", "files", "taskId", "developerId"])
    .orderBy("id", "desc")
    .limit(mostLookedThrough);
  const rows = await db.all(
    db.q
      .selectFrom(recent.as("recent"))
      .selectAll()
      .where((of) =>
        of.and(
          words.map((word) =>
            of.or(
              (["summary", "files"] as const).map((column) => of(of.fn("lower", [column]), "like", patternOf(word))),
            ),
          ),
        ),
      )
      .orderBy("id", "desc")
      .limit(limit),
  );
  return rows.map(({ id, summary, files, taskId, developerId }) => ({
    row: { kind: "note", id, title: summary, excerpt: "", taskId, developerId },
    files: JSON.parse(files) as string[],
  }));
}

/**
 * A pattern that every database reads alike and that finds at least what is meant: what could steer it, or has letters
 * that a database does not know in small, stands for anything. What was found too much is left out afterwards.
 */
const patternOf = (word: string): string => `%${word.replace(/[%_\\]/g, "_").replace(/[^\x20-\x7e]+/g, "%")}%`;

const hasAll = (text: string, words: readonly string[]): boolean => {
  const all = text.toLowerCase();
  return words.every((word) => all.includes(word));
};

/** From a little before the first word on. */
function excerptOf(text: string, words: readonly string[]): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const places = words.map((word) => flat.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 40);
  return flat.slice(from, from + mostExcerpt);
}
