import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** The tests of the inner loop: no PostgreSQL, no browser, no installation, no server process. */
export default defineConfig({
  test: {
    include: [
      "tests/{contract,domain}/**/*.test.ts",
      "tests/deck/{models,store,markdown,workflow-model}.test.ts",
      "tests/repository/{documents,exports,fences,rules}.test.ts",
    ],
    testNamePattern: /^(?!.* on postgres\b)/,
    pool: "forks",
    isolate: false,
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
