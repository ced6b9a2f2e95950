import type { TaskId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Task } from "./model.ts";

/** A task as it is compared with other work, its texts cut short. */
export type TaskDigest = Pick<
  Task,
  | "id"
  | "name"
  | "description"
  | "outcome"
  | "status"
  | "files"
  | "developerId"
  | "takenBy"
  | "workflowId"
  | "updatedAt"
  | "endedAt"
  | "version"
>;

export async function listTaskDigests(db: Db, ids: readonly TaskId[], mostText: number): Promise<TaskDigest[]> {
  if (ids.length === 0) return [];
  return (await db.all(digestsById(db.q, ids, mostText))).map(digestOf);
}

const digestsById = prepare((q, ids: readonly TaskId[], mostText: number) =>
  digests(q, mostText).where("id", "in", ids),
);

interface DigestPage {
  readonly after: string;
  readonly limit: number;
  /** What has ended counts only if it was saved at this moment or later. */
  readonly ended: { readonly statuses: readonly Lifecycle[]; readonly since: number };
  readonly mostText: number;
}

/** A page of all tasks that are open or ended lately, by id. */
export async function listTaskDigestPage(db: Db, page: DigestPage): Promise<TaskDigest[]> {
  const { statuses, since } = page.ended;
  const rows = await db.all(
    digests(db.q, page.mostText)
      .where((of) => of(of.ref("id").$castTo<string>(), ">", page.after))
      .where((or) => or.or([or("status", "not in", statuses), or("updatedAt", ">=", since)]))
      .orderBy("id")
      .limit(page.limit),
  );
  return rows.map(digestOf);
}

const digests = (q: Db["q"], mostText: number) =>
  q
    .selectFrom("task")
    .select(["id", "name", "status", "files", "developerId", "takenBy", "workflowId"])
    .select(["updatedAt", "endedAt", "version"])
    .select((of) => [
      of.fn<string>("substr", ["description", of.lit(1), of.val(mostText)]).as("description"),
      of.fn<string | null>("substr", ["outcome", of.lit(1), of.val(mostText)]).as("outcome"),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof digests>["execute"]>>[number];

const digestOf = (row: Row): TaskDigest => ({
  ...row,
  files: JSON.parse(row.files) as string[],
});
