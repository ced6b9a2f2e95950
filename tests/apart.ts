/** The test files that must have a process of their own, and why. All others share a few. */
export const apart: Readonly<Record<string, string>> = {
  "tests/attack/json.test.ts": "measures what its process keeps in memory",
  "tests/http/limits.test.ts": "measures what its process keeps in memory",
  "tests/attack/text.test.ts": "starts Git for thousands of paths, which takes longer the larger the process is",
  "tests/crash/power.test.ts": "leaves gigabytes behind, and to start a program takes longer the larger the process is",
  "tests/bridge/frames.test.ts":
    "leaves a gigabyte behind, and to start a program takes longer the larger the process is",
};

/**
 * To start a program takes longer the larger the starting process is (1 ms at 10 MB, 20 ms at 500 MB, and as much again
 * for what both then write to): files that start many share processes with each other only. Of these some load next to
 * nothing themselves, so that their processes stay small; the others open houses that start Git.
 */
export const startMany = ["tests/{bridge,cli,crash,git,mcp-sdk,repository}/**/*.test.ts"];
export const startGit = [
  "tests/{forecast,index,mission,pull,review,worktree}/**/*.test.ts",
  "tests/{attack/owner-scope,attack/private,contract/examples,mcp/parity}.test.ts",
];
