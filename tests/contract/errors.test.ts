import { expect, test } from "vitest";
import { sayHint } from "../../src/contract/envelope.ts";
import { errorCodes, errors, exitCodeOf, exitCodes, namespaceCode } from "../../src/contract/errors.ts";

const kinds = {
  invalid_request: [400],
  not_found: [404],
  unauthorized: [401],
  forbidden: [403, 422],
  conflict: [409],
  limit: [409, 413, 429],
  timeout: [408],
  cancelled: [499],
  unavailable: [501, 502, 503, 507],
  internal: [500],
};

test.each(errorCodes.map((code) => ({ code, ...errors[code] })))("[CT40] $code is complete", (entry) => {
  expect(entry.code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
  expect(entry.meaning).toMatch(/^[A-Z].*\.$/);
  expect(sayHint(entry.hint)).toMatch(/^[A-Z].*\.$/);
  expect(kinds[entry.kind]).toContain(entry.http);
  expect(namespaceCode(entry.code)).toBe(`crewdeck.${entry.kind}`);
  expect(Object.values(exitCodes)).toContain(exitCodeOf(entry.code));
});

test("[CT40] a command ends with its own exit code for wrong use and for a server out of reach", () => {
  expect(errorCodes.filter((code) => exitCodeOf(code) === exitCodes.usage)).toEqual(["INVALID_REQUEST"]);
  expect(errorCodes.filter((code) => exitCodeOf(code) === exitCodes.unreachable)).toEqual(["SERVER_UNREACHABLE"]);
});

const familyCodes = {
  review: "REVIEW_LIMIT_EXCEEDED REVIEW_IN_PROGRESS",
  workflow: `WORKFLOW_NOT_FOUND TASK_NOT_FOUND AGENT_NOT_FOUND WORKSPACE_NOT_FOUND REPOSITORY_NOT_FOUND
    TEMPLATE_NOT_FOUND MESSAGE_NOT_FOUND SESSION_NOT_FOUND RECIPIENT_NOT_FOUND SENDER_NOT_FOUND INVALID_TRANSITION
    INVALID_STATE INVALID_INPUT TASK_BLOCKED MISSING_OUTCOME MISSING_ERROR MISSING_MERGE_COMMIT MISSING_VARIABLES
    MISSING_PATH MISSING_REPO_PATH DUPLICATE_TASK_NAME DUPLICATE_TEMPLATE SELF_DEPENDENCY UNKNOWN_DEPENDENCY
    WORKFLOW_MISMATCH WORKFLOW_LOCKED NOT_CLAIMED NOT_ASSIGNED TASK_NOT_REMOVABLE REPOSITORY_IN_USE ALREADY_RUNNING
    NOT_RUNNING NOT_SUSPENDED SPAWNER_ERROR INTERNAL_ERROR`,
  mission: "VALIDATION_ERROR NOT_FOUND GIT_ERROR INTERNAL_ERROR",
  index: `INVALID_REQUEST NO_INDEX TOOL_TIMEOUT CAPABILITY_MISSING CANCELLED QUEUE_OVERLOADED NOT_FOUND UNAUTHORIZED
    FORBIDDEN DOWNLOAD_VERIFY_FAILED ARCHIVE_UNSAFE ARCHIVE_TOO_LARGE INTERNAL`,
};

test.each(Object.entries(familyCodes))("[CT41] every code of the %s family is registered", (_family, codes) => {
  expect(codes.split(/\s+/).filter((code) => !(code in errors))).toEqual([]);
});

test("[CT41] the statuses that programs rely on are fixed", () => {
  const statuses = Object.fromEntries(
    (
      [
        "INVALID_REQUEST",
        "UNAUTHORIZED",
        "FORBIDDEN",
        "NOT_FOUND",
        "NO_INDEX",
        "STALE",
        "RATE_LIMITED",
        "INTERNAL",
      ] as const
    ).map((code) => [code, errors[code].http]),
  );
  expect(statuses).toEqual({
    INVALID_REQUEST: 400,
    UNAUTHORIZED: 401,
    FORBIDDEN: 403,
    NOT_FOUND: 404,
    NO_INDEX: 409,
    STALE: 409,
    RATE_LIMITED: 429,
    INTERNAL: 500,
  });
});
