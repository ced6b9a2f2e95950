/** Speaks as the real thread does, with no model: a text's vector says how often it is about each of three topics. */
import { parentPort } from "node:worker_threads";

const topics = [/retr(?:y|ies)|resend|again/gi, /price|cost/gi, /colou?r|paint/gi];

parentPort.on("message", ({ texts }) => {
  parentPort.postMessage({ vectors: texts.map(vectorOf) });
});

function vectorOf(text) {
  const counts = Float32Array.from(topics, (topic) => text.match(topic)?.length ?? 0);
  const length = Math.hypot(...counts) || 1;
  return counts.map((count) => count / length);
}
