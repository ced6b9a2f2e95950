import { Refusal } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { HouseSettings } from "./house.ts";

const defaultTimeoutMs = 120_000;
/** A timer that is set for longer goes off at once. */
const longestTimerMs = 2 ** 31 - 1;

/** How long a tool may take (MC60): its own setting, the global one, its own default, then 120 s. Zero means no limit. */
export const timeoutOf = (settings: HouseSettings, tool: AnyTool): number =>
  settings.toolTimeoutsMs[tool.name] ?? settings.timeoutMs ?? tool.limits?.timeoutMs ?? defaultTimeoutMs;

interface TimeLimit {
  /** Aborts with a refusal as its reason: TOOL_TIMEOUT on expiry, CANCELLED when the caller gave up. */
  readonly signal: AbortSignal;
  clear(): void;
}

export function limitTime(settings: HouseSettings, tool: AnyTool, caller: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const timeoutMs = timeoutOf(settings, tool);
  const timer =
    timeoutMs > 0
      ? setTimeout(
          () => {
            controller.abort(
              new Refusal("TOOL_TIMEOUT", `${tool.name} took longer than ${timeoutMs} ms.`, undefined, { timeoutMs }),
            );
          },
          Math.min(timeoutMs, longestTimerMs),
        )
      : undefined;
  const cancel = () => controller.abort(new Refusal("CANCELLED", "The call was cancelled."));
  if (caller?.aborted) cancel();
  caller?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", cancel);
    },
  };
}
