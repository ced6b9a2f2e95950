import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { baseUrlFrom } from "../../adapters/base-url.ts";
import { type Home, homeAt } from "../../adapters/home.ts";
import { companionAt } from "../../companion/places.ts";
import { copyAt } from "../../companion/repository.ts";
import { serverOf } from "../../companion/repository-server.ts";
import { exitCodes } from "../../contract/errors.ts";
import { type Catalogue, parseSelection, type Selection } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import { readCatalogue } from "../catalogue.ts";
import { largestFrame } from "../json-guard.ts";
import { LineReader } from "../mcp/line-reader.ts";
import { isStoreHeld, type LoadProgram } from "../program.ts";
import { Bridge } from "./bridge.ts";
import { connectorFor } from "./connect.ts";
import { Conversation } from "./conversation.ts";
import { rpcErrors } from "./message.ts";
import { type McpOptions, readOptions } from "./options.ts";

/** `crewdeck mcp`: MCP on stdin and stdout until the client is gone. Answers the exit code. */
export async function run(argv: readonly string[], loadProgram: LoadProgram): Promise<number> {
  let prepared: Prepared;
  try {
    prepared = prepare(argv);
  } catch (error) {
    const hint = error instanceof Refusal && error.hint !== undefined ? `\n${error.hint}` : "";
    process.stderr.write(`crewdeck mcp: ${error instanceof Error ? error.message : String(error)}${hint}\n`);
    return exitCodes.usage;
  }
  return prepared.options.inProcess ? serveHere(prepared, loadProgram) : serve(prepared);
}

interface Prepared {
  readonly options: McpOptions;
  readonly home: Home;
  readonly baseUrl: string | undefined;
  readonly catalogue: Catalogue;
  readonly selection: Selection;
}

function prepare(argv: readonly string[]): Prepared {
  const options = readOptions(argv);
  const catalogue = readCatalogue();
  const { tools, exclude, readOnly } = options;
  const home = homeAt(options.home);
  return {
    options,
    home,
    baseUrl: baseUrlFrom(process.env) ?? repositoryServer(home, options.repo ?? process.cwd()),
    catalogue,
    selection: parseSelection(tools, { exclude, readOnly }, catalogue),
  };
}

/** Configurations that several repositories share name no server. */
const repositoryServer = (home: Home, folder: string): string | undefined =>
  serverOf({ companion: companionAt(), home }, copyAt(folder));

/** Everything in this process: for containers and tests, where no second process should live. */
async function serveHere({ home, options }: Prepared, loadProgram: LoadProgram): Promise<number> {
  const [program, { openLog }] = await Promise.all([loadProgram(), import("../stderr-log.ts")]);
  try {
    await program.serveInProcess({ home, log: await openLog("warn"), ask: options });
    return exitCodes.done;
  } catch (error) {
    process.stderr.write(`crewdeck mcp: ${error instanceof Error ? error.message : String(error)}\n`);
    return isStoreHeld(error) ? exitCodes.storeHeld : exitCodes.refused;
  }
}

/** After the client has hung up, what is under way may still finish within this time. */
const farewellMs = 30_000;

// One bridge lives beside every agent: its heap must not keep the size of its busiest moment.
setFlagsFromString("--semi-space-growth-factor=1");

async function serve({ options, home, baseUrl, catalogue, selection }: Prepared): Promise<number> {
  const { stdin, stdout } = process;
  if (stdin.isTTY)
    process.stderr.write("This speaks MCP and is meant to be started by an agent's client. Ctrl-D ends it.\n");
  const isLogging = process.env["MCP_LOG_LEVEL"] === "debug";
  const bridge = new Bridge({
    conversation: new Conversation(catalogue, selection),
    connect: connectorFor({ home, baseUrl, options }),
    write(frame) {
      if (stdout.write(`${frame}\n`)) return;
      bridge.setOutflow(false);
      stdout.once("drain", () => bridge.setOutflow(true));
    },
    setInflow(isOpen) {
      if (stdin.isPaused() !== isOpen) return;
      if (isOpen) stdin.resume();
      else stdin.pause();
    },
    log(message) {
      if (isLogging) process.stderr.write(`crewdeck mcp: ${message}\n`);
    },
  });
  const lines = new LineReader(largestFrame, {
    line: (text) => bridge.receive(text),
    tooLong: (id) => bridge.refuse({ id, code: rpcErrors.invalidRequest, message: tooLong }),
  });
  stdin.on("data", (chunk: Buffer) => lines.push(chunk));
  await clientIsGone();
  // A last line without its end is still a line.
  lines.push(Buffer.from("\n"));
  await Promise.race([bridge.whenIdle(), pause(farewellMs, undefined, { ref: false }), signalled()]);
  bridge.close();
  return exitCodes.done;
}

const tooLong = `A frame has at most ${largestFrame} bytes.`;

/** The client hangs up by closing our stdin or our stdout, or by a signal. */
function clientIsGone(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin
      .once("end", resolve)
      .once("close", resolve)
      .once("error", () => resolve());
    process.stdout.on("error", () => resolve());
    void signalled().then(resolve);
  });
}

let signal: Promise<void> | undefined;

function signalled(): Promise<void> {
  signal ??= new Promise((resolve) => {
    process.once("SIGTERM", () => resolve()).once("SIGINT", () => resolve());
  });
  return signal;
}
