import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine that answers each path as it is told to; it goes with the test. */
export async function startLyingServer(answers: Readonly<Record<string, Answer | Buffer>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    asked.push(`${path} ${request.headers.range ?? ""}`.trim());
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else if (Buffer.isBuffer(answer)) response.end(answer);
    else answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, asked };
}

export const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** What a path of the server is asked for with its hash. */
export const pinned = (origin: string, path: string, content: Buffer): string =>
  `${origin}${path}#sha256=${sha256(content)}`;

/** Serves one file for as long as the test runs, and answers where it is to be had. */
export async function serveFile(path: string, content: Buffer): Promise<string> {
  const { origin } = await startLyingServer({ [path]: content });
  return pinned(origin, path, content);
}
