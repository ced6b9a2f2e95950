import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The memory a process holds, in MB. */
export function residentMb(pid) {
  const kilobytes = process.platform === "linux" ? readStatus(pid) : execFileSync("ps", ["-o", "rss=", "-p", `${pid}`]);
  return Number(kilobytes) / 1_024;
}

const readStatus = (pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1];
