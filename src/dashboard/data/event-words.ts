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

/** About the record itself. */
const itself =
  (what: string, ...more: readonly string[]): Sentence =>
  (data, subject) => ({ about: { id: subject }, what, more: listOf(data, more) });

/** About a record that the event names. */
const of =
  (key: string, what: string, ...more: readonly string[]): Sentence =>
  (data, subject) => ({ about: { id: textIn(data, key) ?? subject }, what, more: listOf(data, more) });

/** About something that has neither a name nor a page. */
const thing =
  (words: string, what: string, ...more: readonly string[]): Sentence =>
  (data) => ({ about: { words }, what, more: listOf(data, more) });

/** What an agent did in its session; who works without one is nobody in particular. */
const bySession =
  (what: string, words: (data: Data) => string = () => "", more: (data: Data) => string = () => ""): Sentence =>
  (data) => {
    const id = textIn(data, "session_id");
    const said = words(data);
    return {
      about: id === undefined ? { words: "Somebody" } : { id },
      what: said === "" ? what : `${what}: ${said}`,
      more: more(data),
    };
  };

/** What was noted, on the task or else on the whole plan. */
const noted =
  (what: string): Sentence =>
  (data, subject) => ({
    about: { id: textIn(data, "task_id") ?? textIn(data, "workflow_id") ?? subject },
    what,
    more: typeof data["progress"] === "number" ? `${data["progress"]} %` : "",
  });

const repoIn = (data: Data): string => textIn(data, "repo") ?? "";

const changed: Sentence = (data, subject) => {
  const to = textIn(data, "to") ?? "changed";
  const from = textIn(data, "from");
  const what = to === "failed" ? "failed" : `is ${to}`;
  return { about: { id: subject }, what, more: from === undefined ? "" : `was ${from}` };
};

const checked: Sentence = (data) => ({
  about: { words: textIn(data, "title") ?? "Work" },
  what: "was compared with all other work",
  more: data["requires_verdict"] === true ? "waits for a verdict" : "",
});

const letter: Sentence = (data) => ({
  about: { words: sayName(textIn(data, "sender_id")) },
  what: `wrote to ${sayName(textIn(data, "recipient_id"))}`,
  more: join([sayWord(textIn(data, "message_type")), importance(textIn(data, "priority"))]),
});

