/** The test files that must have a process of their own, and why. All others share a few. */
export const apart: Readonly<Record<string, string>> = {
  "tests/attack/json.test.ts": "measures what its process keeps in memory",
  "tests/http/limits.test.ts": "measures what its process keeps in memory",
  "tests/crash/power.test.ts": "leaves gigabytes behind, and to start a program takes longer the larger the process is",
};

/**
 * To start a program takes longer the larger the starting process is (1 ms at 10 MB, 20 ms at 500 MB): files that start
 * many share processes with each other only.
 */
export const startMany = ["tests/{bridge,cli,crash,git,mission,repository,worktree}/**/*.test.ts"];
