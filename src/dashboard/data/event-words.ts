import { type LiveEvent, textIn } from "./event.ts";
import { nameOf, shortId } from "./names.ts";

/** An event in words: whom or what it is about, what happened, and what more there is to know. */
export interface Said {
  /** The record that a line begins with, by its id; or words, where no record has a name or a page. */
  readonly about: { readonly id: string } | { readonly words: string };
  readonly what: string;
  readonly more: string;
}

type Data = LiveEvent["data"];
type Sentence = (data: Data, subject: string) => Said;

/** The name of a record, or the end of its id. */
export const sayName = (id: string | undefined): string =>
  id === undefined || id === "" ? "the server" : (nameOf(id) ?? shortId(id));

type Words = string | ((data: Data) => string);
const wordsOf = (words: Words, data: Data): string => (typeof words === "string" ? words : words(data));

/** About the record itself; what more there is, by keys of the event or in words of its own. */
const itself =
  (what: Words, ...more: readonly Words[]): Sentence =>
  (data, subject) => ({ about: { id: subject }, what: wordsOf(what, data), more: listOf(data, more) });

/** About a record that the event names. */
const of =
  (key: string, what: Words, ...more: readonly Words[]): Sentence =>
  (data, subject) => ({
    about: { id: textIn(data, key) ?? subject },
    what: wordsOf(what, data),
    more: listOf(data, more),
  });

/** About something that has neither a name nor a page. */
const thing =
  (words: Words, what: Words, ...more: readonly Words[]): Sentence =>
  (data) => ({ about: { words: wordsOf(words, data) }, what: wordsOf(what, data), more: listOf(data, more) });

/** What an agent did in its session; who works without one is nobody in particular. */
const bySession =
  (what: Words, ...more: readonly Words[]): Sentence =>
  (data) => {
    const id = textIn(data, "session_id");
    return {
      about: id === undefined ? { words: "Somebody" } : { id },
      what: wordsOf(what, data),
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
    more: typeof data["progress"] === "number" ? `${data["progress"]} %` : "",
  });

const changed = itself(
  ({ to }) => (to === "failed" ? "failed" : `is ${to ?? "changed"}`),
  ({ from }) => (from === undefined ? "" : `was ${from}`),
);

const checked = thing(titleOr("Work"), "was compared with all other work", (data) =>
  data["requires_verdict"] === true ? "waits for a verdict" : "",
);

