import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The memory a process holds, in MB. */
export function residentMb(pid) {
  const kilobytes = process.platform === "linux" ? readStatus(pid) : execFileSync("ps", ["-o", "rss=", "-p", `${pid}`]);
  return Number(kilobytes) / 1_024;
}

const readStatus = (pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1];

/** The processor time that a process has had, in milliseconds; on systems that do not say, none. */
export function processorMs(pid) {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  // Told in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
