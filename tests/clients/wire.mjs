import { existsSync, readFileSync } from "node:fs";
import { request as ask } from "node:http";
import { serveLoopback } from "./loopback.mjs";

/** The frames that a tap has written down, in order. */
export const readTap = (file) =>
  (existsSync(file) ? readFileSync(file, "utf8").split("\n") : [])
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .map(({ speaker, line }) => ({ speaker, ...JSON.parse(line) }));

/** The same for a server over HTTP: hands everything on to it and keeps what the client said. */
export async function tapHttp(origin) {
  const frames = [];
  const tap = await serveLoopback(({ url, method, headers }, response, body) => {
    if (body !== "") frames.push({ speaker: "client", ...JSON.parse(body) });
    const onward = ask(new URL(url, origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end(body);
  });
  return { url: tap.url, frames, close: tap.close };
}

const versionKey = "io.modelcontextprotocol/protocolVersion";

/** The revision in which a client called its tools: each stateless request names it, a handshake asks for it once. */
export function revisionOf(frames) {
  const said = frames.filter(({ speaker }) => speaker === "client");
  const call = said.find(({ method }) => method === "tools/call");
  const handshake = said.find(({ method }) => method === "initialize");
  return call?.params._meta?.[versionKey] ?? handshake?.params.protocolVersion;
}
