import type { TestProject } from "vitest/node";
import { startPostgres } from "../src/testing/postgres.ts";
import { makePostgresTemplate } from "../src/testing/template.ts";

/** One PostgreSQL for all tests; each test has a database of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ isDurable: false });
  await makePostgresTemplate(postgres.url);
  project.provide("postgresUrl", postgres.url);
  return () => postgres.stop();
}
