import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import type { Frame } from "./bridge-process.ts";

/** One connection of a bridge, and what it has said on it. */
export class ScriptedPipe {
  readonly headers: IncomingHttpHeaders;
  readonly frames: Frame[] = [];
  /** What arrived at once. */
  readonly packets: string[] = [];
  readonly #socket: Duplex;

  constructor(headers: IncomingHttpHeaders, socket: Duplex, onFrame: (frame: Frame, pipe: ScriptedPipe) => void) {
    this.headers = headers;
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.packets.push(chunk.toString()));
    createInterface({ input: socket }).on("line", (line) => {
      const frame = JSON.parse(line) as Frame;
      this.frames.push(frame);
      onFrame(frame, this);
    });
  }

  say(frame: object): void {
    this.#socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
  }

  /** Half a frame and then nothing: what a killed process leaves behind. */
  dieIn(frame: string): void {
    this.#socket.write(frame, () => this.#socket.destroy());
  }

  die(): void {
    this.#socket.destroy();
  }
}

export interface ScriptedServer {
  readonly url: string;
  readonly pipes: readonly ScriptedPipe[];
}

/**
 * The far end of the pipe, played by the test: for moments that a real server passes too quickly. Greetings are
 * answered; every other frame goes to the script.
 */
export async function startScript(
  script: (frame: Frame, pipe: ScriptedPipe) => void,
  refuse?: () => { status: number; body: object } | undefined,
): Promise<ScriptedServer> {
  const pipes: ScriptedPipe[] = [];
  const server = createServer();
  server.on("upgrade", (request, socket: Duplex) => {
    socket.on("error", () => undefined);
    const refusal = refuse?.();
    if (refusal) {
      const body = JSON.stringify(refusal.body);
      socket.end(`HTTP/1.1 ${refusal.status} No\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      return;
    }
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: crewdeck-pipe\r\n\r\n");
    pipes.push(
      new ScriptedPipe(request.headers, socket, (frame, pipe) => {
        if (frame.method === "initialize" && frame.id != null) pipe.say({ id: frame.id, result: {} });
        else script(frame, pipe);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const pipe of pipes) pipe.die();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, pipes };
}
