import { test } from "vitest";
import { type Plant, plantAll } from "./judge-plants.ts";

const plants: readonly Plant[] = [
  {
    rule: "RE32",
    when: "queries that insert",
    path: "src/domain/agent/planted-insert-queries.ts",
    text: `export const add = (db: Db) => db.q.insertInto("agent");`,
    fence: "insertInto  a file of role queries reads and never writes",
  },
  {
    rule: "RE32",
    when: "queries that update under a quoted name",
    path: "src/domain/agent/planted-update-queries.ts",
    text: `export const change = (db: Db) => db.q["updateTable"]("agent");`,
    fence: "updateTable  a file of role queries reads and never writes",
  },
  {
    rule: "RE32",
    when: "queries that delete",
    path: "src/domain/agent/planted-delete-queries.ts",
    text: `export const forget = (db: Db) => db.q.deleteFrom("agent");`,
    fence: "deleteFrom  a file of role queries reads and never writes",
  },
  {
    rule: "RE32",
    when: "queries that run a change built elsewhere",
    path: "src/domain/agent/planted-run-queries.ts",
    text: `export const change = (db: Db, query: Query) => db.run(query);`,
    fence: "run  a file of role queries reads and never writes",
  },
  {
    rule: "RE32",
    when: "queries that write in SQL",
    path: "src/domain/agent/planted-sql-queries.ts",
    text: 'export const touch = (db: Db) => db.sql(`update "agent" set "name" = null`);',
    fence: "sql  a file of role queries reads and never writes",
  },
  {
    rule: "RE32",
    when: "queries whose SQL nobody can see",
    path: "src/domain/agent/planted-hidden-queries.ts",
    text: `export const read = (db: Db, text: string) => db.sql(text);`,
    fence: "sql  a file of role queries reads and never writes",
  },
  {
    rule: "RE32",
    when: "queries that take a guard",
    path: "src/domain/agent/planted-guard-queries.ts",
    text: `import { guard } from "../../storage/save.ts";`,
    fence: "storage/save.ts  a file of role queries reads and never writes",
  },
  {
    rule: "RE32",
    when: "queries that read in SQL",
    path: "src/domain/agent/planted-select-queries.ts",
    text: `export const read = (db: Db) => db.sql('select "updatedAt" from "agent"');`,
  },
  {
    rule: "RE33",
    when: "operations that re-export a store",
    path: "src/domain/agent/planted-re-export-operations.ts",
    text: `export { saveAgent } from "./store.ts";`,
    fence: "src/domain/agent/store.ts  operations do not re-export stores or queries",
  },
  {
    rule: "RE33",
    when: "operations that export what they imported from queries",
    path: "src/domain/agent/planted-export-operations.ts",
    text: `import { findAgent } from "./queries.ts"; export { findAgent };`,
    fence: "findAgent  operations do not re-export stores or queries",
  },
  {
    rule: "RE33",
    when: "operations that give a store another name",
    path: "src/domain/agent/planted-name-operations.ts",
    text: `import { saveAgent } from "./store.ts"; export const keepAgent = saveAgent;`,
    fence: "keepAgent  an operation does more than call its store or queries",
  },
  {
    rule: "RE33",
    when: "operations that hand on their arguments as they came",
    path: "src/domain/agent/planted-passage-operations.ts",
    text: `import { findAgent } from "./queries.ts"; export async function seek(work: Work, id: AgentId) { return await findAgent(work.db, id); }`,
    fence: "seek  an operation does more than call its store or queries",
  },
  {
    rule: "RE33",
    when: "operations that decide what they ask for",
    path: "src/domain/agent/planted-asking-operations.ts",
    text: `import { listAgents } from "./queries.ts"; export const listLive = (work: Work) => listAgents(work.db, { status: live });`,
  },
];

test.each(plants)("[$rule] the fences judge $when", plantAll(plants));
