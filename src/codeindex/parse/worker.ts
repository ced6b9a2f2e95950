import { parentPort } from "node:worker_threads";
import { parseFile } from "./parse-file.ts";
import type { ParseReply, ParseRequest } from "./parse-thread.ts";

/** A thread that parses one file after the other, in the order in which it is given them. */
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", ({ path, bytes }: ParseRequest) => {
  last = last.then(async () => {
    const outcome = await parseFile(path, bytes);
    parentPort?.postMessage({ outcome } satisfies ParseReply);
  });
});
