import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSafe } from "node:https";
import { join } from "node:path";
import { Refusal } from "../../../contract/refusal.ts";
import { checkAddress, isLoopback, isPrivateAddress, lookUpOutside, type Wanted } from "./address.ts";

interface FetchOptions {
  readonly hosts: readonly string[];
  /** Where unfinished files lie, to be gone on with. */
  readonly draftDir: string;
  readonly mostBytes: number;
  /** So long a server may say nothing. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly progress?: ((done: number, total: number, message: string) => void) | undefined;
}

const mostRedirects = 5;

/**
 * Fetches a file with the hash it must have, and answers where it lies. One that was cut short is kept and gone on with
 * the next time; one with another hash is thrown away (DL3, DL4).
 */
export async function fetchFile(wanted: Wanted, options: FetchOptions): Promise<string> {
  const draft = join(options.draftDir, `${wanted.sha256}.part`);
  await mkdir(options.draftDir, { recursive: true, mode: 0o700 });
  const isResumed = await fetchInto(draft, wanted, options);
  if ((await hashOf(draft)) === wanted.sha256) return draft;
  await rm(draft, { force: true });
  // What lay there may have been of another file; a whole one tells for sure.
  if (isResumed && !(await fetchInto(draft, wanted, options)) && (await hashOf(draft)) === wanted.sha256) return draft;
  await rm(draft, { force: true });
  throw new Refusal("DOWNLOAD_VERIFY_FAILED", "What was downloaded has another hash than expected and was deleted.");
}

/** Answers whether it went on with what was there. */
async function fetchInto(draft: string, { url }: Wanted, options: FetchOptions): Promise<boolean> {
  const known = await stat(draft).then(
    ({ size }) => size,
    () => 0,
  );
  const response = await ask(url, known, options);
  const isResumed = known > 0 && response.statusCode === 206 && startOf(response) === known;
  const from = isResumed ? known : 0;
  const length = Number(response.headers["content-length"] ?? 0);
  try {
    if (response.statusCode === 416) throw failed("The server has less than was fetched before.");
    if (response.statusCode !== 200 && !isResumed) throw failed(`The server answered ${response.statusCode}.`);
    if (from + length > options.mostBytes) throw tooLarge(options.mostBytes);
    await save(response, { draft, from, total: from + length }, options);
  } catch (error) {
    response.destroy();
    if (error instanceof Refusal && error.code === "ARCHIVE_TOO_LARGE") await rm(draft, { force: true });
    if (response.statusCode === 416) await rm(draft, { force: true });
    throw error;
  }
  return isResumed;
}

interface Target {
  readonly draft: string;
  readonly from: number;
  readonly total: number;
}

async function save(response: IncomingMessage, { draft, from, total }: Target, options: FetchOptions): Promise<void> {
  const file = await open(draft, from > 0 ? "r+" : "w", 0o600);
  let done = from;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (done + chunk.length > options.mostBytes) throw tooLarge(options.mostBytes);
      await file.write(chunk, 0, chunk.length, done);
      done += chunk.length;
      options.progress?.(done, Math.max(total, done), "Downloading");
    }
    await file.truncate(done);
    await file.sync();
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof Refusal ? error : failed("The connection broke off.");
  } finally {
    await file.close();
  }
  if (total > from && done < total) throw failed("The connection broke off.");
}

/** Asks for a file and follows where it is sent, each time as strictly as the first time. */
async function ask(url: URL, from: number, options: FetchOptions): Promise<IncomingMessage> {
  let at = url;
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    checkAddress(at, options.hosts);
    const isFirst = hops === 0;
    if (!isFirst && !isLoopback(url) && (isLoopback(at) || isPrivateLiteral(at))) throw inside();
    const response = await send(at, { from, isInsideFine: isFirst || isLoopback(url) }, options);
    const { statusCode = 0, headers } = response;
    if (![301, 302, 303, 307, 308].includes(statusCode)) return response;
    response.destroy();
    const next = URL.canParse(headers.location ?? "", at.href) ? new URL(headers.location ?? "", at) : undefined;
    if (!next) throw failed("The server sends elsewhere without saying where.");
    at = next;
  }
  throw failed("The server sends from one place to the next without an end.");
}

const isPrivateLiteral = (url: URL): boolean => /^[\d.]+$|^\[/.test(url.hostname) && isPrivateAddress(url.hostname);

function send(
  url: URL,
  { from, isInsideFine }: { from: number; isInsideFine: boolean },
  { signal, patienceMs }: FetchOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = (url.protocol === "https:" ? requestSafe : requestPlain)(
      url,
      {
        agent: false,
        signal,
        headers: {
          accept: "*/*",
          "accept-encoding": "identity",
          "user-agent": "crewdeck",
          ...(from > 0 ? { range: `bytes=${from}-` } : {}),
        },
        ...(isInsideFine ? {} : { lookup: lookUpOutside }),
      },
      (response) => {
        response.setTimeout(patienceMs, () => void response.destroy(new Error("silence")));
        resolve(response);
      },
    );
    request.setTimeout(patienceMs, () => void request.destroy(new Error("silence")));
    request.on("error", (error: Error & { code?: string }) => {
      if (signal.aborted) reject(signal.reason as Error);
      else reject(error.code === "EPRIVATE" ? inside() : failed("The server can't be reached."));
    });
    request.end();
  });
}

/** `bytes 100-199/200` */
const startOf = ({ headers }: IncomingMessage): number =>
  Number(/^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1] ?? -1);

export async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

const failed = (why: string): Refusal =>
  new Refusal("DOWNLOAD_VERIFY_FAILED", `The download failed. ${why}`, "Check the address, then call again.");

const inside = (): Refusal =>
  new Refusal("FORBIDDEN", "The server sends to a private address.", "Use the address that the file really has.");

const tooLarge = (most: number): Refusal =>
  new Refusal("ARCHIVE_TOO_LARGE", `The download is larger than ${Math.round(most / 1_000_000)} MB.`);
