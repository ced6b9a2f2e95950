import type { Caller } from "../../src/contract/caller.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { newWorkflow, planOf, taskIds } from "../workflow/work.ts";

export interface Told {
  readonly status: string;
  readonly message: string;
  readonly feedback: { type: string; required_action: string | null };
  readonly data: Record<string, unknown>;
}

let reports = 0;

/** A report of Claude that costs `dollars` at $3 for a million tokens, and that nobody has sent before. */
export const claudeReport = (dollars: number, model = "claude-sonnet-4-5") => {
  reports += 1;
  return {
    source: "claude",
    payload: {
      id: `msg_${reports}`,
      model,
      usage: { input_tokens: Math.round((dollars * 1_000_000) / 3), output_tokens: 0 },
    },
  };
};

export const ingest = (house: TestHouse, args: Record<string, unknown>, by?: Caller): Promise<Told> =>
  house.call<Told>("covibe_ingest_agent_telemetry", args, by);

export async function startSession(house: TestHouse, repo: string, by?: Caller): Promise<string> {
  const { data } = await house.call<Told>(
    "covibe_session",
    { operation: "start", agent_name: "Ada's agent", repo },
    by,
  );
  return String(data["session_id"]);
}

export async function addTask(house: TestHouse, name: string, by?: Caller): Promise<string> {
  const id = await newWorkflow(house, {}, by);
  await house.call("workflow_set_plan", { id, plan: planOf([{ name }]) }, by);
  return (await taskIds(house, id))(name);
}
