import { type NextStep, nextStep } from "./next-step.ts";

/**
 * The one error registry (CT40). HTTP status, CLI exit code, JSON-RPC code, general class and documentation all
 * follow from a row here; no surface keeps a second table.
 */

export interface ErrorEntry {
  /** What the code says, for the documentation. */
  readonly meaning: string;
  /** The general class, sent as `namespaceCode` (`crewdeck.not_found`). */
  readonly kind: ErrorKind;
  readonly http: number;
  /** The next step when the refusal itself names none: a sentence, or a step that every family words by its own tools. */
  readonly hint: string | NextStep;
}

type ErrorKind =
  | "invalid_request"
  | "not_found"
  | "unauthorized"
  | "forbidden"
  | "conflict"
  | "limit"
  | "timeout"
  | "cancelled"
  | "unavailable"
  | "internal";

const entry = (kind: ErrorKind, http: number, meaning: string, hint: ErrorEntry["hint"]): ErrorEntry => ({
  kind,
  http,
  meaning,
  hint,
});

export const errors = {
  INVALID_REQUEST: entry(
    "invalid_request",
    400,
    "The arguments do not fit the tool's schema.",
    "Correct the arguments named above and call again.",
  ),
  INVALID_INPUT: entry(
    "invalid_request",
    400,
    "The arguments fit the schema but contradict each other or the records they name.",
    "Read the message, correct the arguments and call again.",
  ),
  VALIDATION_ERROR: entry(
    "invalid_request",
    400,
    "A field holds a value that is not allowed there.",
    "Correct the field the message names and call again.",
  ),
  MISSING_OUTCOME: entry("invalid_request", 400, "Completed work needs an outcome.", "Say in outcome what was done."),
  MISSING_ERROR: entry("invalid_request", 400, "Failed work needs an error.", "Say in error what went wrong."),
  MISSING_MERGE_COMMIT: entry(
    "invalid_request",
    400,
    "A merged worktree needs its merge commit.",
    "Pass the hash of the merge commit.",
  ),
  MISSING_VARIABLES: entry(
    "invalid_request",
    400,
    "The template uses variables that were not given.",
    "Give a value for every variable named in details.",
  ),
  MISSING_PATH: entry("invalid_request", 400, "The call needs a path.", "Pass the path."),
  MISSING_REPO_PATH: entry(
    "invalid_request",
    400,
    "The call needs the path of a repository.",
    "Pass the repository's path.",
  ),
  DUPLICATE_TASK_NAME: entry(
    "invalid_request",
    400,
    "Two tasks of a plan have the same name.",
    "Give every task a name of its own.",
  ),
  SELF_DEPENDENCY: entry("invalid_request", 400, "A task depends on itself.", "Remove the dependency."),
  UNKNOWN_DEPENDENCY: entry(
    "invalid_request",
    400,
    "A task depends on one that the plan does not have.",
    "Use the names of tasks in the same plan.",
  ),
  WORKFLOW_MISMATCH: entry(
    "invalid_request",
    400,
    "The records belong to different workflows.",
    "Name records of one workflow.",
  ),
  NOT_FOUND: entry("not_found", 404, "There is no tool or record of that name.", "List what exists, then call again."),
  AGENT_NOT_FOUND: entry("not_found", 404, "No agent has that id.", nextStep("listAgents")),
  RECIPIENT_NOT_FOUND: entry("not_found", 404, "The recipient does not exist.", nextStep("listAgents")),
  SENDER_NOT_FOUND: entry("not_found", 404, "The sender does not exist.", nextStep("registerFirst")),
  MESSAGE_NOT_FOUND: entry(
    "not_found",
    404,
    "No message with that id is in a mailbox of yours.",
    nextStep("listMessages"),
  ),
  TASK_NOT_FOUND: entry("not_found", 404, "No task has that id.", "Check the task id and call again."),
  WORKFLOW_NOT_FOUND: entry("not_found", 404, "No workflow has that id.", "Check the workflow id and call again."),
  WORKSPACE_NOT_FOUND: entry("not_found", 404, "No worktree has that id.", nextStep("listWorktrees")),
  REPOSITORY_NOT_FOUND: entry(
    "not_found",
    404,
    "No repository is registered under that path or id.",
    nextStep("listRepositories"),
  ),
  TEMPLATE_NOT_FOUND: entry("not_found", 404, "No template has that id or name.", nextStep("listTemplates")),
  SESSION_NOT_FOUND: entry("not_found", 404, "No session has that id.", nextStep("startSession")),
  INSTANCE_NOT_FOUND: entry("not_found", 404, "No instance has that id.", nextStep("listInstances")),
  UNAUTHORIZED: entry(
    "unauthorized",
    401,
    "The call carries no valid token.",
    "Send a token in the Authorization header; create one with `crewdeck token create`.",
  ),
  FORBIDDEN: entry(
    "forbidden",
    403,
    "The caller may not do this, or not with somebody else's record.",
    "Use your own ids, or ask the owner to do it.",
  ),
  CONFLICT: entry("conflict", 409, "The record exists already in another form.", "Read the record, then decide."),
  STALE: entry("conflict", 409, "Someone else changed the record at the same moment.", "Call again."),
  INVALID_STATE: entry(
    "conflict",
    409,
    "The record is not in a state that allows this.",
    "Read the record; the message says what would be legal.",
  ),
  INVALID_TRANSITION: entry(
    "conflict",
    409,
    "The record cannot go from its status to the one asked for.",
    "The message lists the legal next statuses.",
  ),
  NO_INDEX: entry("conflict", 409, "The repository has no search index yet.", nextStep("buildIndex")),
  DUPLICATE_TEMPLATE: entry(
    "conflict",
    409,
    "A template of that name exists.",
    "Choose another name, or update the one that exists.",
  ),
  TASK_BLOCKED: entry(
    "conflict",
    409,
    "The task waits for others that are not finished.",
    "Take another task; the message names what it waits for.",
  ),
  WORKFLOW_LOCKED: entry(
    "conflict",
    409,
    "Somebody else holds the workflow's lock.",
    "Wait until it is released or has run out, then call again.",
  ),
  NOT_CLAIMED: entry("conflict", 409, "Nobody has claimed the task.", "Claim it first."),
  NOT_ASSIGNED: entry("conflict", 409, "The task is not assigned to this agent.", "Work on tasks you have claimed."),
  TASK_NOT_REMOVABLE: entry(
    "conflict",
    409,
    "The task has started, or others depend on it.",
    "Skip it, or change the tasks that depend on it first.",
  ),
  REPOSITORY_IN_USE: entry("conflict", 409, "Work still refers to the repository.", "Finish or move that work first."),
  ALREADY_RUNNING: entry("conflict", 409, "It is running already.", "Use the one that runs, or stop it first."),
  NOT_RUNNING: entry("conflict", 409, "It is not running.", "Start it first."),
  NOT_SUSPENDED: entry(
    "conflict",
    409,
    "It is not suspended, so it cannot be resumed.",
    "Read its status, then decide.",
  ),
  REVIEW_IN_PROGRESS: entry("conflict", 409, "A review of this work is under way.", "Wait for its feedback."),
  QUEUE_OVERLOADED: entry(
    "limit",
    429,
    "Too many calls are waiting.",
    "Wait for answers before you send more, then call again.",
  ),
  RATE_LIMITED: entry("limit", 429, "Too many requests in a short time.", "Wait as Retry-After says, then call again."),
  TOO_LARGE: entry("limit", 413, "The content is larger than what is kept.", "Send less, or a reference to it."),
  REVIEW_LIMIT_EXCEEDED: entry(
    "limit",
    409,
    "The work has had as many reviews as are allowed.",
    "Follow the suggestions, or ask a person for one more round.",
  ),
  ARCHIVE_TOO_LARGE: entry("limit", 413, "The archive would unpack to more than is allowed.", "Use a smaller archive."),
  ARCHIVE_UNSAFE: entry(
    "forbidden",
    422,
    "The archive holds entries that would leave its folder.",
    "Do not use this archive.",
  ),
  TOOL_TIMEOUT: entry(
    "timeout",
    408,
    "The call took longer than allowed and was ended without effect.",
    "Ask for less, or raise the limit with MCP_TOOL_TIMEOUT.",
  ),
  CANCELLED: entry("cancelled", 499, "The caller cancelled the call; it had no effect.", "Call again if you need it."),
  CAPABILITY_MISSING: entry(
    "unavailable",
    501,
    "This installation lacks what the call needs.",
    "The message names what is missing.",
  ),
  SERVER_UNREACHABLE: entry(
    "unavailable",
    503,
    "The Crewdeck server cannot be reached and could not be started.",
    "Run `crewdeck serve` and look at what it prints, then call again.",
  ),
  STORE_READ_ONLY: entry(
    "unavailable",
    503,
    "The store went read-only after a failed disk write.",
    "Check the disk, restart the server, then call again with the same idempotency key.",
  ),
  STORE_DAMAGED: entry(
    "unavailable",
    503,
    "The store is damaged: some reads fail, and nothing is changed until a person has decided what to do.",
    "See what is damaged with `crewdeck verify`. Then run `crewdeck stop`, and restore a backup with `crewdeck restore FILE` or keep the store with `crewdeck verify --accept`.",
  ),
  STORE_FULL: entry("unavailable", 507, "The disk is full; the change was not kept.", "Free space, then call again."),
  OUTCOME_UNKNOWN: entry(
    "unavailable",
    503,
    "The change may or may not have been kept: the store failed while it was saving.",
    "Call again with the same idempotency key; it has effect at most once.",
  ),
  DOWNLOAD_VERIFY_FAILED: entry(
    "unavailable",
    502,
    "What was downloaded does not have the expected hash and was thrown away.",
    "Try again later; do not skip the check.",
  ),
  GIT_ERROR: entry(
    "unavailable",
    502,
    "Git could not do what was asked of it.",
    "Read the message, repair the repository, then call again.",
  ),
  TMUX_NOT_AVAILABLE: entry(
    "unavailable",
    501,
    "The agent is to run in a terminal, and tmux is not installed.",
    "Install tmux, or set the agent's mode to headless.",
  ),
  GITHUB_AUTH_FAILED: entry(
    "forbidden",
    403,
    "GitHub did not accept our token, or wants one.",
    "Set GITHUB_TOKEN, or sign in with `gh auth login`, then restart the server.",
  ),
  GITHUB_PERMISSION_DENIED: entry(
    "forbidden",
    403,
    "GitHub knows the token but does not allow this.",
    "Use a token that may write to the repository.",
  ),
  GITHUB_REPOSITORY_NOT_FOUND: entry(
    "not_found",
    404,
    "GitHub has no such repository, or hides it from the token.",
    "Check the remote's address and what the token may see.",
  ),
  GITHUB_API_ERROR: entry(
    "conflict",
    409,
    "GitHub refused the request.",
    "Read what GitHub said in detail, correct it and call again.",
  ),
  GITHUB_RATE_LIMIT_EXCEEDED: entry(
    "limit",
    429,
    "GitHub's rate limit is reached.",
    "Wait as the message says, then call again.",
  ),
  GITHUB_NETWORK_ERROR: entry(
    "unavailable",
    502,
    "GitHub could not be reached or failed.",
    "Check the connection, then call again; nothing is created twice.",
  ),
  SPAWNER_ERROR: entry(
    "unavailable",
    502,
    "The agent's program could not be started.",
    "Check the configured command, then call again.",
  ),
  INTERNAL: entry(
    "internal",
    500,
    "Something failed on our side.",
    "Call again; if it stays, report it with the call id in details.",
  ),
  INTERNAL_ERROR: entry(
    "internal",
    500,
    "Something failed on our side; the older families' word for INTERNAL.",
    "Call again; if it stays, report it with the call id in details.",
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;

export const errorCodes = Object.keys(errors) as ErrorCode[];

export const namespaceCode = (code: ErrorCode): string => `crewdeck.${errors[code].kind}`;

export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  storeHeld: 4,
  nothing: 5,
  interrupted: 130,
} as const;

/** The exit code of a CLI call that was refused with this code. */
export const exitCodeOf = (code: ErrorCode): number =>
  code === "SERVER_UNREACHABLE"
    ? exitCodes.unreachable
    : code === "INVALID_REQUEST"
      ? exitCodes.usage
      : exitCodes.refused;