/** Every kind that the ledger knows, in the order of the nouns. */
export const sentences: Readonly<Record<string, Sentence>> = {
  "agent.registered": itself("came aboard", "runtime", "role"),
  "agent.heartbeat": itself("is alive"),
  "agent.updated": (data, subject) => ({
    about: { id: subject },
    what: `is ${textIn(data, "status") ?? "changed"}`,
    more: "",
  }),
  "agent.unregistered": itself("left"),
  "agent.wentStale": itself("fell silent and counts as gone"),
  "session.started": itself("began a session", "repo", "branch", "model"),
  "session.agentMismatched": itself("is another agent than its token is for", "reported_type"),
  "session.seen": itself("is alive"),
  "session.snapshotTaken": (data, subject) => ({
    about: { id: subject },
    what: "reported its files",
    more: join([count(data, "dirty_files", "dirty"), count(data, "unpushed_files", "unpushed"), textIn(data, "repo")]),
  }),
  "session.activityLogged": itself("told what it does", "summary"),
  "session.ended": itself("ended its session", "summary"),
  "claim.taken": bySession("claimed", (data) => join([namesIn(data, "paths"), namesIn(data, "symbols")]), repoIn),
  "claim.renewed": bySession("goes on holding what it claimed", undefined, repoIn),
  "claim.released": bySession("released what it claimed", undefined, (data) => sayWord(textIn(data, "reason"))),
  "claim.moved": bySession("passed on what it claimed", undefined, repoIn),
  "parallel_work.audit": (data) => ({
    about: { words: "All work" },
    what: "was looked through for doubles",
    more: join([count(data, "compared", "compared"), count(data, "running_conflicts", "at odds")]),
  }),
  "weekly_summary.generated": (data) => ({
    about: { words: "The week" },
    what: "was written down",
    more: join([count(data, "completed", "done"), count(data, "active", "active"), count(data, "planned", "planned")]),
  }),
  "receipt.settled": (data, subject) => ({
    about: { id: subject },
    what: `has a receipt: ${textIn(data, "level") ?? "claimed"}`,
    more: join([count(data, "passed", "checks passed"), count(data, "failed", "failed")]),
  }),
  "checks.allowed": thing("The checks of a repository", "may be run"),
  "checks.forbidden": thing("The checks of a repository", "may no longer be run"),
  "context.published": bySession("told the team", (data) => textIn(data, "title") ?? "", repoIn),
  "context.revoked": bySession("took back what it told the team"),
  "message.sent": letter,
  "message.read": thing("A message", "was read"),
  "message.archived": thing("A message", "was archived"),
  "coordination.announced": bySession("told everyone", (data) => textIn(data, "message") ?? ""),
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
  "scope.judged": (data) => ({
    about: { words: "A check" },
    what: data["duplicate"] === true ? "was judged: the same work" : "was judged: other work",
    more: textIn(data, "confirmation_reason") ?? "",
  }),
  "scope.confirmed": (data) => ({
    about: { words: textIn(data, "title") ?? "Work" },
    what: "was confirmed by a person",
    more: textIn(data, "reason") ?? "",
  }),
  "warning.confirmed": thing("A warning", "was confirmed", "reason"),
  "warning.dismissed": thing("A warning", "was dismissed", "reason"),
  "team.founded": itself("was founded"),
  "developer.created": (data) => ({
    about: { words: textIn(data, "handle") ?? "Somebody" },
    what: "joined",
    more: textIn(data, "role") ?? "",
  }),
  "developer.updated": thing("An account", "was changed"),
  "token.created": thing("A token", "was made", "label"),
  "token.revoked": thing("A token", "was revoked"),
  "device.requested": (data) => machine(data, "asks to be let in"),
  "device.approved": (data) => machine(data, "was let in"),
  "device.denied": (data) => machine(data, "was turned away"),
  "device.consumed": thing("A machine", "has signed in"),
  "repository.registered": itself("was registered"),
  "repository.renamed": itself("has a new name"),
  "task.created": itself("was planned"),
  "task.planSet": itself("got its plan"),
  "task.statusChanged": changed,
  "task.replanned": itself("is planned anew"),
  "task.claimed": (data, subject) => ({
    about: { id: subject },
    what: `was taken by ${sayName(textIn(data, "agent_id"))}`,
    more: "",
  }),
  "task.released": itself("was given back", "reason"),
  "task.moved": itself("has another place in the order"),
  "task.assigned": itself("got a worktree"),
  "task.handedOver": itself("has another owner"),
  "task.planned": itself("was planned", "task_type"),
  "task.plannedUpdated": itself("was changed before it began"),
  "task.started": itself("was started", "task_type"),
  "task.updated": changed,
  "task.completed": itself("is done"),
  "task.cancelled": itself("was cancelled", "reason"),
  "template.created": itself("was kept as a template"),
  "span.recorded": (data) => ({
    about: textIn(data, "session_id") === undefined ? { words: "A client" } : { id: textIn(data, "session_id") ?? "" },
    what: `used ${numberIn(data, "total_tokens").toLocaleString("en")} tokens`,
    more: join([textIn(data, "model"), data["cost_usd"] === null ? "" : `$${numberIn(data, "cost_usd").toFixed(2)}`]),
  }),
  "budget.set": (data) => budget(data, "was set"),
  "budget.passed": (data) => budget(data, "was passed"),
  "mission.started": itself("was started", "profile"),
  "mission.advanced": (data, subject) => ({
    about: { id: subject },
    what: `is in phase ${numberIn(data, "current_phase")}`,
    more: "",
  }),
  "mission.ended": itself("has ended", "status"),
  "mission.blocked": (data, subject) => ({
    about: { id: subject },
    what: data["is_blocked"] === false ? "goes on" : "needs a person",
    more: "",
  }),
  "mission.statusChanged": (data, subject) => ({
    about: { id: subject },
    what: `is ${sayWord(textIn(data, "status") ?? "changed")}`,
    more: "",
  }),
  "phase.begun": (data) => phase(data, "began", textIn(data, "name")),
  "phase.ended": (data) => phase(data, "ended", textIn(data, "status")),
  "workflow.created": itself("was begun"),
  "workflow.planSet": (data, subject) => ({
    about: { id: subject },
    what: "was planned",
    more: count(data, "tasks", "tasks"),
  }),
  "workflow.statusChanged": changed,
  "workflow.progressed": itself("went on"),
  "workflow.parallelismSet": (data, subject) => ({
    about: { id: subject },
    what: `runs at most ${numberIn(data, "max_parallel_tasks")} tasks at once`,
    more: "",
  }),
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
  "vault.stored": (data) => ({
    about: { words: "The changes of a worktree" },
    what: "were put into the vault",
    more: join([
      count(data, "staged", "staged"),
      count(data, "unstaged", "unstaged"),
      count(data, "untracked", "untracked"),
    ]),
  }),
  "vault.restored": thing("The changes of a worktree", "came back out of the vault"),
  "vault.restoreFailed": thing("The changes of a worktree", "could not come back out of the vault", "code"),
  "vault.dropped": thing("The changes of a worktree", "were dropped from the vault"),
};

const machine = (data: Data, what: string): Said => ({
  about: { words: textIn(data, "machine_name") ?? "A machine" },
  what,
  more: namesIn(data, "agents"),
});

const budget = (data: Data, what: string): Said => ({
  about: { words: `The budget of a ${textIn(data, "kind") ?? "task"}` },
  what,
  more: typeof data["limit_usd"] === "number" ? `$${data["limit_usd"].toFixed(2)}` : "no limit",
});

const phase = (data: Data, verb: string, more: string | undefined): Said => ({
  about: { id: textIn(data, "workflow_id") ?? "" },
  what: `${verb} phase ${numberIn(data, "number")}`,
  more: more ?? "",
});

const importance = (priority: string | undefined): string =>
  priority === "high" || priority === "urgent" ? priority : "";

const numberIn = (data: Data, key: string): number => (typeof data[key] === "number" ? data[key] : 0);
const count = (data: Data, key: string, words: string): string => `${numberIn(data, key)} ${words}`;
const sayWord = (word: string | undefined): string => (word ?? "").replaceAll("_", " ");

/** A few names of a list; the ledger keeps only the first ones anyway. */
const namesIn = (data: Data, key: string): string => (Array.isArray(data[key]) ? data[key].slice(0, 3).join(", ") : "");

const listOf = (data: Data, keys: readonly string[]): string => join(keys.map((key) => sayWord(textIn(data, key))));
const join = (parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(" · ");
