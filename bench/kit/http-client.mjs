import { Agent, request as httpRequest } from "node:http";
import { checkAnswer, initializeParams, modernMeta, modernVersion, request } from "./rpc.mjs";

/** One kept connection to a server. */
export class HttpClient {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #origin;
  #headers;

  constructor(origin, token) {
    this.#origin = origin;
    this.#headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
  }

  /** Sends JSON and answers status, headers and the text that came back. */
  post(path, body, headers = {}) {
    const text = JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const asking = httpRequest(`${this.#origin}${path}`, {
        method: "POST",
        agent: this.#agent,
        headers: { ...this.#headers, "content-length": Buffer.byteLength(text), ...headers },
      });
      asking.once("error", reject);
      asking.once("response", (response) => {
        let answer = "";
        response.setEncoding("utf8").on("data", (part) => {
          answer += part;
        });
        response.once("error", reject);
        response.once("end", () => resolve({ status: response.statusCode, headers: response.headers, text: answer }));
      });
      asking.end(text);
    });
  }

  /** One tool over plain HTTP. */
  async callTool(name, args) {
    const { status, text } = await this.post(`/api/tools/${name}`, args);
    if (status !== 200) throw new Error(`a call was refused with ${status}: ${text.slice(0, 300)}`);
    return JSON.parse(text).result;
  }

  /** A session of the era with a handshake; answers how to call a tool in it. */
  async openSession(path = "/mcp") {
    const opened = await this.post(path, request(0, "initialize", initializeParams));
    const headers = { "mcp-session-id": opened.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25" };
    await this.post(path, { jsonrpc: "2.0", method: "notifications/initialized" }, headers);
    let lastId = 0;
    return async (name, args) => {
      lastId += 1;
      return readAnswer(await this.post(path, request(lastId, "tools/call", { name, arguments: args }), headers));
    };
  }

  /** How to call a tool in the era without one. */
  openStateless(path = "/mcp") {
    let lastId = 0;
    return async (name, args) => {
      lastId += 1;
      const headers = { "mcp-protocol-version": modernVersion, "mcp-method": "tools/call", "mcp-name": name };
      const params = { name, arguments: args, _meta: modernMeta };
      return readAnswer(await this.post(path, request(lastId, "tools/call", params), headers));
    };
  }

  close() {
    this.#agent.destroy();
  }
}

/** Servers answer as plain JSON or as a stream of one event. */
function readAnswer({ status, headers, text }) {
  if (status !== 200) throw new Error(`a call was refused with ${status}: ${text.slice(0, 300)}`);
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  const json = isStream
    ? text
        .split("\n")
        .find((line) => line.startsWith("data: {"))
        ?.slice(6)
    : text;
  return checkAnswer(JSON.parse(json ?? "{}"));
}
