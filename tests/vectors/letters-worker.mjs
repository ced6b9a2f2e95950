/** Speaks as the real thread does, with no model: how often each letter occurs is the vector. */
import { parentPort } from "node:worker_threads";

parentPort.on("message", ({ texts }) => {
  if (texts.includes("crash")) process.exit(1);
  if (texts.includes("throw")) throw new Error("out of memory");
  // Busy rather than idle: such a thread cannot even be asked to end.
  while (texts.includes("hang"));
  parentPort.postMessage({ vectors: texts.map(countLetters) });
});

function countLetters(text) {
  const counts = new Float32Array(26);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) counts[at] += 1;
  }
  return counts;
}
