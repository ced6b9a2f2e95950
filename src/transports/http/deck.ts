import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const page = "/index.html";
const assets = "/assets/";

type Sender = ReturnType<typeof sender>;

/**
 * The deck's files, read once: only what lies in the folder has an address, so no path can lead out of it. Every
 * address below /deck/ is a place inside the deck and answered with its page. Its hundred parts share one route, since
 * a route each would take a tenth of the server's start.
 */
export function mountDeck(app: FastifyInstance, dir: string): void {
  const parts = new Map<string, Sender>();
  for (const path of listFiles(dir)) {
    const type = types[extname(path)];
    if (type === undefined) continue;
    const isPart = path.startsWith(assets);
    const send = sender(readFileSync(join(dir, path)), { type, isKept: isPart });
    if (isPart) parts.set(path.slice(assets.length), send);
    else for (const place of path === page ? ["/", "/deck/*"] : [path]) app.get(place, send);
  }
  app.get<{ Params: { part: string } }>(`${assets}:part`, async (request, reply) => {
    const send = parts.get(request.params.part);
    return send === undefined ? reply.callNotFound() : send(request, reply);
  });
}

/** A folder that is being replaced by the next build has no files for an instant. */
function listFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(dir, join(entry.parentPath, entry.name)).split(sep).join("/")}`);
}

/** What carries a hash of its content in its name never changes and may be kept for good. */
function sender(content: Buffer, { type, isKept }: { type: string; isKept: boolean }) {
  let packed: Buffer | undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.type(type).header("vary", "accept-encoding");
    if (isKept) reply.header("cache-control", "public, max-age=31536000, immutable");
    if (!/\bgzip\b/.test(request.headers["accept-encoding"] ?? "")) return reply.send(content);
    packed ??= gzipSync(content);
    return reply.header("content-encoding", "gzip").send(packed);
  };
}
