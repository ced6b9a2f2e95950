import { Refusal } from "../contract/refusal.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { HouseSettings } from "./house.ts";

const defaultTimeoutMs = 120_000;
/** A timer that is set for longer goes off at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * How long a call may take (MC60): the tool's own setting, the global one, the default of the operation or the tool,
 * then 120 s. Zero means no limit.
 */
export function timeoutOf(settings: HouseSettings, tool: AnyTool, input: Readonly<Record<string, unknown>>): number {
  const operation = tool.operations?.[String(input["operation"])];
  const ownMs = operation?.limits?.timeoutMs ?? tool.limits?.timeoutMs;
  return settings.toolTimeoutsMs[tool.name] ?? settings.timeoutMs ?? ownMs ?? defaultTimeoutMs;
}

interface TimeLimit {
  /** Aborts with a refusal as its reason: TOOL_TIMEOUT on expiry, CANCELLED when the caller gave up. */
  readonly signal: AbortSignal;
  clear(): void;
}

export function limitTime(
  { settings, tool, input }: { settings: HouseSettings; tool: AnyTool; input: Readonly<Record<string, unknown>> },
  caller: AbortSignal | undefined,
): TimeLimit {
  const controller = new AbortController();
  const timeoutMs = timeoutOf(settings, tool, input);
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
