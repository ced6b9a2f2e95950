import { setTimeout as pause } from "node:timers/promises";
import { request } from "@octokit/request";
import { Refusal } from "../../contract/refusal.ts";
import { toolVersion } from "../../contract/versions.ts";

export interface GitHubClient {
  /** One request, with what GitHub's own rules ask for around it. Refuses with what went wrong. */
  ask(route: string, parameters: Record<string, unknown>, signal: AbortSignal): Promise<GitHubAnswer>;
}

interface GitHubAnswer {
  /** 304 where nothing has changed since the answer whose name was sent along. */
  readonly status: number;
  readonly data: unknown;
  readonly etag: string | null;
  readonly link: string;
}

interface ClientOptions {
  readonly apiUrl: string;
  readonly token: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** A limit that lasts longer than this is told instead of waited for. */
  readonly longestWaitMs?: number | undefined;
}

const usualTimeoutMs = 20_000;
const usualWaitMs = 60_000;
const mostTries = 3;

export function openGitHub(options: ClientOptions): GitHubClient {
  const { apiUrl, token, timeoutMs = usualTimeoutMs, longestWaitMs = usualWaitMs } = options;
  const send = request.defaults({
    baseUrl: apiUrl,
    headers: {
      "user-agent": `crewdeck/${toolVersion}`,
      "x-github-api-version": "2022-11-28",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });

  async function once(route: string, parameters: Record<string, unknown>, signal: AbortSignal): Promise<GitHubAnswer> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const { status, data, headers } = await send(route, { ...parameters, request: { signal: limited, log: silent } });
    return { status, data: data as unknown, etag: headers.etag ?? null, link: headers.link ?? "" };
  }

  return {
    async ask(route, parameters, signal) {
      const isRead = route.startsWith("GET ");
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(route, parameters, signal);
        } catch (error) {
          signal.throwIfAborted();
          const answer = answerIn(error);
          if (answer?.status === 304) return { status: 304, data: null, etag: answer.header("etag") ?? null, link: "" };
          const waitMs = answer && waitOf(answer, attempt);
          if (waitMs !== undefined && waitMs <= longestWaitMs && attempt < mostTries) {
            await pause(waitMs, undefined, { signal });
            continue;
          }
          // What was sent may have had its effect although no answer came; only a look is simply repeated.
          if (isRead && attempt < mostTries && (answer === undefined || answer.status >= 500)) {
            await pause(250 * attempt, undefined, { signal });
            continue;
          }
          throw refusalOf(answer, { hasToken: token !== undefined, waitMs });
        }
      }
    },
  };
}

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

interface Answered {
  readonly status: number;
  readonly message: string;
  readonly errors: readonly string[];
  header(name: string): string | undefined;
}

/** What GitHub said no with; undefined where no whole answer came. */
function answerIn(error: unknown): Answered | undefined {
  const { status, response } = error as { status?: unknown; response?: { headers?: object; data?: unknown } };
  if (typeof status !== "number" || response === undefined) return undefined;
  const headers = (response.headers ?? {}) as Record<string, string | number | undefined>;
  const { message, errors } = (response.data ?? {}) as { message?: unknown; errors?: unknown };
  return {
    status,
    message: typeof message === "string" ? message : "",
    errors: Array.isArray(errors) ? errors.map((one) => sayError(one)).filter((text) => text !== "") : [],
    header: (name) => (headers[name] === undefined ? undefined : String(headers[name])),
  };
}

const sayError = (one: unknown): string => {
  if (typeof one === "string") return one;
  const { message, field, code } = one as { message?: unknown; field?: unknown; code?: unknown };
  return [message, field, code].filter((part) => typeof part === "string").join(" ");
};

/** How long GitHub wants to be left alone; undefined where that is not what it said no for. */
function waitOf(answer: Answered, attempt: number): number | undefined {
  if (answer.status !== 403 && answer.status !== 429) return undefined;
  const after = Number(answer.header("retry-after"));
  if (answer.header("retry-after") !== undefined && Number.isFinite(after)) return Math.max(0, after * 1_000);
  if (answer.header("x-ratelimit-remaining") === "0") {
    return Math.max(0, Number(answer.header("x-ratelimit-reset")) * 1_000 - Date.now());
  }
  const isSecondary = answer.status === 429 || /secondary rate limit|abuse detection/i.test(answer.message);
  return isSecondary ? 60_000 * attempt : undefined;
}

function refusalOf(
  answer: Answered | undefined,
  { hasToken, waitMs }: { readonly hasToken: boolean; readonly waitMs: number | undefined },
): Refusal {
  if (!answer) return new Refusal("GITHUB_NETWORK_ERROR", "GitHub did not answer.");
  const { status } = answer;
  const said = [answer.message, ...answer.errors].filter((text) => text !== "").join("; ");
  const details = { status, ...(said === "" ? {} : { detail: said.slice(0, 2_000) }) };
  if (waitMs !== undefined) {
    const seconds = Math.ceil(waitMs / 1_000);
    const message = `GitHub's rate limit is reached for another ${seconds} s.`;
    // Longer than anybody waits for: trying again at once would only add to it.
    return new Refusal("GITHUB_RATE_LIMIT_EXCEEDED", message, undefined, { ...details, seconds, isFinal: true });
  }
  if (status === 401) {
    const message = hasToken ? "GitHub does not accept the token." : "GitHub wants a token, and none is set.";
    return new Refusal("GITHUB_AUTH_FAILED", message, undefined, details);
  }
  if (status === 403)
    return new Refusal("GITHUB_PERMISSION_DENIED", "GitHub denies this to the token.", undefined, details);
  if (status === 404) {
    return new Refusal(
      "GITHUB_REPOSITORY_NOT_FOUND",
      "GitHub knows no such repository, or not for this token.",
      undefined,
      details,
    );
  }
  if (status >= 500) return new Refusal("GITHUB_NETWORK_ERROR", `GitHub answered with ${status}.`, undefined, details);
  return new Refusal("GITHUB_API_ERROR", `GitHub refused it (${status}).`, undefined, details);
}
