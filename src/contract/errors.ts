/**
 * The one error registry (C8). HTTP status, CLI exit code, JSON-RPC code, general class and documentation all
 * follow from a row here; no surface keeps a second table.
 */

export interface ErrorEntry {
  /** What the code says, for the documentation. */
  readonly meaning: string;
  /** The general class, sent as `namespaceCode` (`crewdeck.not_found`). */
  readonly kind: ErrorKind;
  readonly http: number;
  /** The next step when the refusal itself names none. */
  readonly hint: string;
}

export type ErrorKind =
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

const entry = (kind: ErrorKind, http: number, meaning: string, hint: string): ErrorEntry => ({
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
    "Fix the fields named in details and call again.",
  ),
  INVALID_INPUT: entry(
    "invalid_request",
    400,
    "The arguments fit the schema but contradict each other or the records they name.",
    "Read the message, correct the arguments and call again.",
  ),
  NOT_FOUND: entry("not_found", 404, "There is no tool or record of that name.", "List what exists, then call again."),
  AGENT_NOT_FOUND: entry("not_found", 404, "No agent has that id.", "Find agents with agent_list."),
  RECIPIENT_NOT_FOUND: entry("not_found", 404, "The recipient does not exist.", "Find agents with agent_list."),
  SENDER_NOT_FOUND: entry("not_found", 404, "The sender does not exist.", "Register first with agent_register."),
  MESSAGE_NOT_FOUND: entry(
    "not_found",
    404,
    "No message with that id is in a mailbox of yours.",
    "Find messages with message_list.",
  ),
  TASK_NOT_FOUND: entry("not_found", 404, "No task has that id.", "Check the task id and call again."),
  WORKFLOW_NOT_FOUND: entry("not_found", 404, "No workflow has that id.", "Check the workflow id and call again."),
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
  QUEUE_OVERLOADED: entry(
    "limit",
    429,
    "Too many calls are waiting.",
    "Wait for answers before you send more, then call again.",
  ),
  RATE_LIMITED: entry("limit", 429, "Too many requests in a short time.", "Wait as Retry-After says, then call again."),
  TOO_LARGE: entry("limit", 413, "The content is larger than what is kept.", "Send less, or a reference to it."),
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
  STORE_FULL: entry("unavailable", 507, "The disk is full; the change was not kept.", "Free space, then call again."),
  OUTCOME_UNKNOWN: entry(
    "unavailable",
    503,
    "The change may or may not have been kept: the store failed while it was saving.",
    "Call again with the same idempotency key; it has effect at most once.",
  ),
  INTERNAL: entry(
    "internal",
    500,
    "Something failed on our side.",
    "Call again; if it stays, report it with the call id in details.",
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;

export const errorCodes = Object.keys(errors) as ErrorCode[];

export const namespaceCode = (code: ErrorCode): string => `crewdeck.${errors[code].kind}`;

export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3, storeHeld: 4, interrupted: 130 } as const;

/** The exit code of a CLI call that was refused with this code. */
export const exitCodeOf = (code: ErrorCode): number =>
  code === "SERVER_UNREACHABLE"
    ? exitCodes.unreachable
    : code === "INVALID_REQUEST"
      ? exitCodes.usage
      : exitCodes.refused;
