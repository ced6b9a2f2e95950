import { spawn } from "node:child_process";
import type { Companion } from "../places.ts";
import { type Fact, type Finding, failed, ok, warning } from "./finding.ts";

const limitMs = 10_000;
const slowMs = 1_000;

/** A payload that no client sends: the hook reads it, does nothing and says nothing. */
const sample = JSON.stringify({ session_id: "doctor", transcript_path: "-", hook_event_name: "Doctor", cwd: "/" });

export async function tryHook({ hookFile }: Companion): Promise<Finding> {
  const began = performance.now();
  const { code, output } = await run(hookFile, ["claude-code"], sample);
  const took = Math.round(performance.now() - began);
  const again = "Run: crewdeck setup";
  if (code !== 0 || output !== "") return failed("hook", `${hookFile} does not work`, again, hookIs("broken"));
  if (took > slowMs)
    return warning(
      "hook",
      `answers in ${took} ms`,
      "Clients wait for it at every edit: is this machine busy?",
      hookIs("slow"),
    );
  return ok("hook", `answers in ${took} ms`, hookIs("works"));
}

export const movedHook = (): Finding =>
  warning("hook", "belongs to another installation", "Run: crewdeck doctor --fix", hookIs("moved"));

const hookIs = (state: Fact["state"]): Fact => ({ check: "hook", state });

/** The bridge answers a handshake by itself, so that no server has to run. */
export async function tryServer({ mcpFile }: Companion): Promise<Finding> {
  const hello = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "doctor", version: "1" } },
  };
  const { output } = await run(mcpFile, [], `${JSON.stringify(hello)}\n`);
  return output.includes('"serverInfo"')
    ? ok("bridge", "answers", { check: "bridge", state: "works" })
    : failed("bridge", `${mcpFile} does not work`, "Run: crewdeck setup", { check: "bridge", state: "broken" });
}

function run(file: string, args: readonly string[], input: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ["pipe", "pipe", "ignore"], timeout: limitMs });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stdin.on("error", () => undefined);
    child.once("error", () => resolve({ code: null, output }));
    child.once("close", (code) => resolve({ code, output }));
    child.stdin.end(input);
  });
}
