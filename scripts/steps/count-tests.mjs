import { readFileSync } from "node:fs";

/**
 * Counts a vitest report. A file that could not be loaded has no tests in it and counts as one failure, and so does
 * a run that ended badly although no test did: an unhandled error must never look green.
 */
export function countTests(reportFile, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of readReport(reportFile)) {
    const statuses = file.assertionResults.map((result) => result.status);
    counts.passed += statuses.filter((status) => status === "passed").length;
    counts.failed += statuses.filter((status) => status === "failed").length;
    counts.skipped += statuses.filter((status) => !["passed", "failed"].includes(status)).length;
    if (file.status === "failed" && !statuses.includes("failed")) counts.failed += 1;
  }
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).testResults;
  } catch {
    return [];
  }
}
