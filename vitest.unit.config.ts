import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { patienceMs, testPatienceMs } from "./src/testing/waiting.ts";
import { seedOfCommit } from "./tests/seed-of-commit.ts";

/** The tests of the inner loop: no PostgreSQL, no browser, no installation, no server process. */
export default defineConfig({
  test: {
    include: [
      "tests/{contract,domain}/**/*.test.ts",
      "tests/deck/{models,store,markdown,workflow-model}.test.ts",
      "tests/repository/{documents,exports,fences,rules}.test.ts",
    ],
    // They start programs, and the check of generated files does what one of them tries.
    exclude: ["tests/contract/{gen-command,inspector}.test.ts"],
    setupFiles: ["tests/seed.ts"],
    env: { TEST_SEED: seedOfCommit() },
    testNamePattern: /^(?!.* on postgres\b)/,
    pool: "forks",
    isolate: false,
    maxWorkers: availableParallelism(),
    testTimeout: testPatienceMs,
    hookTimeout: testPatienceMs,
    expect: { poll: { timeout: patienceMs, interval: 20 } },
  },
});
