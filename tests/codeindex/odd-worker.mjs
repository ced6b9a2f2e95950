/** Speaks as the real thread does, and fails as a file's name says. */
import { parentPort, threadId } from "node:worker_threads";

parentPort.on("message", ({ path, bytes }) => {
  if (path === "exit") process.exit(1);
  if (path === "throw") throw new Error("out of memory");
  // Busy rather than idle: such a thread cannot even be asked to end.
  while (path === "hang");
  const said = path === "thread" ? threadId : bytes.length;
  parentPort.postMessage({ outcome: { skipped: `${path} ${said}` } });
});
