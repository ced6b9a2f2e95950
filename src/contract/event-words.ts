/**
 * The ledger in words, for the deck and the command line: what an event is about, what happened, and what more there is
 * to know. Who did it stands beside the sentence.
 */

/** An event as far as its sentence needs it. */
interface Happened {
  readonly kind: string;
  readonly subject: string;
  readonly data: Data;
  /** Whose call it was, where it was anybody's. */
  readonly actor?: string | null;
}

type Data = Readonly<Record<string, unknown>>;

export interface Said {
  /** The record that a line begins with, by its id; or words, where no record has a name or a page. */
  readonly about: { readonly id: string } | { readonly words: string };
  readonly what: string;
  readonly more: string;
}

/** How the reader knows a record: its name, or something short in its place. */
type SayName = (id: string) => string;

type Sentence = (data: Data, subject: string, nameOf: SayName, actor: string) => Said;

/** An event in words. Of private people only the kind is said; so it is of a kind that only a newer server knows. */
export function sayHappened({ kind, subject, data, actor }: Happened, nameOf: SayName): Said {
  const hidden = textIn(data, "developer");
  // No handle begins like the name that stands for everyone who is private.
  if (hidden?.startsWith("@")) return { about: { words: hidden }, what: humanise(kind), more: "" };
  const sentence = Object.hasOwn(sentences, kind) ? sentences[kind] : undefined;
  return (
    sentence?.(data, subject, nameOf, actor ?? "Crewdeck") ?? {
      about: { id: subject },
      what: humanise(kind.split(".")[1] ?? kind),
      more: "",
    }
  );
}

/** The id of the agent that did it, where the event names one. */
export function actorOf({ subject, data }: Happened): string | undefined {
  const named = ["session_id", "agent_id", "sender_id"].map((key) => textIn(data, key));
  return [subject.startsWith("ag_") ? subject : undefined, ...named].find((id) => id !== undefined);
}

