import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { apiAt } from "../../src/transports/cli/api.ts";

test("[CL98] a server that says nothing is given up, and the command says that it cannot be reached", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close().closeAllConnections());
  await once(silent, "listening");
  const origin = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const context = { home: homeAt("/nowhere"), env: {} };
  const api = apiAt(origin, context, () => "cdk_x", 200);
  for (const asked of [api.read("/api/me", {}), api.call("agent_list", {}), api.post("/api/login-link", {})]) {
    await expect(asked).rejects.toMatchObject({
      code: "SERVER_UNREACHABLE",
      message: `The server at ${origin} cannot be reached (no response in time).`,
    });
  }
});
