import type { ScopeCheckId } from "../../contract/ids.ts";
import type { Db } from "../../storage/db.ts";
import type { ScopeCheck, Warning } from "./model.ts";

/** What a check found, as far as it says how often agents are asked. */
export interface ScopeCheckScores {
  readonly kind: ScopeCheck["kind"];
  readonly title: string;
  /** Of the matches that nothing holds back. */
  readonly scores: readonly number[];
}

/** What these checks found, or the newest if none are named; the oldest first. */
export async function listScopeCheckScores(
  db: Db,
  ask: { ids?: readonly ScopeCheckId[]; limit: number },
): Promise<ScopeCheckScores[]> {
  let query = db.q
    .selectFrom("scopeCheck")
    .leftJoin("warning", "warning.id", "scopeCheck.warningId")
    .select(["scopeCheck.kind", "scopeCheck.title", "warning.matches"])
    .orderBy("scopeCheck.expiresAt", "desc")
    .orderBy("scopeCheck.id", "desc")
    .limit(ask.limit);
  if (ask.ids !== undefined) query = query.where("scopeCheck.id", "in", ask.ids);
  const rows = await db.all(query);
  return rows.reverse().map(({ kind, title, matches }) => ({
    kind: kind,
    title,
    scores: (JSON.parse(matches ?? "[]") as Warning["matches"])
      .filter(({ suppressedBy }) => !suppressedBy)
      .map(({ score }) => score),
  }));
}
