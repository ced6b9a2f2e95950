import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The memory a process holds, in MB. */
export function residentMb(pid) {
  const kilobytes = process.platform === "linux" ? readStatus(pid) : execFileSync("ps", ["-o", "rss=", "-p", `${pid}`]);
  return Number(kilobytes) / 1_024;
}

const readStatus = (pid) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1];

/** The processor time that a process has had, in milliseconds; on systems that do not say, none. */
export function processorMs(pid) {
  if (process.platform !== "linux") return Number.NaN;
  const fields = readStat(pid);
  return (Number(fields[11]) + Number(fields[12])) * millisecondsOfTick;
}

/** The same of a process and of all that it has started, those that have ended included. */
export function processorMsOfAll(pid) {
  if (process.platform !== "linux") return Number.NaN;
  const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const running = others.reduce((sum, other) => sum + ticksOfChild(other, pid), 0);
  const [endedUser, endedSystem] = readStat(pid).slice(13, 15).map(Number);
  return processorMs(pid) + (running + endedUser + endedSystem) * millisecondsOfTick;
}

const millisecondsOfTick = 10;

const readStat = (pid) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");

/** None for what is no child of it, or has ended since it was listed. */
function ticksOfChild(other, pid) {
  try {
    const fields = readStat(other);
    return fields[1] === String(pid) ? Number(fields[11]) + Number(fields[12]) : 0;
  } catch {
    return 0;
  }
}
