import { takeJournal, type UncheckedEdit } from "../journal.ts";
import type { Companion } from "../places.ts";
import { findRepoOf } from "../repos.ts";
import { findRepository, namesOf, type Repository } from "../repository.ts";
import { callTool, ServerRefusal, type Target } from "../server.ts";
import { type ClientSession, liveMs, readSession } from "../sessions.ts";
import { askConflicts } from "./ask-conflicts.ts";
import { foreignClaim } from "./claims.ts";
import { endOnServer } from "./end-on-server.ts";

interface Ask {
  readonly target: Target;
  /** Whose lines are told; undefined for this machine's own server. */
  readonly baseUrl: string | undefined;
  readonly signal: AbortSignal;
  readonly now: number;
}

/**
 * What passed unchecked is looked at now: an edit of a file that somebody held is told as a step of its session, so that
 * both can see it. Lines that cannot be told yet wait for the next time, and keep no other waiting.
 */
export async function reconcile(companion: Companion, ask: Ask): Promise<void> {
  const journal = takeJournal(companion);
  if (journal === undefined) return;
  const waiting: UncheckedEdit[] = [];
  let isAway = false;
  for (const edit of journal.edits) {
    try {
      if (isAway || !(await tellEdit(companion, edit, ask))) waiting.push(edit);
    } catch (error) {
      // What the server has refused for good, it will refuse again.
      if (error instanceof ServerRefusal && final.includes(error.code)) continue;
      waiting.push(edit);
      isAway = !(error instanceof ServerRefusal);
    }
  }
  journal.done(waiting);
}

/** The second says that the line has been told before, when other claims were in force. */
const final = ["INVALID_INPUT", "INVALID_REQUEST", "CONFLICT"];
const notThere = ["SESSION_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"];

/** False where it has to wait: for its server, or for its session. */
async function tellEdit(companion: Companion, edit: UncheckedEdit, ask: Ask): Promise<boolean> {
  const repository = findRepository(edit.repository);
  if (repository === undefined) return true;
  const session = readSession(companion, edit.client, edit.session);
  if ((session ?? findRepoOf(companion, repository))?.base_url !== ask.baseUrl) return false;
  if (session !== undefined) {
    try {
      await tellBy(session, edit, repository, ask);
      return true;
    } catch (error) {
      if (!(error instanceof ServerRefusal) || !notThere.includes(error.code)) throw error;
    }
  } else if (ask.now - Date.parse(edit.at) < liveMs) return false;
  await tellWithout(edit, repository, ask);
  return true;
}

/** The client came and went while the server was away, or its session has ended since: one is started and ended for it. */
async function tellWithout(edit: UncheckedEdit, repository: Repository, { target, ...ask }: Ask): Promise<void> {
  const key = `unchecked-session-${edit.client}-${edit.session}-${edit.at}`.slice(0, 200);
  const { client } = edit;
  const start = { operation: "start", agent_name: client, agent_type: client, repo: namesOf(repository)[0] };
  const { data } = await callTool(
    target,
    "covibe_session",
    { ...start, worktree: repository.root },
    { signal: ask.signal, key },
  );
  const session_id = String(data["session_id"]);
  try {
    await tellBy({ session_id, own: [] }, edit, repository, { target, ...ask });
  } catch (error) {
    // Told before, by one that was killed before it could say so here.
    if (!(error instanceof ServerRefusal) || !notThere.includes(error.code)) throw error;
  }
  await endOnServer(target, { session_id }, ask.signal);
}

async function tellBy(
  session: Pick<ClientSession, "session_id" | "own">,
  edit: UncheckedEdit,
  repository: Repository,
  { target, signal }: Ask,
): Promise<void> {
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
