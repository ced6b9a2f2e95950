import type { AgentId, InstanceId, PullId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { sendWord } from "../message/operations.ts";
import { findDeveloper } from "../person/queries.ts";
import { readViewer } from "../person/viewer-queries.ts";
import type { Look } from "../port.ts";
import type { Work } from "../work.ts";
import { channelsOf, endPull, factsOf, mergeErrand, openErrand } from "./errand-operations.ts";
import { pullEvent } from "./events.ts";
import { countRounds, decideWork, type SeenWork, tellAgent } from "./instance-operations.ts";
import { isAlive, type MergeMethod, type Pull, type PullComment } from "./model.ts";
import type { Comparison, Survey, SurveyAsk } from "./port.ts";
import { findLocalPull, getPull, listComments, listItemsOf, listPulls, notFound } from "./queries.ts";
import { checkDecidable, feedbackText, mergeMessage, nameComments, refusalIn, settleComments } from "./rules.ts";
import { guardPulls, insertComment, insertPull, markDone, markSent, savePull } from "./store.ts";

interface NewPull {
  readonly survey: Survey;
  readonly title: string;
  readonly description: string;
  readonly agentId: AgentId | null;
  readonly approvedById?: InstanceId | null | undefined;
  /** The address of the page of one of our own, with a place for its number. */
  readonly page: string;
}

/** A pull request for a branch: the one that is open already, with what is new, else a new one. */
export async function openPull(work: Work, ask: NewPull): Promise<Pull> {
  const { survey } = ask;
  const { repositoryPath, branch } = survey;
  await guardPulls(work.db);
  const known = (await listPulls(work.db, { repositoryPath, branch, place: work.place, limit: 50 })).find(isAlive);
  const pull = known ?? (await addPull(work, ask));
  if (pull.status === "merging") return pull;
  const isNew = known === undefined || known.status === "opening";
  work.after(
    openErrand.ask({
      // Asked for again while it is being opened, it is the same work; later it is about other commits.
      key: isNew ? pull.id : `${pull.id}/${survey.head}`,
      subject: pull.id,
      place: pull.place,
      payload: {
        pullId: pull.id,
        repositoryPath,
        branch,
        base: pull.base,
        title: pull.title,
        description: pull.description,
        host: pull.host === "local" ? null : survey.host,
        at: work.now,
        page: ask.page,
      },
    }),
  );
  return pull;
}

/** The same for an instance's work, or by a reviewer for the work that it approves. */
export async function openForInstance(
  work: Work,
  { seen, title, description }: { readonly seen: SeenWork; readonly title: string; readonly description: string },
): Promise<Pull> {
  const { survey, agentId, approvedById } = await decideWork(work, seen);
  return openPull(work, { survey, page: seen.page, title, description, agentId, approvedById });
}

async function addPull(
  work: Work,
  { survey, title, description, agentId, approvedById = null }: NewPull,
): Promise<Pull> {
  const { host, repositoryPath, branch, base, head } = survey;
  const pull: Pull = {
    id: work.newId("pull"),
    host: host === null ? "local" : "github",
    address: host === null ? "" : `${host.owner}/${host.name}`,
    number: null,
    status: "opening",
    title,
    description,
    repositoryPath,
    place: work.place,
    branch,
    base,
    head,
    url: null,
    developerId: work.caller.developerId,
    agentId,
    approvedById,
    isSentBack: false,
    mergeMethod: null,
    mergeCommit: null,
    baseBefore: null,
    etag: null,
    problem: null,
    createdAt: work.now,
    updatedAt: work.now,
    endedAt: null,
    version: 1,
  };
  await insertPull(work.db, pull);
  const data = { branch, base, host: pull.host, agent_id: agentId };
  work.record(pullEvent.requested(pull.id, data, channelsOf(pull)));
  return pull;
}

/** Looks at a branch before a pull request for it is opened. */
export async function surveyFor(look: Look, ask: SurveyAsk): Promise<{ survey: Survey; page: string }> {
  return { survey: await look.ports.pull.survey(ask, look.signal), page: look.ports.pull.pageAddress() };
}

/** One of our own that the caller may see. */
export async function getKnownPull(work: Pick<Work, "db" | "caller">, number: number): Promise<Pull> {
  const pull = await findLocalPull(work.db, number);
  const viewer = await readViewer(work);
  if (!pull || !viewer.knows(pull)) throw notFound();
  return pull;
}

/** A pull request with what it would bring to its base right now. */
export async function lookAtPull(look: Look, number: number): Promise<{ pull: Pull; comparison: Comparison | null }> {
  const pull = await look.read((db) => getKnownPull({ db, caller: look.caller }, number));
  if (!isAlive(pull) || pull.place !== look.place) return { pull, comparison: null };
  const comparison = await look.ports.pull.compare(pull, look.signal).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
  return { pull, comparison };
}

interface NewComment {
  readonly number: number;
  readonly body: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly side: PullComment["side"];
}

export async function commentOnPull(work: Work, ask: NewComment): Promise<PullComment> {
  const pull = await getKnownPull(work, ask.number);
  const { body, path, line, side } = ask;
  if (line !== null && path === null)
    throw new Refusal("INVALID_INPUT", "A line is a line of a file.", "Pass path too.");
  const comment: PullComment = {
    id: work.newId("pullComment"),
    pullId: pull.id,
    developerId: work.caller.developerId,
    path,
    line,
    side,
    head: pull.head,
    body,
    createdAt: work.now,
    sentAt: null,
    item: null,
    doneAt: null,
  };
  await insertComment(work.db, comment);
  work.record(pullEvent.commented(pull.id, { ...factsOf(pull), path }, channelsOf(pull)));
  return comment;
}

/** Hands a pull request back to whoever opened it: what was said since the last time goes along. */
export async function sendBackPull(
  work: Work,
  ask: { number: number; summary: string; head: string | null; done: readonly string[] },
): Promise<Pull> {
  const pull = await getKnownPull(work, ask.number);
  checkDecidable(pull);
  const all = await listComments(work.db, pull.id);
  const said = all.filter(({ sentAt }) => sentAt === null);
  const items = all.filter(({ item }) => item !== null);
  const stillOpen = settleComments(items, ask.done);
  const comments =
    pull.agentId === null ? nameComments(said, { rounds: 0, known: items }) : await nameFor(work, pull.agentId, said);
  if (ask.summary === "" && comments.length === 0) {
    throw new Refusal("INVALID_INPUT", "Nothing says what should change.", "Comment on a line, or pass a summary.");
  }
  // What is waited for comes after what was looked at, and not after what was last taken note of.
  const head = ask.head ?? pull.head;
  const saved = await savePull(work.db, pull, { isSentBack: true, head, updatedAt: work.now });
  for (const comment of comments) await markSent(work.db, comment, work.now);
  await markDone(work.db, { pullId: pull.id, items: ask.done }, work.now);
  work.record(pullEvent.sentBack(pull.id, { ...factsOf(pull), comments: comments.length }, channelsOf(pull)));
  if (pull.agentId !== null) {
    const by = (await readViewer(work)).nameOf(work.caller.developerId);
    const body = feedbackText(pull, { by, summary: ask.summary, comments, stillOpen });
    await sendWord(work, {
      senderId: null,
      priority: "high",
      recipientId: pull.agentId,
      subject: `Changes requested on pull request #${pull.number}`,
      body,
    });
    await tellAgent(work, pull.agentId, body);
  }
  return saved;
}

const nameFor = async (work: Work, agentId: AgentId, said: readonly PullComment[]): Promise<PullComment[]> =>
  nameComments(said, { rounds: await countRounds(work, agentId), known: await listItemsOf(work.db, agentId) });

/** Looks whether a merge would go through, so that a no is said before anything is decided. */
export async function checkMerge(look: Look, number: number): Promise<{ readonly head: string }> {
  const pull = await look.read((db) => getKnownPull({ db, caller: look.caller }, number));
  checkDecidable(pull);
  if (pull.place !== look.place) throw new Refusal("INVALID_STATE", "The repository lies with another server.");
  const { head, ahead, conflicts } = await look.ports.pull.compare(pull, look.signal);
  if (ahead === 0) {
    throw new Refusal("INVALID_STATE", "The base has everything already.", "Close the pull request.");
  }
  if (conflicts.length > 0) throw inConflict(conflicts);
  await look.ports.pull.checkTarget(pull, look.signal);
  return { head };
}

export async function mergePull(
  work: Work,
  ask: { readonly number: number; readonly method: MergeMethod; readonly head: string },
): Promise<Pull> {
  const pull = await getKnownPull(work, ask.number);
  checkDecidable(pull);
  const { method, head } = ask;
  const saved = await savePull(work.db, pull, { status: "merging", head, problem: null, updatedAt: work.now });
  const person = await findDeveloper(work.db, work.caller.developerId);
  const { id: pullId, repositoryPath, branch, base } = pull;
  work.after(
    mergeErrand.ask({
      key: `${pullId}/${work.newId("errand")}`,
      subject: pullId,
      place: pull.place,
      payload: {
        pullId,
        repositoryPath,
        branch,
        base,
        head,
        method,
        message: mergeMessage(pull, method),
        by: { name: person?.name || work.caller.handle, email: person?.email ?? `${work.caller.handle}@localhost` },
        at: work.now,
      },
    }),
  );
  return saved;
}

/** How a merge that was asked for has ended by now; one that did not go through is told as the reason why. */
export async function readMerge(work: Pick<Work, "db">, number: number): Promise<Pull> {
  const pull = await findLocalPull(work.db, number);
  if (!pull) throw notFound();
  if (pull.status === "open" && pull.problem !== null) throw refusalIn(pull.problem);
  return pull;
}

/** The same for one that was to be opened. */
export async function readOpening(work: Pick<Work, "db">, id: PullId): Promise<Pull> {
  const pull = await getPull(work.db, id);
  if (pull.problem !== null) throw refusalIn(pull.problem);
  if (pull.status !== "opening") return pull;
  throw new Refusal("TOOL_TIMEOUT", "The pull request is still being opened.", "Call again; it is opened once.");
}

export async function closePull(work: Work, number: number): Promise<void> {
  const pull = await getKnownPull(work, number);
  checkDecidable(pull);
  await endPull(work, pull, { status: "closed", mergeMethod: null, mergeCommit: null });
}

const mostNamed = 10;

function inConflict(files: readonly string[]): Refusal {
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  return new Refusal(
    "CONFLICT",
    `Merge conflict in ${files.slice(0, mostNamed).join(", ")}${more}.`,
    "Bring the branch up to date with its base, then merge again.",
    { files: files.slice(0, 1_000) },
  );
}
