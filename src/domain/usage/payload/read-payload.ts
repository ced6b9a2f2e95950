import type { Reading, Source } from "../model.ts";
import { readAnthropic } from "./anthropic.ts";
import { readCursor } from "./cursor.ts";
import type { Fields } from "./fields.ts";
import { readOpenAi } from "./openai.ts";
import { readOtel } from "./otel.ts";
import { readProxy } from "./proxy.ts";

const readers: Readonly<Record<Source, (payload: Fields) => Reading>> = {
  claude: readAnthropic,
  "claude-code": readAnthropic,
  anthropic: readAnthropic,
  codex: readOpenAi,
  openai: readOpenAi,
  cursor: readCursor,
  provider: readProxy,
  proxy: readProxy,
  otel: readOtel,
};

/**
 * The counters a payload holds, read by its source's own rules, or those that its sender has counted. Nothing else of
 * it is looked at.
 */
export const readPayload = (source: Source, payload: Fields): Reading =>
  Object.hasOwn(payload, "direct_counts") ? readProxy(payload) : readers[source](payload);
