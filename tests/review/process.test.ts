import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { AgentFolders } from "../../src/adapters/launcher/places.ts";
import { reportOf } from "../../src/adapters/launcher/process.ts";
import { InstanceId } from "../../src/contract/ids.ts";
import { outputSince } from "../../src/transports/cli/output-since.ts";
import { makeFolder } from "../git/scratch.ts";

test("[LA12] a process of the same number is told from ours by when it began, where there is no /proc too", () => {
  const folders = new AgentFolders(makeFolder());
  folders.secretOf(InstanceId.parse("work-00000000"));
  const places = folders.of(InstanceId.parse("work-00000000"));
  const processFile = `${folders.root}/process.json`;
  const stateWith = (startTicks: string | null) => {
    writeFileSync(processFile, JSON.stringify({ turn: 1, pid: process.pid, startTicks, startedAt: 1 }));
    return reportOf({ ...places, processFile }, 2)?.state;
  };
  const env = { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
  const start = execFileSync("ps", ["-o", "lstart=", "-p", String(process.pid)], { encoding: "utf8", env }).trim();
  expect(stateWith(start)).toBe("running");
  expect(stateWith("Thu Jan  1 00:00:00 1970")).toBe("ended");
  expect(stateWith("1")).toBe("ended");
  expect(stateWith(null)).toBe("running");
});

test("[LA11] what is new of an output is told by its last lines, however much of its beginning is gone", () => {
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, at) => `line ${from + at}`).join("\n");
  expect(outputSince(lines(0, 3), lines(0, 5))).toBe("\nline 3\nline 4");
  expect(outputSince(lines(100, 300), lines(0, 302))).toBe("\nline 300\nline 301");
  expect(outputSince(lines(0, 300), lines(200, 301))).toBe("\nline 300");
  expect(outputSince("> prompt\nstatus: 1", "> prompt\nstatus: 2")).toBe("status: 2");
  expect(outputSince("", "first")).toBe("first");
});
