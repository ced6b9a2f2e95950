/**
 * What opencode loads into its own process. It has no time limits there, so the plugin keeps them: whatever happens to
 * the hook, the tool goes on.
 */
export const opencodePlugin = `// Written by \`crewdeck setup\`; \`crewdeck setup --remove\` removes it.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const hook = join(homedir(), ".covibe", "bin", "hook");
const limitMs = 1500;

function ask(payload) {
  return new Promise((settle) => {
    try {
      accessSync(hook, constants.X_OK);
      const child = spawn(hook, ["opencode"], { stdio: ["pipe", "pipe", "ignore"] });
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        settle({});
      }, limitMs);
      let out = "";
      child.stdout.on("data", (chunk) => (out += chunk));
      child.stdin.on("error", () => {});
      child.on("error", () => settle({}));
      child.on("close", () => {
        clearTimeout(timer);
        try {
          settle(JSON.parse(out || "{}"));
        } catch {
          settle({});
        }
      });
      child.stdin.end(JSON.stringify(payload));
    } catch {
      settle({});
    }
  });
}

export const Crewdeck = async ({ directory }) => {
  const contexts = new Map();
  const send = (event, sessionID, more = {}) => ask({ event, sessionID, cwd: directory, ...more });
  const begin = async (sessionID) => {
    if (!sessionID || contexts.has(sessionID)) return;
    contexts.set(sessionID, "");
    const { context } = await send("session.created", sessionID);
    if (context) contexts.set(sessionID, context);
  };
  return {
    event: async ({ event }) => {
      const { type, properties = {} } = event;
      const sessionID = properties.sessionID ?? properties.info?.sessionID;
      if (type === "session.idle" || type === "permission.asked") await send(type, sessionID);
      if (type === "message.updated" && properties.info?.role === "assistant" && properties.info.time?.completed) {
        const { id, modelID, providerID, cost, tokens } = properties.info;
        await send(type, sessionID, { message: { id, modelID, providerID, cost, tokens } });
      }
    },
    "chat.message": async ({ sessionID }) => {
      await begin(sessionID);
      await send("chat.message", sessionID);
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const { deny } = await send("tool.execute.before", sessionID, { input: { tool, sessionID, callID }, output: { args: output.args } });
      if (deny) throw new Error(deny);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }) => {
      await send("tool.execute.after", sessionID, { input: { tool, sessionID, callID, args } });
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const context = contexts.get(sessionID);
      if (context) output.system.push(context);
    },
  };
};
`;
