import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { patienceMs } from "../../src/testing/waiting.ts";
import { createHome, endProcess, ensureBuilt, type TestHome, tokenOf } from "../cli/program.ts";
import { connectHttp, type ServerNote, startServe } from "../mcp-sdk/clients.ts";
import { endPrograms } from "../review/launched-house.ts";
import { endTerminals } from "../review/scene.ts";

/** A real server in a home of its own, a real browser, and real agents that write through MCP. */
export interface DeckTest {
  readonly url: string;
  readonly token: string;
  /** Calls a tool over HTTP with the owner's token, or with another. */
  call<T = Record<string, unknown>>(tool: string, args?: object, token?: string): Promise<T>;
  /** An agent on an MCP connection of its own; it ends with the test. */
  agent(name: string, more?: object): Promise<TestAgent>;
  /** These stay alive until the last test of the file, however long a busy machine takes to come to it. */
  keepAlive(agents: readonly TestAgent[]): void;
  /** A browser that came in through the one-time link. It must not have logged an error when the test ends. */
  open(path?: string, options?: OpenOptions): Promise<DeckPage>;
  /** A browser that nobody has signed in. */
  openSignedOut(path?: string, options?: OpenOptions): Promise<DeckPage>;
  /** A person with a token of their own. */
  person(handle: string, more?: object): Promise<string>;
  stopServer(): void;
  startServer(): Promise<void>;
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly token?: string;
}

export interface ServeOptions {
  readonly config?: object;
  /** The one without a window takes a third less work; it has no notifications. */
  readonly browser?: BrowserName;
}

/** One server for all tests of a file, one browser for all files of a process. Programs it starts end with it. */
export function serveDeck({ config, browser: name = "chromium-headless-shell" }: ServeOptions = {}): DeckTest {
  let home: TestHome | undefined;
  let closeHome: () => Promise<void> = async () => undefined;
  let server: ServerNote | undefined;
  let browser: Browser | undefined;
  let pulse: NodeJS.Timeout | undefined;

  beforeAll(async () => {
    await ensureBuilt();
    ({ home, close: closeHome } = createHome());
    if (config) {
      mkdirSync(home.dir, { recursive: true, mode: 0o700 });
      writeFileSync(join(home.dir, "config.json"), JSON.stringify(config), { mode: 0o600 });
    }
    [server, browser] = await Promise.all([startServe(home), openBrowser(name)]);
  });
  afterAll(async () => {
    clearInterval(pulse);
    if (config && home) {
      if (server) endProcess(server.pid);
      endPrograms(home.dir);
      endTerminals(home.dir);
    }
    await closeHome();
  });

  const theHome = (): TestHome => home ?? fail();
  const url = (): string => (server ?? fail()).url;
  const openPage = async (path: string, options: OpenOptions): Promise<DeckPage> => {
    const context = await (browser ?? fail()).newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      reducedMotion: "reduce",
    });
    return new DeckPage(context, await context.newPage(), `${url()}${path}`);
  };

  return {
    get url() {
      return url();
    },
    get token() {
      return tokenOf(theHome());
    },
    async call<T>(tool: string, args: object = {}, token = tokenOf(theHome())) {
      return request<T>(`${url()}/api/tools/${tool}`, args, token);
    },
    async agent(name, more = {}) {
      const client = await connectHttp(theHome(), { mode: "auto", tools: "all", name });
      return TestAgent.register(client, name, more);
    },
    keepAlive(agents) {
      pulse = setInterval(() => {
        // Whoever has left meanwhile is refused, and that is right.
        for (const { id } of agents) this.call("agent_heartbeat", { agent_id: id }).catch(() => undefined);
      }, 10_000);
    },
    async person(handle, more = {}) {
      await this.call("developer_create", { handle, ...more });
      return (await this.call<{ token: string }>("token_create", { developer: handle })).token;
    },
    async open(path = "/", options = {}) {
      const token = options.token ?? tokenOf(theHome());
      const { url: link } = await request<{ url: string }>(`${url()}/api/login-link`, {}, token);
      const page = await openPage(path, options);
      await page.page.goto(link);
      await page.page.waitForSelector(".frame");
      if (path !== "/") await page.goto(path);
      return page;
    },
    async openSignedOut(path = "/", options = {}) {
      const page = await openPage(path, options);
      await page.page.goto(`${url()}${path}`);
      return page;
    },
    stopServer: () => endProcess((server ?? fail()).pid),
    /** On the port it had: an open page comes back to the same address. */
    async startServer() {
      const port = new URL(url()).port;
      server = await startServe(theHome(), port);
    },
  };
}

