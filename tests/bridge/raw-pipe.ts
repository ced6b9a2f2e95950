import { request } from "node:http";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import type { Frame } from "./bridge-process.ts";

export interface RawPipe {
  /** Sends one frame after the other, each after the answer to the one before it. */
  exchange(frames: readonly object[]): Promise<Frame[]>;
  /** Sends a line as it is and waits for one answer. */
  refusalOf(line: string): Promise<Frame>;
}

/** The server's own end of the pipe, without a bridge in between. */
export async function openRawPipe(url: string, token: string): Promise<RawPipe> {
  const socket = await new Promise<Duplex>((resolve, reject) => {
    const headers = { connection: "Upgrade", upgrade: "crewdeck-pipe", authorization: `Bearer ${token}` };
    request(new URL("/mcp/pipe", url), { headers })
      .once("upgrade", (_response, upgraded) => resolve(upgraded))
      .once("response", ({ statusCode }) => reject(new Error(`refused with ${statusCode}`)))
      .once("error", reject)
      .end();
  });
  onTestFinished(() => void socket.destroy());
  const answers: Frame[] = [];
  let wake: () => void = () => undefined;
  createInterface({ input: socket }).on("line", (line) => {
    answers.push(JSON.parse(line) as Frame);
    wake();
  });
  const answersUpTo = async (count: number): Promise<void> => {
    while (answers.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    async exchange(frames) {
      for (const frame of frames) {
        const due = answers.length + ("id" in frame ? 1 : 0);
        socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
        await answersUpTo(due);
      }
      return answers;
    },
    async refusalOf(line) {
      const due = answers.length + 1;
      socket.write(`${line}\n`);
      await answersUpTo(due);
      return answers[due - 1] as Frame;
    },
  };
}
