import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The deck's files, read once: only what lies in the folder has an address, so no path can lead out of it. */
export function mountDeck(app: FastifyInstance, dir: string): void {
  for (const name of readdirSync(dir)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const content = readFileSync(join(dir, name));
    const send = async (_request: unknown, reply: { type(t: string): { send(c: Buffer): unknown } }) =>
      reply.type(type).send(content);
    app.get(name === "index.html" ? "/" : `/${name}`, send as never);
  }
}
