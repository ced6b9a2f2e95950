import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../src/testing/waiting.ts";
import { withProgress } from "../../src/transports/cli/progress.ts";

/** What is written to a terminal on stderr, until the test ends. */
function watchTerminal(): string[] {
  const { stderr } = process;
  const { isTTY, write } = stderr;
  const written: string[] = [];
  stderr.isTTY = true;
  stderr.write = ((text: string) => written.push(text) > 0) as typeof stderr.write;
  onTestFinished(() => void Object.assign(stderr, { isTTY, write }));
  return written;
}

test("[CL100] what takes longer than a second is named at a terminal, and the line is gone when it is done", async () => {
  const written = watchTerminal();
  let finish = (_code: number): void => undefined;
  const done = withProgress("Stopping the server…", new Promise<number>((resolve) => (finish = resolve)));
  await until(() => written.some((text) => text.includes("Stopping the server…")));
  finish(7);
  expect(await done).toBe(7);
  expect(written.at(-1)).toBe("\r\u001b[K");
});

test("[CL100] what is over at once says nothing, and a failure comes through", async () => {
  const written = watchTerminal();
  await expect(withProgress("Starting…", Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(written).toEqual([]);
});

test("[CL100] no command starts, stops or checks anything without saying so", () => {
  const folder = fileURLToPath(new URL("../../src/transports/cli/commands", import.meta.url));
  // These say it around all that they do.
  const files = readdirSync(folder).filter((name) => name !== "doctor.ts" && name !== "telemetry.ts");
  const silent = files.filter((name) =>
    /(?<!Progress\("[^"]*", (?:\w+\.)?)\b(?:ensureServer|stopServer|restoreHome|verifyHome)\(/.test(
      readFileSync(join(folder, name), "utf8"),
    ),
  );
  expect(silent).toEqual([]);
});
