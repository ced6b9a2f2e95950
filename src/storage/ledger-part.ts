import { type SqlBool, sql } from "kysely";
import type { Stream } from "../contract/event.ts";

/**
 * Entries of one stream, by a condition that stands in the query's text. Indexes cover part of the ledger: a database uses
 * one only where it sees that part named, and where SQLite sees a parameter instead it prepares the statement anew each
 * time one is bound.
 */
export const ofStream: Readonly<Record<Stream, ReturnType<typeof sql<SqlBool>>>> = {
  work: sql<SqlBool>`"stream" = 'work' and "stream" <> 'usage'`,
  feedback: sql<SqlBool>`"stream" = 'feedback' and "stream" <> 'usage'`,
  usage: sql<SqlBool>`"stream" = 'usage'`,
};

/** Everything that is about a record; usage is about its call. */
export const isNotUsage = sql<SqlBool>`"stream" <> 'usage'`;
