import type { TestProject } from "vitest/node";
import { startPostgres } from "../src/testing/postgres.ts";
import { useScratchFolder } from "../src/testing/scratch-folder.ts";
import { makePostgresTemplate } from "../src/testing/template.ts";

/** One scratch folder for all tests, and one PostgreSQL; each test has a folder and a database of its own in them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeScratch = useScratchFolder();
  const postgres = await startPostgres({ isDurable: false });
  await makePostgresTemplate(postgres.url);
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    removeScratch();
  };
}
