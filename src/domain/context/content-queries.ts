import type { DeveloperId, MessageId, NoteId, TaskId, ThreadId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

/** Something that has all the words in it: a task, a note, a file that one of them names, or a message. */
interface FoundContent {
  readonly kind: "task" | "note" | "file" | "message";
  readonly id: TaskId | NoteId | MessageId;
  readonly title: string;
  /** What was found in, from the place on. */
  readonly excerpt: string;
  readonly taskId: TaskId | null;
  /** Where a message stands. */
  readonly threadId: ThreadId | null;
  readonly developerId: DeveloperId;
}

/** What is older than so many others is not looked through. */
const mostLookedThrough = 20_000;
const mostExcerpt = 160;

interface ContentAsk {
  readonly words: readonly string[];
  readonly limit: number;
  /** Whose messages are looked through. */
  readonly reader: DeveloperId;
}

/** Newest first within each kind: tasks, notes, files, messages that the reader's agents sent or were sent. */
export async function findContent(db: Db, { words, limit, reader }: ContentAsk): Promise<FoundContent[]> {
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
    ...(await listMessagesWith(db, { words, limit, reader })),
  ];
}

async function listMessagesWith(db: Db, { words, limit, reader }: ContentAsk): Promise<FoundContent[]> {
  const own = db.q.selectFrom("agent").select("id").where("developerId", "=", reader);
  const recent = db.q
    .selectFrom("message")
    .select(["id", "subject", "body", "threadId", "taskId"])
    .where((of) => of.or([of("recipientId", "in", own), of("senderId", "in", own)]))
    .where("recipientId", "is not", null)
    .orderBy("createdAt", "desc")
    .limit(mostLookedThrough);
  const inEither = (word: string) => (["subject", "body"] as const).map((column) => [column, patternOf(word)] as const);
  const rows = await db.all(
    db.q
      .selectFrom(recent.as("recent"))
      .selectAll()
      .where((of) =>
        of.and(
          words.map((word) =>
            of.or(inEither(word).map(([column, pattern]) => of(of.fn("lower", [column]), "like", pattern))),
          ),
        ),
      )
      .orderBy("id", "desc")
      .limit(limit),
  );
  const found = rows.map(({ id, subject, body, threadId, taskId }) => {
    const text = textOf(body);
    const title = subject ?? text.slice(0, 80);
    return { kind: "message" as const, id, title, excerpt: text, taskId, threadId, developerId: reader };
  });
  return found
    .filter(({ title, excerpt }) => hasAll(`${title} ${excerpt}`, words))
    .map((one) => ({ ...one, excerpt: excerptOf(one.excerpt, words) }));
}

/** Bodies are kept as JSON: text, or an object. */
function textOf(body: string): string {
  const value = JSON.parse(body) as unknown;
  return typeof value === "string" ? value : body;
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
      threadId: null,
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
    row: { kind: "note", id, title: summary, excerpt: "", taskId, threadId: null, developerId },
    files: JSON.parse(files) as string[],
  }));
}

/**
 * A pattern that every database reads alike and that finds at least what is meant: what could steer it, or has letters
 * that a database does not know in small, stands for anything. What was found too much is left out afterwards.
 */
const patternOf = (word: string): string => `%${word.replace(/[%_\\]/g, "_").replace(/[^\x20-\x7e]+|"/g, "%")}%`;

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
