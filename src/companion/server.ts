import { type IncomingMessage, request as plainRequest } from "node:http";
import { baseUrlFrom } from "../adapters/base-url.ts";
import { type Home, readServerInfo } from "../adapters/home.ts";
import { isItself } from "../adapters/server-proof.ts";
import { tokenFor } from "../adapters/token.ts";
import type { CallMaker } from "../contract/words.ts";

/** A server that is ready to be asked. */
export interface Target {
  readonly origin: string;
  readonly token: string;
  /** What of the companion asks: the server shows where a session's signals and its usage come from. */
  readonly madeBy?: CallMaker;
}

interface Ask {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** By which the token is chosen. */
  readonly agent: string;
  /** Where a repository has another server than this machine's. */
  readonly baseUrl: string | undefined;
}

/** The server to talk to, as it runs now: the companion never starts one. Throws with the reason where there is none. */
export async function findTarget({ home, env, agent, baseUrl }: Ask): Promise<Target> {
  const named = baseUrlFrom(env) ?? baseUrl;
  const origin = named ?? (await ownOrigin(home));
  const token = tokenFor(home, { origin: named, env: { ...env, COVIBE_AGENT: env["COVIBE_AGENT"] || agent } });
  if (token === undefined) throw new Error("no token");
  return { origin, token };
}

/** Whoever has taken the port since is not told a token. */
async function ownOrigin(home: Home): Promise<string> {
  const info = readServerInfo(home);
  if (info === undefined || !(await isItself(info))) throw new Error("no server");
  return info.url;
}

export class ServerRefusal extends Error {
  override readonly name = "ServerRefusal";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const largestAnswer = 4 * 1024 * 1024;

interface CallOptions {
  readonly signal: AbortSignal;
  /** The same key makes the same change once. */
  readonly key?: string;
  readonly repository?: string;
  /** The agent gets to see what word waits for it; else that word is left where it is. */
  readonly passesNotices?: boolean;
}

/** One call of a team's tool. Throws `ServerRefusal` where the server says no, and any other error where it says nothing. */
export const callTool = async (target: Target, tool: string, args: unknown, options: CallOptions): Promise<TeamReply> =>
  readTeamReply(await askTool(target, tool, args, options));

/** The same of any other tool: its answer as it is. */
export async function askTool(
  { origin, token, madeBy }: Target,
  tool: string,
  args: unknown,
  { signal, key, repository, passesNotices }: CallOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const url = new URL(`/api/tools/${tool}`, origin);
  // Most servers are on this machine, and a hook should not pay for what only others need.
  const request = url.protocol === "https:" ? (await import("node:https")).request : plainRequest;
  const body = JSON.stringify(args);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asking = request(url, {
      method: "POST",
      agent: false,
      signal,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        authorization: `Bearer ${token}`,
        ...(madeBy === undefined ? {} : { "x-crewdeck-made-by": madeBy }),
        ...(passesNotices ? {} : { "x-crewdeck-notices": "leave" }),
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(repository === undefined ? {} : { "x-crewdeck-repo": encodeURI(repository) }),
      },
    });
    asking.once("error", reject).once("response", resolve);
    asking.end(body);
  });
  return readAnswer(await readBody(response));
}

/** What every tool of the team family answers. */
interface TeamReply {
  readonly status: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly notices: readonly string[];
}

function readAnswer(text: string): Readonly<Record<string, unknown>> {
  const { ok, result, error } = JSON.parse(text) as {
    ok?: boolean;
    result?: Readonly<Record<string, unknown>>;
    error?: { code?: string; message?: string };
  };
  if (ok === true && result !== undefined) return result;
  throw new ServerRefusal(error?.code ?? "INTERNAL", error?.message ?? "refused");
}

function readTeamReply(result: Readonly<Record<string, unknown>>): TeamReply {
  const reply = result as Partial<Omit<TeamReply, "notices">> & { notices?: readonly { text: string }[] };
  const { status = "", message = "", data = {}, notices = [] } = reply;
  // The team's tools refuse inside their own shape.
  if (status === "error") throw new ServerRefusal(String(data["code"] ?? "INTERNAL"), message);
  return { status, message, data, notices: notices.map(({ text }) => text) };
}

async function readBody(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += chunk as string;
    if (text.length > largestAnswer) throw new Error("the answer is too long");
  }
  return text;
}