const textIn = (data: Data, key: string): string | undefined => {
  const value = data[key];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** A figure behind a word, where the event has it: 0 is one too. */
const figure = (data: Data, key: string, before: string): string =>
  typeof data[key] === "number" ? `${before}${data[key]}` : "";

const humanise = (kind: string): string =>
  kind
    .replaceAll(/[._]/g, " ")
    .replace(/([A-Z])/g, " $1")
    .toLowerCase();

type Words = string | ((data: Data, nameOf: SayName) => string);
const wordsOf = (words: Words, data: Data, nameOf: SayName): string =>
  typeof words === "string" ? words : words(data, nameOf);

/** About the record itself; what more there is, by keys of the event or in words of its own. */
const itself =
  (what: Words, ...more: readonly Words[]): Sentence =>
  (data, subject, nameOf) => ({ about: { id: subject }, what: wordsOf(what, data, nameOf), more: listOf(data, more) });

/** About a record that the event names. */
const of =
  (key: string, what: Words, ...more: readonly Words[]): Sentence =>
  (data, subject, nameOf) => ({
    about: { id: textIn(data, key) ?? subject },
    what: wordsOf(what, data, nameOf),
    more: listOf(data, more),
  });

/** About something that has neither a name nor a page. */
const thing =
  (words: Words, what: Words, ...more: readonly Words[]): Sentence =>
  (data, _subject, nameOf) => ({
    about: { words: wordsOf(words, data, nameOf) },
    what: wordsOf(what, data, nameOf),
    more: listOf(data, more),
  });

/** What somebody did: the agent in whose session it was, else whoever called. */
const byActor =
  (what: Words, ...more: readonly Words[]): Sentence =>
  (data, _subject, nameOf, actor) => {
    const id = textIn(data, "session_id");
    return {
      about: id === undefined ? { words: actor } : { id },
      what: wordsOf(what, data, nameOf),
      more: listOf(data, more),
    };
  };

/** What was done, and to what if the event says it. */
const quoting =
  (what: string, quote: (data: Data) => string) =>
  (data: Data): string =>
    quote(data) === "" ? what : `${what}: ${quote(data)}`;

/** What was noted, on the task or else on the whole plan. */
const noted =
  (what: string): Sentence =>
  (data, subject) => ({
    about: { id: textIn(data, "task_id") ?? textIn(data, "workflow_id") ?? subject },
    what,
    more: typeof data["progress"] === "number" ? `${data["progress"]}%` : "",
  });

const changed = itself(
  ({ to }) => (to === "failed" ? "failed" : `is ${to ?? "changed"}`),
  ({ from }) => (from === undefined ? "" : `was ${from}`),
);

const checked = thing(titleOr("Work"), "was checked for duplicates", (data) =>
  data["requires_verdict"] === true ? "needs a decision" : "",
);

function collide({ verdict }: Data): string {
  return verdict === "near" ? "are close to each other" : verdict === "symbol" ? "break each other" : "conflict";
}

function pullName({ number }: Data): string {
  return typeof number === "number" ? `Pull request #${number}` : "Pull request";
}

function issueName({ number }: Data): string {
  return typeof number === "number" ? `Issue #${number}` : "Issue";
}

/** Every kind that the ledger knows, in the order of the nouns. */
export const sentences: Readonly<Record<string, Sentence>> = {
  "agent.registered": itself("joined", word("runtime"), word("role")),
  "agent.heartbeat": itself("sent a heartbeat"),
  "agent.updated": itself(isNow("status")),
  "agent.unregistered": itself("left"),
  "agent.wentStale": itself("went offline (no signal for 60 s)"),
  "session.started": itself("started a session", "repo", "branch", "model"),
  "session.agentMismatched": itself("is a different agent than its token allows", "reported_type"),
  "session.seen": itself("sent a heartbeat"),
  "session.snapshotTaken": itself(
    "reported its files",
    count("dirty_files", "dirty"),
    count("unpushed_files", "unpushed"),
    "repo",
  ),
  "session.activityLogged": itself("reported activity", "summary"),
  "session.ended": itself("ended its session", "summary"),
  "pull.requested": thing(pullName, "was requested", "branch", "base"),
  "pull.opened": thing(pullName, "was opened", "branch", "base"),
  "pull.moved": thing(pullName, "has new commits", "branch"),
  "pull.failed": thing(pullName, "could not be opened", "code", "branch"),
  "pull.commented": thing(pullName, "got a comment", "path"),
  "pull.sentBack": thing(pullName, "was sent back", count("comments", "comment")),
  "pull.merged": thing(pullName, "was merged", "branch", "method"),
  "pull.mergeFailed": thing(pullName, "could not be merged", "code"),
  "pull.closed": thing(pullName, "was closed", "branch"),
  "issue.filed": thing(issueName, "was filed", "url"),
  "issue.failed": thing("Issue", "could not be filed", "code"),
  "claim.taken": byActor(
    quoting("claimed", (data) => join([namesIn(data, "paths"), namesIn(data, "symbols")])),
    "repo",
  ),
  "claim.renewed": byActor("renewed its claim", "repo"),
  "claim.released": byActor("released its claim", word("reason")),
  "claim.moved": byActor("handed over its claim", "repo"),
  "collision.began": thing("Two pieces of work", collide),
  "collision.changed": thing("Two pieces of work", collide),
  "collision.ended": thing("A collision", "is over"),
  "collision.told": of("agent_id", "was told of a collision"),
  "base.told": of("agent_id", "was told that its base has moved on"),
  "parallel_work.audit": thing("All work", "was checked for duplicates", count("compared", "compared"), (data) =>
    plural(numberIn(data, "running_conflicts"), "conflict"),
  ),
  "weekly_summary.generated": thing(
    "Weekly summary",
    "created",
    count("completed", "done"),
    count("active", "active"),
    count("planned", "planned"),
  ),
  "receipt.settled": itself(
    quoting("has a receipt", (data) => textIn(data, "level") ?? ""),
    count("passed", "checks passed"),
    count("failed", "failed"),
  ),
  "receipt.accepted": itself("has a result that was reviewed and accepted"),
  "checks.allowed": thing("The checks of a repository", "were allowed to run"),
  "checks.forbidden": thing("The checks of a repository", "are no longer allowed to run"),
  "context.published": byActor(quoting("published context", titleOr("")), "repo"),
  "context.revoked": byActor("withdrew its published context"),
  "message.sent": thing(
    (data, nameOf) => named(data, "sender_id", nameOf),
    (data, nameOf) => `wrote to ${named(data, "recipient_id", nameOf)}`,
    word("message_type"),
    importance,
  ),
  "message.read": byActor("read a message"),
  "message.archived": byActor("archived a message"),
  "coordination.announced": byActor(quoting("announced", (data) => textIn(data, "message") ?? "")),
  "coordination.asked": byActor("asked a question"),
  "coordination.replied": byActor("answered a question"),
  "coordination.offered": byActor("offered a handoff"),
  "coordination.withdrawn": byActor("withdrew a handoff"),
  "coordination.accepted": byActor(
    (data, nameOf) =>
      `accepted a handoff${textIn(data, "task_id") === undefined ? "" : `: ${named(data, "task_id", nameOf)}`}`,
    ({ claims }) => (typeof claims === "number" && claims > 0 ? `${claims} ${claims === 1 ? "claim" : "claims"}` : ""),
  ),
  "coordination.codeFreed": thing("Code that was refused", "became free; whoever wanted it was told"),
  "coordination.conflictTold": thing("A claim conflict", "was reported to the holder of the claim"),
  "artifact.downloaded": thing("A download", "was verified and installed", "kind"),
  "artifact.removed": thing("A search index", "was removed", "reason"),
  "artifact.copied": thing("A search index", "was copied to SQLite"),
  "artifact.compacted": thing("A SQLite copy of a search index", "was compacted"),
  "finding.ingested": thing(
    "Findings",
    ({ created, updated }) => `were imported: ${Number(created ?? 0)} new, ${Number(updated ?? 0)} changed`,
  ),
  "finding.decided": thing("A finding", (data) => `was marked ${humanise(textIn(data, "status") ?? "decided")}`),
  "finding.planned": thing("A finding", (data, nameOf) => `will be fixed by ${named(data, "task_id", nameOf)}`),
  "finding.fixed": thing("A finding", (data, nameOf) => `was fixed by ${named(data, "task_id", nameOf)}`, "proof"),
  "finding.reopened": thing("A finding", "was reopened: its fix was cancelled"),
  "finding.packed": thing("Evidence about a finding", "was collected"),
  "note.added": noted("has a new note"),
  "note.decided": noted("has a decision"),
  "note.raised": noted("has an open issue"),
  "note.reached": noted("reached a milestone"),
  "note.resolved": noted("had an issue resolved"),
  "recovery.measured": (data, subject) => {
    const kept = (name: string, words: string): string =>
      Number(data[name] ?? 0) === 0 ? "" : `${data[`${name}_kept`]} of ${data[name]} ${words}`;
    const parts = [kept("decisions", "decisions"), kept("files", "files"), kept("steps", "next steps")];
    return { about: { id: subject }, what: "had its context loaded", more: parts.filter(Boolean).join(", ") };
  },
  "task.checked": checked,
  "workstream.checked": checked,
  "scope.judged": byActor(
    ({ duplicate }) => `decided on a check: ${duplicate === true ? "duplicate" : "not a duplicate"}`,
    "confirmation_reason",
  ),
  "scope.confirmed": thing(titleOr("Work"), "was confirmed by a person", "reason"),
  "scope.refused": thing(titleOr("Work"), "was refused by a person", "reason"),
  "scope.joined": thing(titleOr("Work"), "was joined to existing work by a person", "reason"),
  "warning.confirmed": byActor("confirmed a warning", "reason"),
  "warning.dismissed": byActor("dismissed a warning", "reason"),
  "team.founded": itself("was created"),
  "team.thresholdSet": byActor(
    (data) => `set ${textIn(data, "key") ?? "a threshold"}${figure(data, "value", " to ")}`,
    (data) => figure(data, "before", "was "),
  ),
  "team.damageAccepted": byActor("accepted damage in the store", (data) =>
    Array.isArray(data["problems"]) ? data["problems"].map(String).join("; ") : "",
  ),
  "developer.created": thing((data) => textIn(data, "handle") ?? "Somebody", "joined", "role"),
  "developer.updated": thing("An account", "was changed"),
  "token.created": thing("Token", "created", "label"),
  "token.revoked": thing("Token", "revoked"),
  "device.requested": thing(machine, "requested access", agents),
  "device.approved": thing(machine, "was approved", agents),
  "device.denied": thing(machine, "was denied", agents),
  "device.consumed": thing("A machine", "signed in"),
  "machine.reported": thing(machine, "reported its clients"),
  "repository.registered": itself("was registered"),
  "repository.renamed": itself("was renamed"),
  "task.created": itself("was created"),
  "task.planSet": itself("got a plan"),
  "task.statusChanged": changed,
  "task.replanned": itself("was replanned"),
  "task.claimed": itself((data, nameOf) => `was taken by ${named(data, "agent_id", nameOf)}`),
  "task.released": itself("was released", "reason"),
  "task.moved": itself("was reordered"),
  "task.assigned": itself("got a worktree"),
  "task.handedOver": itself("changed owner"),
  "task.planned": itself("was planned", word("task_type")),
  "task.plannedUpdated": itself("was edited before it started"),
  "task.started": itself("was started", word("task_type")),
  "task.updated": changed,
  "task.completed": itself("was completed"),
  "task.cancelled": itself("was cancelled", "reason"),
  "template.created": itself("was saved as a template"),
  "span.recorded": byActor(
    (data) => `used ${numberIn(data, "total_tokens").toLocaleString("en")} tokens`,
    "model",
    money("cost_usd"),
  ),
  "budget.set": thing(budget, "was set", money("limit_usd")),
  "budget.passed": thing(budget, "was exceeded", money("limit_usd")),
  "mission.started": itself("was started", word("profile")),
  "mission.advanced": itself((data) => `is in phase ${numberIn(data, "current_phase")}`),
  "mission.ended": itself("has ended", word("status")),
  "mission.blocked": itself((data) => (data["is_blocked"] === false ? "was unblocked" : "needs a person")),
  "mission.statusChanged": itself(isNow("status")),
  "phase.begun": of("workflow_id", (data) => `started phase ${numberIn(data, "number")}`, "name"),
  "phase.ended": of("workflow_id", (data) => `finished phase ${numberIn(data, "number")}`, "status"),
  "workflow.created": itself("was created"),
  "workflow.planSet": itself("was planned", count("tasks", "tasks")),
  "workflow.statusChanged": changed,
  "workflow.progressed": itself("made progress"),
  "workflow.parallelismSet": itself((data) => `runs at most ${numberIn(data, "max_parallel_tasks")} tasks at once`),
  "workstream.planned": itself("was planned"),
  "workstream.started": itself("was started"),
  "workstream.startPlanned": itself("was started as planned"),
  "workstream.autoCreated": itself("got a workstream of its own"),
  "workstream.updated": changed,
  "workstream.completed": itself("was completed"),
  "workstream.cancelled": itself("was cancelled", "reason"),
  "worktree.registered": of("workflow_id", "requested a worktree", "branch"),
  "worktree.updated": of("workflow_id", "has a changed worktree", "status"),
  "worktree.prepared": of("workflow_id", "has a worktree ready", "branch"),
  "worktree.failed": of("workflow_id", "has a worktree that could not be created", "code"),
  "worktree.removed": of("workflow_id", "had a worktree removed"),
  "worktree.kept": of("workflow_id", "keeps a worktree that could not be removed", "code"),
  "instance.created": itself("is at work", word("type"), "branch_name"),
  "instance.statusChanged": itself(
    (data) => `is ${String(data["status"] ?? "changed").replaceAll("_", " ")}`,
    "reason",
  ),
  "instance.launched": itself("was started", word("mode")),
  "instance.launchFailed": itself("could not be started", "code"),
  "instance.attentionChanged": itself(
    (data) => (data["kind"] === null ? "needs nobody any more" : "needs a person"),
    "reason",
  ),
  "instance.processEnded": itself("ended its program"),
  "instance.endFailed": itself("could not be ended", "code"),
  "review.requested": of("coder_id", "asked for a review"),
  "review.granted": itself("may ask for one more review"),
  "review.feedbackGiven": of("coder_id", "was given feedback", word("feedback_type")),
  "review.feedbackDelivered": of("coder_id", "has the feedback"),
  "review.ended": of("coder_id", "had a review end", word("outcome")),
  "vault.stored": thing(
    "The changes of a worktree",
    "were saved to the vault",
    count("staged", "staged"),
    count("unstaged", "unstaged"),
    count("untracked", "untracked"),
  ),
  "vault.restored": thing("The changes of a worktree", "were restored from the vault"),
  "vault.restoreFailed": thing("The changes of a worktree", "could not be restored from the vault", "code"),
  "vault.dropped": thing("The changes of a worktree", "were deleted from the vault"),
};

function named(data: Data, key: string, nameOf: SayName): string {
  const id = textIn(data, key);
  return id === undefined ? "the server" : nameOf(id);
}

/** Functions, not constants: the sentences above are made before what stands here. */
function titleOr(words: string) {
  return (data: Data): string => textIn(data, "title") ?? words;
}

/** One of a few words that the house knows; what people wrote is left as it is. */
function word(key: string) {
  return (data: Data): string => (textIn(data, key) ?? "").replaceAll("_", " ");
}

function isNow(key: string) {
  return (data: Data): string => `is ${word(key)(data) || "changed"}`;
}

function count(key: string, words: string) {
  return (data: Data): string => `${numberIn(data, key)} ${words}`;
}

function plural(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

function money(key: string) {
  return (data: Data): string => (typeof data[key] === "number" ? `$${data[key].toFixed(2)}` : "");
}

function machine(data: Data): string {
  return textIn(data, "machine_name") ?? "A machine";
}

function agents(data: Data): string {
  return namesIn(data, "agents");
}

function budget(data: Data): string {
  return `The budget of a ${textIn(data, "kind") ?? "task"}`;
}

function importance(data: Data): string {
  const priority = textIn(data, "priority");
  return priority === "high" || priority === "urgent" ? priority : "";
}

function numberIn(data: Data, key: string): number {
  return typeof data[key] === "number" ? data[key] : 0;
}

/** A few names of a list; the ledger keeps only the first ones anyway. */
function namesIn(data: Data, key: string): string {
  return Array.isArray(data[key]) ? data[key].slice(0, 3).join(", ") : "";
}

function listOf(data: Data, more: readonly Words[]): string {
  return join(more.map((words) => (typeof words === "string" ? (textIn(data, words) ?? "") : words(data, String))));
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
