import { takeJournal, type UncheckedEdit } from "../journal.ts";
import type { Companion } from "../places.ts";
import { findRepository } from "../repository.ts";
import { callTool, type Target } from "../server.ts";
import { readSession } from "../sessions.ts";
import { askConflicts } from "./ask-conflicts.ts";
import { foreignClaim } from "./claims.ts";

/**
 * What passed unchecked is looked at now: an edit of a file that somebody held is told as a step of its session, so that
 * both can see it. Lines that cannot be told yet wait for the next time.
 */
export async function reconcile(companion: Companion, target: Target, signal: AbortSignal): Promise<void> {
  const journal = takeJournal(companion);
  if (journal === undefined) return;
  try {
    for (const edit of journal.edits) await tellEdit(companion, target, edit, signal);
    journal.done();
  } catch {
    journal.putBack();
  }
}

async function tellEdit(companion: Companion, target: Target, edit: UncheckedEdit, signal: AbortSignal): Promise<void> {
  const session = readSession(companion, edit.client, edit.session);
  const repository = findRepository(edit.repository);
  if (session === undefined || repository === undefined) return;
  const { session_id } = session;
  const { conflicts } = await askConflicts(target, repository, { paths: edit.files, session_id }, { signal });
  const claim = foreignClaim(conflicts, session);
  const what = edit.files.length === 1 ? edit.files[0] : `${edit.files.length} files`;
  const held = claim === undefined ? "" : `, claimed by ${claim.holder}`;
  const summary = `Edited ${what} while the server could not be asked${held}.`.slice(0, 280);
  const files = edit.files.slice(0, 50);
  const key = `unchecked-${edit.session}-${edit.at}-${edit.files[0] ?? ""}`.slice(0, 200);
  await callTool(
    target,
    "covibe_session",
    { operation: "activity", session_id, kind: "note", summary, files },
    { signal, key },
  );
}
