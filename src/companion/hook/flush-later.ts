import { spawn } from "node:child_process";
import type { Home } from "../../adapters/home.ts";
import { programFile } from "../../adapters/program-line.ts";

/** Counts what a session has used in a process of its own, which holds nothing that the client would wait for. */
export function flushLater({ dir }: Home, cwd: string): void {
  const args = [programFile, "telemetry", "--quiet", "--home", dir];
  spawn(process.execPath, args, { cwd, detached: true, stdio: "ignore" }).unref();
}
