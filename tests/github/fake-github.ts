import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type Described, describe, sampleItem } from "./description.ts";

const pullsPath = "/repos/{owner}/{repo}/pulls";
const pullPath = "/repos/{owner}/{repo}/pulls/{pull_number}";
const issuesPath = "/repos/{owner}/{repo}/issues";

interface Pull {
  readonly number: number;
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  state: "open" | "closed";
  merged: boolean;
}

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
}

/** What the next request is answered with in place of the truth. */
export type Trouble =
  | { readonly status: number; readonly body?: object; readonly headers?: Record<string, string> }
  | "cut"
  | "slow";

/**
 * GitHub, as far as we use it: real HTTP, with every request and every answer held against GitHub's own published
 * description. What does not fit is kept in `faults`.
 */
export class FakeGitHub {
  readonly pulls: Pull[] = [];
  readonly issues: Issue[] = [];
  readonly requests: { readonly method: string; readonly path: string; readonly token: string; status: number }[] = [];
  readonly faults: string[] = [];
  /** By `METHOD path`; the first that is there is used up. */
  readonly troubles: { readonly route: string; readonly trouble: Trouble }[] = [];
  token = "secret-token";
  url = "";

  static async start(): Promise<FakeGitHub> {
    const fake = new FakeGitHub();
    const server = createServer((request, response) => void fake.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return fake;
  }

  /** The next requests of this route go wrong. */
  fail(route: string, ...troubles: Trouble[]): void {
    this.troubles.push(...troubles.map((trouble) => ({ route, trouble })));
  }

  countOf(route: string): number {
    return this.requests.filter(({ method, path }) => `${method} ${path}` === route).length;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    const method = request.method ?? "GET";
    const noted = { method, path: pathname, token: request.headers.authorization ?? "", status: 0 };
    this.requests.push(noted);
    const send = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      noted.status = status;
      response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
      response.end(status === 304 ? undefined : JSON.stringify(body));
    };
    const at = this.troubles.findIndex(({ route }) => route === `${method} ${pathname}`);
    const [broken] = at === -1 ? [] : this.troubles.splice(at, 1);
    if (broken?.trouble === "slow") return undefined;
    if (broken?.trouble === "cut") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"number":');
      return setImmediate(() => response.destroy());
    }
    if (broken) {
      const { status, body = { message: "No" }, headers } = broken.trouble as Exclude<Trouble, string>;
      return send(status, body, headers);
    }
    if (noted.token !== `Bearer ${this.token}`) return send(401, { message: "Bad credentials" });
    const [, , owner, repo, kind, number] = pathname.split("/");
    if (owner !== "acme" || repo !== "shop") return send(404, { message: "Not Found" });
    const path = kind === "issues" ? issuesPath : number === undefined ? pullsPath : pullPath;
    const described = describe(method, path);
    this.faults.push(...described.listUnknown([...searchParams.keys()]));
    const body = method === "POST" ? (JSON.parse(await textOf(request)) as Record<string, unknown>) : undefined;
    if (body !== undefined) this.faults.push(...described.checkBody(body));
    const checked = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      this.faults.push(...described.checkAnswer(status, value));
      send(status, value, headers);
    };
    if (path === issuesPath) return this.#answerIssues(described, body, checked);
    if (path === pullPath) return this.#answerPull(described, Number(number), request, { checked, send });
    return this.#answerPulls(described, { body, query: searchParams }, { checked, send });
  }

  #answerIssues(described: Described, body: Record<string, unknown> | undefined, checked: Send): unknown {
    if (!body) {
      return checked(
        200,
        this.issues.map((issue) => sampleItem("GET", issuesPath, this.#issueFields(issue))),
      );
    }
    const { title, body: text, labels } = body as { title: string; body: string; labels?: string[] };
    const issue = { number: 100 + this.issues.length + this.pulls.length, title, body: text, labels: labels ?? [] };
    this.issues.push(issue);
    return checked(201, described.answer(201, this.#issueFields(issue)));
  }

  #issueFields = ({ number, title, body }: Issue): object => ({
    number,
    title,
    body,
    html_url: `https://github.com/acme/shop/issues/${number}`,
  });

  #answerPulls(
    described: Described,
    { body, query }: { readonly body: Record<string, unknown> | undefined; readonly query: URLSearchParams },
    { checked, send }: { readonly checked: Send; readonly send: Send },
  ): unknown {
    if (!body) {
      const head = query.get("head")?.replace(/^acme:/, "");
      const found = this.pulls.filter((pull) => pull.state === "open" && (!head || pull.head === head));
      return checked(
        200,
        found.map((pull) => this.#listed(pull)),
      );
    }
    const { title, head, base, body: text } = body as { title: string; head: string; base: string; body: string };
    if (this.pulls.some((pull) => pull.state === "open" && pull.head === head)) {
      const errors = [{ message: `A pull request already exists for acme:${head}.` }];
      return send(422, { message: "Validation Failed", errors });
    }
    const pull: Pull = { number: 7 + this.pulls.length, head, base, title, body: text, state: "open", merged: false };
    this.pulls.push(pull);
    const sample = described.sample(201) as { head: object };
    return checked(201, { ...sample, ...this.#pullFields(pull), head: { ...sample.head, ref: head } });
  }

  #pullFields = ({ number, title, state }: Pull): object => ({
    number,
    title,
    state,
    html_url: `https://github.com/acme/shop/pull/${number}`,
  });

  #listed(pull: Pull): object {
    const item = sampleItem("GET", pullsPath, this.#pullFields(pull)) as { head: object };
    return { ...item, head: { ...item.head, ref: pull.head } };
  }

  #answerPull(
    described: Described,
    number: number,
    request: IncomingMessage,
    { checked, send }: { readonly checked: Send; readonly send: Send },
  ): unknown {
    const pull = this.pulls.find((one) => one.number === number);
    if (!pull) return send(404, { message: "Not Found" });
    const etag = `"${number}-${pull.state}-${pull.merged}"`;
    if (request.headers["if-none-match"] === etag) return send(304, undefined, { etag });
    const merge_commit_sha = pull.merged ? "a".repeat(40) : null;
    const fields = { ...this.#pullFields(pull), merged: pull.merged, merge_commit_sha };
    return checked(200, described.answer(200, fields), { etag });
  }
}

type Send = (status: number, body: unknown, headers?: Record<string, string>) => void;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
