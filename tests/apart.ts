/** The test files that must have a process of their own, and why. All others share a few. */
export const apart: Readonly<Record<string, string>> = {
  "tests/attack/json.test.ts": "measures what its process keeps in memory",
  "tests/http/limits.test.ts": "measures what its process keeps in memory",
};
