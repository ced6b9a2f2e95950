import type { Migration } from "./migration.ts";

/** Sessions, intents, overlap checks, claims on code, published contexts, measured use, reports and device sign-in. */
export const team: Migration = {
  name: "0005-team",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    return [
      `alter table "agent" add column "staleAfterMs" ${int} not null default 60000`,
      `alter table "workflow" add column "endsWithTasks" ${int} not null default 0`,
      ...messagesToPeople(dialect, int),
      ...sessions(int),
      ...overlap(int),
      ...claimsAndContexts(int),
      ...usage(int),
      `create index "ledgerByFeedback" on "ledger" ("developerId", "seq") where "stream" = 'feedback'`,
      `create index "taskByOwner" on "task" ("developerId", "status", "updatedAt")`,
      `create index "workflowByOwner" on "workflow" ("developerId", "kind", "status", "updatedAt")`,
      `create index "workflowByKind" on "workflow" ("kind", "status", "updatedAt")`,
      `create index "noteByKind" on "note" ("kind", "createdAt")`,
      `create index "noteByOpenNeed" on "note" ("needsHuman", "resolvedAt", "createdAt")`,
      `create index "taskByState" on "task" ("status", "updatedAt")`,
      `create index "workflowByState" on "workflow" ("status", "updatedAt")`,
    ];
  },
};

