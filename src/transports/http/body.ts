import type { IncomingMessage } from "node:http";
import { largestFrame } from "../json-guard.ts";

/** Who sends more than this, or says that they will, is not waited for. */
const mostSkipped = 8 * largestFrame;

/**
 * The text of a body. One that is too large is read to its end and thrown away as it comes, because a sender that is cut
 * off while it writes never hears why (HT13).
 */
export function readText(body: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(body.headers["content-length"]) > mostSkipped) return reject(refused(413));
    let chunks: Buffer[] = [];
    let size = 0;
    body.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestFrame) chunks.push(chunk);
      else chunks = [];
      if (size > mostSkipped) reject(refused(413));
    });
    body.on("end", () => {
      if (size > largestFrame) reject(refused(413));
      else resolve(Buffer.concat(chunks, size).toString("utf8"));
    });
    body.on("error", () => reject(refused(400)));
  });
}

const refused = (statusCode: number): Error => Object.assign(new Error("a body that cannot be read"), { statusCode });
