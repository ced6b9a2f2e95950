import type { WorkflowId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import { prepare } from "../../storage/prepared.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Workflow } from "./model.ts";

/** A workstream as it is compared with other work, its texts cut short. Containers are not compared, their tasks are. */
export type WorkstreamDigest = Pick<
  Workflow,
  "id" | "name" | "sourceContent" | "statusReason" | "status" | "developerId" | "updatedAt" | "version"
>;

export async function listWorkstreamDigests(
  db: Db,
  ids: readonly WorkflowId[],
  mostText: number,
): Promise<WorkstreamDigest[]> {
  if (ids.length === 0) return [];
  return db.all(digestsById(db.q, ids, mostText));
}

const digestsById = prepare((q, ids: readonly WorkflowId[], mostText: number) =>
  digests(q, mostText).where("id", "in", ids),
);

interface DigestPage {
  readonly after: string;
  readonly limit: number;
  /** What has ended counts only if it was saved at this moment or later. */
  readonly ended: { readonly statuses: readonly Lifecycle[]; readonly since: number };
  readonly mostText: number;
}

/** A page of all workstreams that are open or ended lately, by id. */
export async function listWorkstreamDigestPage(db: Db, page: DigestPage): Promise<WorkstreamDigest[]> {
  const { statuses, since } = page.ended;
  return db.all(
    digests(db.q, page.mostText)
      .where((of) => of(of.ref("id").$castTo<string>(), ">", page.after))
      .where((or) => or.or([or("status", "not in", statuses), or("updatedAt", ">=", since)]))
      .orderBy("id")
      .limit(page.limit),
  );
}

/**
 * Plain conditions on kind and container would have SQLite walk the index of all workstreams for three ids, because it
 * takes that for as short as any. Nothing can be looked up by this one, so the ids lead.
 */
const workstreams = (q: Db["q"]) =>
  q
    .selectFrom("workflow")
    .where((of) => of(of.case().when("kind", "=", "workstream").then(of.ref("endsWithTasks")).else(1).end(), "=", 0));

const digests = (q: Db["q"], mostText: number) =>
  workstreams(q)
    .select(["id", "name", "status", "developerId", "updatedAt", "version"])
    .select((of) => [
      of.fn<string>("substr", ["sourceContent", of.lit(1), of.val(mostText)]).as("sourceContent"),
      of.fn<string | null>("substr", ["statusReason", of.lit(1), of.val(mostText)]).as("statusReason"),
    ]);