/** A message may be meant for a person, whichever of their agents comes next; then it names no agent. */
function messagesToPeople(dialect: "sqlite" | "postgres", int: string): string[] {
  const columns = [
    `alter table "message" add column "fromDeveloperId" text`,
    `alter table "message" add column "toDeveloperId" text`,
    `alter table "message" add column "detail" text`,
    `alter table "message" add column "expiresAt" ${int}`,
    `create index "messageByPerson" on "message" ("toDeveloperId", "status", "createdAt")`,
    `create index "messageByType" on "message" ("messageType", "createdAt")`,
    `create index "messageByAuthor" on "message" ("fromDeveloperId", "status", "createdAt")`,
    `create index "messageByTask" on "message" ("taskId", "status") where "taskId" is not null`,
  ];
  if (dialect === "postgres") return [`alter table "message" alter column "recipientId" drop not null`, ...columns];
  return [
    `alter table "message" rename to "oldMessage"`,
    `create table "message" (
      "id" text primary key, "senderId" text, "recipientId" text references "agent"("id"),
      "threadId" text not null, "replyToId" text, "messageType" text not null, "subject" text, "body" text not null,
      "priority" text not null, "status" text not null, "workflowId" text, "taskId" text,
      "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
    `insert into "message" select * from "oldMessage"`,
    `drop table "oldMessage"`,
    `create index "messageByMailbox" on "message" ("recipientId", "status", "createdAt")`,
    `create index "messageByThread" on "message" ("threadId", "createdAt")`,
    ...columns,
  ];
}

const sessions = (int: string): string[] => [
  `create table "session" (
    "agentId" text primary key references "agent"("id"), "developerId" text not null references "developer"("id"),
    "agentType" text, "provider" text, "model" text, "repo" text, "branch" text, "worktree" text,
    "snapshot" text, "snapshotAt" ${int}, "summary" text, "createdAt" ${int} not null, "lastSeenAt" ${int} not null,
    "endedAt" ${int}, "version" ${int} not null)`,
  `create index "sessionByLiveness" on "session" ("endedAt", "lastSeenAt")`,
  `create index "sessionByOwner" on "session" ("developerId", "endedAt", "lastSeenAt")`,
  `create table "fileMark" (
    "subjectId" text not null, "source" text not null, "repo" text not null, "path" text not null,
    "developerId" text not null, "createdAt" ${int} not null, primary key ("subjectId", "source", "repo", "path"))`,
  `create index "fileMarkByPath" on "fileMark" ("path", "repo")`,
  `create index "fileMarkByRepo" on "fileMark" ("repo", "createdAt")`,
];

const overlap = (int: string): string[] => [
  `create table "intent" (
    "subjectId" text primary key, "kind" text not null, "developerId" text not null references "developer"("id"),
    "sessionId" text, "repo" text, "branch" text, "scope" text, "action" text, "component" text, "priority" text,
    "taskType" text, "isContainer" ${int} not null, "reason" text, "createdAt" ${int} not null,
    "updatedAt" ${int} not null, "version" ${int} not null)`,
  `create index "intentByOwner" on "intent" ("developerId", "kind", "updatedAt")`,
  `create table "scopeCheck" (
    "id" text primary key, "developerId" text not null references "developer"("id"), "sessionId" text,
    "kind" text not null, "title" text not null, "plannedId" text, "inputHash" text not null, "warningId" text,
    "requiresVerdict" ${int} not null, "candidates" text not null, "confirmation" text, "modelVersion" text not null,
    "createdAt" ${int} not null, "expiresAt" ${int} not null, "consumedAt" ${int}, "version" ${int} not null)`,
  `create index "scopeCheckByExpiry" on "scopeCheck" ("expiresAt")`,
  `create index "scopeCheckByTitle" on "scopeCheck" ("developerId", "kind", "title", "createdAt")`,
  `create table "warning" (
    "id" text primary key, "checkId" text, "subjectId" text, "developerId" text not null references "developer"("id"),
    "kind" text not null, "title" text not null, "matches" text not null, "status" text not null, "reason" text,
    "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
  `create index "warningByStatus" on "warning" ("status", "createdAt")`,
  `create index "warningByAge" on "warning" ("createdAt")`,
  `create index "warningBySubject" on "warning" ("subjectId")`,
  `create table "verdict" (
    "id" text primary key, "checkId" text not null, "candidateId" text not null, "developerId" text not null,
    "verdict" text not null, "reason" text not null, "features" text not null, "createdAt" ${int} not null)`,
  `create index "verdictByCheck" on "verdict" ("checkId")`,
  `create index "verdictByCandidate" on "verdict" ("candidateId")`,
];

const claimsAndContexts = (int: string): string[] => [
  `create table "codeClaim" (
    "id" text primary key, "developerId" text not null references "developer"("id"), "sessionId" text, "taskId" text,
    "repo" text not null, "branch" text, "paths" text not null, "symbols" text not null, "isExclusive" ${int} not null,
    "fence" ${int} not null, "ttlMinutes" ${int} not null, "expiresAt" ${int} not null, "endedAt" ${int},
    "endReason" text, "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
  `create index "codeClaimByRepo" on "codeClaim" ("repo", "endedAt", "expiresAt")`,
  `create unique index "codeClaimByFence" on "codeClaim" ("repo", "fence")`,
  `create index "openCodeClaim" on "codeClaim" ("id") where "endedAt" is null`,
  `create index "codeClaimByOwner" on "codeClaim" ("developerId", "endedAt")`,
  `create index "codeClaimBySession" on "codeClaim" ("sessionId", "endedAt")`,
  `create index "codeClaimByTask" on "codeClaim" ("taskId", "endedAt")`,
  `create table "sharedContext" (
    "id" text primary key, "developerId" text not null references "developer"("id"), "sessionId" text,
    "repo" text, "branch" text, "title" text not null, "summary" text not null, "files" text not null,
    "nextActions" text not null, "blockers" text not null, "taskIds" text not null, "expiresAt" ${int} not null,
    "revokedAt" ${int}, "supersededBy" text, "createdAt" ${int} not null, "version" ${int} not null)`,
  `create index "sharedContextByOwner" on "sharedContext" ("developerId", "expiresAt")`,
  `create index "sharedContextInForce" on "sharedContext" ("createdAt", "id") where "revokedAt" is null and "supersededBy" is null`,
];

/** Money is whole billionths of a dollar: sums stay exact on both databases. */
const usage = (int: string): string[] => [
  `create table "span" (
    "id" text primary key, "developerId" text not null references "developer"("id"), "sessionId" text, "taskId" text,
    "repo" text, "source" text not null, "model" text, "inputTokens" ${int} not null, "outputTokens" ${int} not null,
    "cacheReadTokens" ${int} not null, "cacheCreationTokens" ${int} not null, "reasoningTokens" ${int} not null,
    "totalTokens" ${int} not null, "costNanos" ${int}, "costSource" text not null, "submittedNanos" ${int},
    "isMismatch" ${int} not null, "priceVersion" text, "payloadHash" text not null, "createdAt" ${int} not null)`,
  `create unique index "spanByPayload" on "span" ("developerId", "payloadHash")`,
  `create index "spanByAge" on "span" ("createdAt")`,
  `create index "spanByTask" on "span" ("taskId")`,
  `create index "spanBySession" on "span" ("sessionId")`,
  `create index "spanByOwner" on "span" ("developerId", "createdAt")`,
  `create table "budget" (
    "subjectId" text primary key, "kind" text not null, "spentNanos" ${int} not null, "limitNanos" ${int},
    "passedAt" ${int}, "passedBy" text, "warnedAt" ${int}, "createdAt" ${int} not null, "updatedAt" ${int} not null,
    "version" ${int} not null)`,
  `create index "budgetByPasser" on "budget" ("passedBy", "warnedAt")`,
  `create index "budgetByLimit" on "budget" ("createdAt") where "limitNanos" is not null`,
  `create table "report" (
    "id" text primary key, "kind" text not null, "developerId" text not null references "developer"("id"),
    "data" text not null, "createdAt" ${int} not null)`,
  `create index "reportByAge" on "report" ("kind", "createdAt")`,
  `create table "deviceGrant" (
    "id" text primary key, "codeHash" text not null unique, "userCodeHash" text not null unique, "machineName" text not null,
    "agents" text not null, "status" text not null, "developerId" text, "expiresAt" ${int} not null,
    "lastPollAt" ${int}, "createdAt" ${int} not null, "version" ${int} not null)`,
];
