import type { AgentId, DeveloperId, TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";

/** A task whose receipt shows that it changed some of the files that were asked about. */
interface Touch {
  readonly taskId: TaskId;
  readonly name: string;
  readonly developerId: DeveloperId;
  readonly agentId: AgentId | null;
  readonly endedAt: number;
  /** The top folder of the tree it worked in. */
  readonly root: string;
  /** Of a work tree that was made for it the repository, which outlasts it. */
  readonly repositoryPath: string | null;
  readonly files: readonly string[];
}

/** What is read of a receipt here. */
interface KeptReceipt {
  readonly changes: Readonly<Record<"added" | "modified" | "deleted", readonly string[]>>;
}

/** Receipts before so many others are not looked through, and no more tasks than this are told. */
const mostLookedThrough = 5_000;
const mostTouches = 100;

/** Which tasks changed these files, by their receipts, the last one first. */
export async function listTouches(db: Db, files: readonly string[]): Promise<Touch[]> {
  const recent = db.q
    .selectFrom("evidence")
    .innerJoin("task", "task.id", "evidence.taskId")
    .select(["task.id as id", "task.endedAt as endedAt"])
    .where("evidence.receipt", "is not", null)
    .where("task.endedAt", "is not", null)
    .orderBy("task.endedAt", "desc")
    .limit(mostLookedThrough);
  const rows = await db.all(
    db.q
      .selectFrom(recent.as("recent"))
      .innerJoin("evidence", "evidence.taskId", "recent.id")
      .innerJoin("task", "task.id", "recent.id")
      .leftJoin("worktree", "worktree.id", "task.worktreeId")
      .select(["task.id as taskId", "task.name as name", "task.developerId as developerId", "task.takenBy as agentId"])
      .select("worktree.repositoryPath as repositoryPath")
      .select(["task.endedAt as endedAt", "evidence.receipt as receipt", "evidence.snapshot as snapshot"])
      .where((of) => of.or(files.map((file) => of("evidence.receipt", "like", patternOf(file)))))
      .orderBy("task.endedAt", "desc")
      .limit(mostTouches),
  );
  return rows.flatMap(({ receipt, snapshot, endedAt, ...row }) => {
    const { changes } = JSON.parse(receipt ?? "{}") as KeptReceipt;
    const touched = new Set([...changes.added, ...changes.modified, ...changes.deleted]);
    const found = files.filter((file) => touched.has(file));
    const { root } = JSON.parse(snapshot) as { readonly root: string };
    return found.length === 0 || endedAt === null ? [] : [{ ...row, endedAt, root, files: found }];
  });
}

/** Finds at least what is meant on every database; what was found too much is left out afterwards. */
const patternOf = (file: string): string => `%"${file.replace(/[%_\\"]/g, "_").replace(/[^\x20-\x7e]+/g, "%")}"%`;
