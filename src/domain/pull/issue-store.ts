import type { Db } from "../../storage/db.ts";
import { guard, saveVersioned } from "../../storage/save.ts";
import type { FiledIssue } from "./issue-model.ts";

/** Titles of one repository are looked at one after the other. */
export const guardIssues = (db: Db, address: string): Promise<void> => guard(db, `issues:${address}`);

export async function insertIssue(db: Db, issue: FiledIssue): Promise<void> {
  const { labels, dependsOn, isCreated, ...plain } = issue;
  await db.run(
    db.q.insertInto("filedIssue").values({
      ...plain,
      labels: JSON.stringify(labels),
      dependsOn: JSON.stringify(dependsOn),
      isCreated: Number(isCreated),
    }),
  );
}

type IssueChanges = Partial<Pick<FiledIssue, "status" | "number" | "url" | "problem" | "isCreated">> &
  Pick<FiledIssue, "updatedAt">;

export async function saveIssue(db: Db, read: FiledIssue, changes: IssueChanges): Promise<void> {
  const { isCreated, ...plain } = changes;
  await saveVersioned(
    db,
    db.q
      .updateTable("filedIssue")
      .set({
        ...plain,
        ...(isCreated === undefined ? {} : { isCreated: Number(isCreated) }),
        version: read.version + 1,
      })
      .where("id", "=", read.id)
      .where("version", "=", read.version),
  );
}
