import type { IssueId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { FiledIssueRow } from "../../storage/schema-pull.ts";
import type { FiledIssue } from "./issue-model.ts";

export async function getIssue(db: Db, id: IssueId): Promise<FiledIssue> {
  const row = await db.first(db.q.selectFrom("filedIssue").selectAll().where("id", "=", id));
  if (!row) throw new Error(`issue ${id} is gone`);
  return issueOf(row);
}

/** All that one call asked for, in the order asked. */
export async function listBatch(db: Db, batch: string): Promise<FiledIssue[]> {
  const query = db.q.selectFrom("filedIssue").selectAll().where("batch", "=", batch).orderBy("position").limit(100);
  return (await db.all(query)).map(issueOf);
}

/** What was filed before under these titles, the newest of each last. */
export async function listFiled(db: Db, address: string, titles: readonly string[]): Promise<FiledIssue[]> {
  const query = db.q
    .selectFrom("filedIssue")
    .selectAll()
    .where("address", "=", address)
    .where("title", "in", titles)
    .where("status", "=", "filed")
    .orderBy("createdAt")
    .limit(1_000);
  return (await db.all(query)).map(issueOf);
}

const issueOf = (row: FiledIssueRow): FiledIssue => ({
  ...row,
  labels: JSON.parse(row.labels) as string[],
  dependsOn: JSON.parse(row.dependsOn) as (string | number)[],
  isCreated: row.isCreated === 1,
});