/** An agent as the deck sees it from the other side. */
export class TestAgent {
  readonly id: string;
  readonly name: string;
  readonly #client: Client;

  private constructor(client: Client, id: string, name: string) {
    this.#client = client;
    this.id = id;
    this.name = name;
  }

  static async register(client: Client, name: string, more: object): Promise<TestAgent> {
    const { id } = await callOver<{ id: string }>(client, "agent_register", { name, runtime: "claude_code", ...more });
    return new TestAgent(client, id, name);
  }

  call<T = Record<string, unknown>>(tool: string, args: object = {}): Promise<T> {
    return callOver<T>(this.#client, tool, args);
  }
}

async function callOver<T>(client: Client, name: string, args: object): Promise<T> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  if (result.isError) throw new Error(`${name} was refused: ${JSON.stringify(result.structuredContent)}`);
  return result.structuredContent as T;
}

/** A page of the deck that is watched for errors. */
export class DeckPage {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #origin: string;
  readonly #errors: string[] = [];
  #allowed: RegExp[] = [];

  constructor(context: BrowserContext, page: Page, address: string) {
    this.#context = context;
    this.page = page;
    this.#origin = new URL(address).origin;
    page.setDefaultTimeout(patienceMs);
    page.on("console", (message) => {
      if (message.type() === "error") this.#errors.push(`${message.text()} ${message.location().url}`);
    });
    page.on("pageerror", (error) => this.#errors.push(String(error)));
    onTestFinished(async () => {
      await context.close();
      expect(this.#errors.filter((error) => !this.#allowed.some((allowed) => allowed.test(error)))).toEqual([]);
    });
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(`${this.#origin}${path}`);
    await this.page.waitForSelector(".frame h1, .door h1");
  }

  /** Errors that belong to what the test does, such as a server that is gone. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  /** Waits until the text is somewhere on the page. */
  async see(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  press(keys: string): Promise<void> {
    return this.page.keyboard.press(keys);
  }

  async goOffline(isOffline: boolean): Promise<void> {
    await this.#context.setOffline(isOffline);
  }

  /** No violation of WCAG A and AA, neither in light nor in dark, which differ in their colours and in nothing else. */
  async expectAccessible(name: string): Promise<void> {
    if (!(await this.page.evaluate(() => "axe" in window))) await this.page.evaluate(axeSource());
    for (const { colorScheme, runOnly } of lights) {
      await this.page.emulateMedia({ colorScheme });
      const found = await this.page.evaluate(runAxe, runOnly);
      await this.shot(`${name}-${colorScheme}`);
      expect({ name, colorScheme, found }).toEqual({ name, colorScheme, found: [] });
    }
  }

  /** A picture to look at afterwards, for whoever names a folder for them: most runs are watched by nobody. */
  async shot(name: string): Promise<void> {
    const dir = process.env["DECK_SHOTS"];
    if (dir === undefined) return;
    mkdirSync(dir, { recursive: true });
    await this.page.screenshot({ path: join(dir, `${name}.png`) });
  }

  /** Nothing sticks out to the side. */
  async expectNoSidewaysScroll(): Promise<void> {
    const sticking = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sticking).toBeLessThanOrEqual(0);
  }
}

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary?: string }[] }[];
}

/** All rules in light, and in dark those that look at colours. */
const lights = [
  { colorScheme: "light", runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  { colorScheme: "dark", runOnly: ["color-contrast", "link-in-text-block"] },
] as const;

function runAxe(runOnly: readonly string[]): Promise<string[]> {
  const { axe } = window as unknown as { axe: { run(target: Document, options: object): Promise<AxeResult> } };
  return axe
    .run(document, { runOnly, resultTypes: ["violations"] })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`)),
    );
}

let axeText = "";
function axeSource(): string {
  axeText ||= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  return axeText;
}

type BrowserName = "chromium" | "chromium-headless-shell";

const running = new Map<BrowserName, Promise<Browser>>();

/** Starting one takes longer than most tests. It ends with the process, and a new one takes its place if it crashed. */
async function openBrowser(name: BrowserName): Promise<Browser> {
  const browser = running.get(name);
  if (browser && (await browser).isConnected()) return browser;
  const launched = launch(name);
  running.set(name, launched);
  return launched;
}

function launch(name: BrowserName): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? `/usr/bin/${name}`,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

async function request<T>(url: string, body: object, token: string): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { ok: boolean; result: T; error?: { code: string; message: string } };
  if (!answer.ok) throw new Error(`${url} was refused: ${JSON.stringify(answer.error)}`);
  return answer.result;
}

function fail(): never {
  throw new Error("the deck is started before the first test, not before");
}