/** Every kind that the ledger knows, in the order of the nouns. */
export const sentences: Readonly<Record<string, Sentence>> = {
  "agent.registered": itself("came aboard", word("runtime"), word("role")),
  "agent.heartbeat": itself("is alive"),
  "agent.updated": itself(isNow("status")),
  "agent.unregistered": itself("left"),
  "agent.wentStale": itself("fell silent and counts as gone"),
  "session.started": itself("began a session", "repo", "branch", "model"),
  "session.agentMismatched": itself("is another agent than its token is for", "reported_type"),
  "session.seen": itself("is alive"),
  "session.snapshotTaken": itself(
    "reported its files",
    count("dirty_files", "dirty"),
    count("unpushed_files", "unpushed"),
    "repo",
  ),
  "session.activityLogged": itself("told what it does", "summary"),
  "session.ended": itself("ended its session", "summary"),
  "claim.taken": bySession(
    quoting("claimed", (data) => join([namesIn(data, "paths"), namesIn(data, "symbols")])),
    "repo",
  ),
  "claim.renewed": bySession("goes on holding what it claimed", "repo"),
  "claim.released": bySession("released what it claimed", word("reason")),
  "claim.moved": bySession("passed on what it claimed", "repo"),
  "parallel_work.audit": thing(
    "All work",
    "was looked through for doubles",
    count("compared", "compared"),
    count("running_conflicts", "at odds"),
  ),
  "weekly_summary.generated": thing(
    "The week",
    "was written down",
    count("completed", "done"),
    count("active", "active"),
    count("planned", "planned"),
  ),
  "receipt.settled": itself(
    quoting("has a receipt", (data) => textIn(data, "level") ?? ""),
    count("passed", "checks passed"),
    count("failed", "failed"),
  ),
  "checks.allowed": thing("The checks of a repository", "may be run"),
  "checks.forbidden": thing("The checks of a repository", "may no longer be run"),
  "context.published": bySession(quoting("told the team", titleOr("")), "repo"),
  "context.revoked": bySession("took back what it told the team"),
  "message.sent": thing(
    (data) => sayName(textIn(data, "sender_id")),
    (data) => `wrote to ${sayName(textIn(data, "recipient_id"))}`,
    word("message_type"),
    importance,
  ),
  "message.read": thing("A message", "was read"),
  "message.archived": thing("A message", "was archived"),
  "coordination.announced": bySession(quoting("told everyone", (data) => textIn(data, "message") ?? "")),
  "coordination.asked": thing("A question", "was asked"),
  "coordination.replied": thing("A question", "was answered"),
  "coordination.offered": thing("A handoff", "was offered"),
  "coordination.withdrawn": thing("A handoff", "was withdrawn"),
  "coordination.accepted": thing("A handoff", "was accepted"),
  "coordination.conflictTold": thing("The holder of a claim", "was told that somebody else wants the same code"),
  "note.added": noted("has a new note"),
  "note.decided": noted("has a decision"),
  "note.raised": noted("has an open issue"),
  "note.reached": noted("reached a milestone"),
  "note.resolved": noted("has an issue that is resolved"),
  "task.checked": checked,
  "workstream.checked": checked,
  "scope.judged": thing(
    "A check",
    ({ duplicate }) => `was judged: ${duplicate === true ? "the same" : "other"} work`,
    "confirmation_reason",
  ),
  "scope.confirmed": thing(titleOr("Work"), "was confirmed by a person", "reason"),
  "warning.confirmed": thing("A warning", "was confirmed", "reason"),
  "warning.dismissed": thing("A warning", "was dismissed", "reason"),
  "team.founded": itself("was founded"),
  "developer.created": thing((data) => textIn(data, "handle") ?? "Somebody", "joined", "role"),
  "developer.updated": thing("An account", "was changed"),
  "token.created": thing("A token", "was made", "label"),
  "token.revoked": thing("A token", "was revoked"),
  "device.requested": thing(machine, "asks to be let in", agents),
  "device.approved": thing(machine, "was let in", agents),
  "device.denied": thing(machine, "was turned away", agents),
  "device.consumed": thing("A machine", "has signed in"),
  "repository.registered": itself("was registered"),
  "repository.renamed": itself("has a new name"),
  "task.created": itself("was planned"),
  "task.planSet": itself("got its plan"),
  "task.statusChanged": changed,
  "task.replanned": itself("is planned anew"),
  "task.claimed": itself((data) => `was taken by ${sayName(textIn(data, "agent_id"))}`),
  "task.released": itself("was given back", "reason"),
  "task.moved": itself("has another place in the order"),
  "task.assigned": itself("got a worktree"),
  "task.handedOver": itself("has another owner"),
  "task.planned": itself("was planned", word("task_type")),
  "task.plannedUpdated": itself("was changed before it began"),
  "task.started": itself("was started", word("task_type")),
  "task.updated": changed,
  "task.completed": itself("is done"),
  "task.cancelled": itself("was cancelled", "reason"),
  "template.created": itself("was kept as a template"),
  "span.recorded": bySession(
    (data) => `used ${numberIn(data, "total_tokens").toLocaleString("en")} tokens`,
    "model",
    money("cost_usd"),
  ),
  "budget.set": thing(budget, "was set", money("limit_usd")),
  "budget.passed": thing(budget, "was passed", money("limit_usd")),
  "mission.started": itself("was started", word("profile")),
  "mission.advanced": itself((data) => `is in phase ${numberIn(data, "current_phase")}`),
  "mission.ended": itself("has ended", word("status")),
  "mission.blocked": itself((data) => (data["is_blocked"] === false ? "goes on" : "needs a person")),
  "mission.statusChanged": itself(isNow("status")),
  "phase.begun": of("workflow_id", (data) => `began phase ${numberIn(data, "number")}`, "name"),
  "phase.ended": of("workflow_id", (data) => `ended phase ${numberIn(data, "number")}`, "status"),
  "workflow.created": itself("was begun"),
  "workflow.planSet": itself("was planned", count("tasks", "tasks")),
  "workflow.statusChanged": changed,
  "workflow.progressed": itself("went on"),
  "workflow.parallelismSet": itself((data) => `runs at most ${numberIn(data, "max_parallel_tasks")} tasks at once`),
  "workstream.planned": itself("was planned"),
  "workstream.started": itself("was started"),
  "workstream.startPlanned": itself("was started as planned"),
  "workstream.autoCreated": itself("was begun for a task"),
  "workstream.updated": changed,
  "workstream.completed": itself("is done"),
  "workstream.cancelled": itself("was cancelled", "reason"),
  "worktree.registered": of("workflow_id", "gets a worktree", "branch"),
  "worktree.updated": of("workflow_id", "has a worktree that changed", "status"),
  "worktree.prepared": of("workflow_id", "has a worktree that is ready", "branch"),
  "worktree.failed": of("workflow_id", "has a worktree that could not be made", "code"),
  "worktree.removed": of("workflow_id", "has a worktree less"),
  "worktree.kept": of("workflow_id", "keeps a worktree that was to go", "code"),
  "vault.stored": thing(
    "The changes of a worktree",
    "were put into the vault",
    count("staged", "staged"),
    count("unstaged", "unstaged"),
    count("untracked", "untracked"),
  ),
  "vault.restored": thing("The changes of a worktree", "came back out of the vault"),
  "vault.restoreFailed": thing("The changes of a worktree", "could not come back out of the vault", "code"),
  "vault.dropped": thing("The changes of a worktree", "were dropped from the vault"),
};

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
  return join(more.map((words) => (typeof words === "string" ? (textIn(data, words) ?? "") : words(data))));
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
