import type { ToolEntry } from "../../contract/plain-routes.ts";
import { read } from "./api.ts";
import type { Reading } from "./store.ts";

export const toolsReading: Reading<readonly ToolEntry[]> = {
  key: "tools",
  load: async (signal) => (await read("/api/tools", {}, signal)).tools,
};
