import { execFileSync } from "node:child_process";

/** Each commit tries other values, and the same ones wherever it is tested (decision 0012). TEST_SEED sets another seed. */
export function seedOfCommit(): string {
  const asked = process.env["TEST_SEED"];
  if (asked !== undefined) return asked;
  try {
    const head = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return String(Number.parseInt(head.slice(0, 7), 16));
  } catch {
    return "1"; // Not a clone: an unpacked archive is tested too.
  }
}
