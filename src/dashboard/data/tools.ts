import type { JsonSchema } from "../../contract/json-schema.ts";
import { read } from "./api.ts";
import type { Reading } from "./store.ts";

/** A tool as the catalogue publishes it. */
export interface ToolEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly family: string;
  readonly effect: "read" | "create" | "change" | "destroy";
  readonly inputSchema: JsonSchema;
}

export const toolsReading: Reading<readonly ToolEntry[]> = {
  key: "tools",
  load: async (signal) => (await read<{ tools: ToolEntry[] }>("/api/tools", {}, signal)).tools,
};
