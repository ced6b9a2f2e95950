import type { Migration } from "./migration.ts";

/** People, repositories, agents, messages and the ledger they all write to. */
export const house: Migration = {
  name: "0001-house",
  statements: (dialect) => {
    const int = dialect === "postgres" ? "bigint" : "integer";
    const tables = [
      `create table "meta" ("key" text primary key, "value" text not null)`,
      `create table "team" ("id" text primary key, "name" text not null, "createdAt" ${int} not null)`,
      `create table "developer" (
        "id" text primary key, "teamId" text not null references "team"("id"), "handle" text not null unique,
        "name" text not null, "email" text, "isPrivate" ${int} not null, "role" text not null,
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create table "token" (
        "id" text primary key, "developerId" text not null references "developer"("id"), "hash" text not null,
        "label" text not null, "agentType" text, "createdAt" ${int} not null, "revokedAt" ${int},
        "version" ${int} not null)`,
      `create index "tokenByDeveloper" on "token" ("developerId")`,
      `create table "repository" (
        "id" text primary key, "path" text not null unique, "name" text not null,
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create index "repositoryByAge" on "repository" ("createdAt")`,
      `create table "agent" (
        "id" text primary key, "developerId" text not null references "developer"("id"), "name" text not null,
        "runtime" text not null, "role" text not null, "capabilities" text not null, "workspacePath" text,
        "metadata" text not null, "status" text not null, "currentTaskId" text, "lastHeartbeatAt" ${int} not null,
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create index "agentByLiveness" on "agent" ("status", "lastHeartbeatAt")`,
      `create index "agentByAge" on "agent" ("createdAt")`,
      `create table "message" (
        "id" text primary key, "senderId" text, "recipientId" text not null references "agent"("id"),
        "threadId" text not null, "replyToId" text, "messageType" text not null, "subject" text, "body" text not null,
        "priority" text not null, "status" text not null, "workflowId" text, "taskId" text,
        "createdAt" ${int} not null, "updatedAt" ${int} not null, "version" ${int} not null)`,
      `create index "messageByMailbox" on "message" ("recipientId", "status", "createdAt")`,
      `create index "messageByThread" on "message" ("threadId", "createdAt")`,
      `create table "ledger" (
        "seq" ${dialect === "postgres" ? "bigint" : "integer"} primary key, "at" ${int} not null,
        "stream" text not null, "kind" text not null, "announced" text not null, "subject" text not null,
        "channels" text not null, "data" text not null, "developerId" text, "callId" text, "hash" text not null)`,
      `create index "ledgerByStream" on "ledger" ("stream", "seq")`,
      `create index "ledgerByKind" on "ledger" ("kind", "seq")`,
      `create index "ledgerBySubject" on "ledger" ("subject", "seq")`,
      `create table "answer" (
        "developerId" text not null, "key" text not null, "tool" text not null, "answer" text not null,
        "createdAt" ${int} not null, primary key ("developerId", "key"))`,
      `create index "answerByAge" on "answer" ("createdAt")`,
    ];
    const unsealed =
      dialect === "postgres"
        ? `create table "unsealed" (
            "id" bigint generated always as identity primary key,
            "xid" xid8 not null default pg_current_xact_id(), "entry" text not null)`
        : `create table "unsealed" ("id" integer primary key, "xid" text not null, "entry" text not null)`;
    return [...tables, unsealed];
  },
};
