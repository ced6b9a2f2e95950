import type { TestProject } from "vitest/node";
import { startPostgres } from "../src/testing/postgres.ts";

/** One PostgreSQL for all tests; each test has a schema of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide("postgresUrl", postgres.url);
  return () => postgres.stop();
}
