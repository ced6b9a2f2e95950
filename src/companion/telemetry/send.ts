import { setTimeout as pause } from "node:timers/promises";
import { callTool, ServerRefusal, type Target } from "../server.ts";

export interface Sent {
  /** `refused` reports are broken and stay so; `unsent` ones may go another time. */
  readonly outcome: "recorded" | "repeated" | "refused" | "unsent";
  readonly reason?: string;
  readonly tokens: number;
}

interface Report {
  readonly source: string;
  readonly payload: unknown;
  readonly submitted_cost_usd?: number;
  readonly session_id?: string;
  readonly task_id?: string;
}

const pauses = [100, 400, 1_600];
const limitMs = 10_000;

/** What will not be different the next time. */
const final = ["INVALID_INPUT", "INVALID_REQUEST", "TOO_LARGE"];
/** Its session or task is not there, or not ours: what was used was used all the same. */
const unlinked = ["SESSION_NOT_FOUND", "TASK_NOT_FOUND", "FORBIDDEN", "INVALID_STATE"];

/** Sends one report until the server has answered. It counts the same report once, so that nothing is lost by trying. */
export async function sendReport(target: Target, report: Report, madeBy: "transcript" | "inbox"): Promise<Sent> {
  let reason = "";
  let asked = report;
  for (const wait of [...pauses, 0]) {
    try {
      const signal = AbortSignal.timeout(limitMs);
      const { data } = await callTool({ ...target, madeBy }, "covibe_ingest_agent_telemetry", asked, { signal });
      const { total } = (data["counters"] ?? {}) as { total?: number };
      return { outcome: data["repeated"] === true ? "repeated" : "recorded", tokens: total ?? 0 };
    } catch (error) {
      reason = (error as Error).message;
      if (error instanceof ServerRefusal) {
        if (final.includes(error.code)) return { outcome: "refused", reason, tokens: 0 };
        if (unlinked.includes(error.code) && (asked.session_id ?? asked.task_id) !== undefined) {
          asked = { source: report.source, payload: report.payload };
          continue;
        }
        if (error.code === "UNAUTHORIZED") return { outcome: "unsent", reason, tokens: 0 };
      }
      if (wait > 0) await pause(wait);
    }
  }
  return { outcome: "unsent", reason, tokens: 0 };
}
