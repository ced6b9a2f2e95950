import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Teammate } from "./teammate.ts";

/** A mission in its second of three phases: one task is proven, one strayed from its scope, one waits for a person. */
export async function playMission(cleo: Teammate, folder: string): Promise<{ readonly asking: string }> {
  const { mission_id } = await cleo.call("start_mission", {
    name: "Sign in with passkeys",
    objective: "People sign in without a password.",
    total_phases: 3,
  });
  const begin = async (
    name: string,
    goal: string,
    phase: number,
    phase_name: string,
    areas: string[],
  ): Promise<string> => {
    const task = {
      mission_id,
      name,
      goal,
      phase,
      phase_name,
      areas,
      agent_name: "Cleo's Cursor",
      repository_path: folder,
    };
    const { task_id } = await cleo.call("start_task", task);
    await cleo.call("task_claim", { task_id, agent_id: cleo.sessionId });
    return task_id;
  };
  const end = (task_id: string, summary: string, more: object = {}) =>
    cleo.call("complete_task", {
      task_id,
      status: "success",
      outcome: { summary },
      metadata: { tests_status: "passed" },
      ...more,
    });

  const keys = await begin("Store public keys", "Keys are kept with the account.", 1, "Server", ["auth"]);
  writeFileSync(join(folder, "src/auth/keys.ts"), "export const keys = new Map();\n");
  await cleo.call("log_decision", {
    task_id: keys,
    category: "architecture",
    question: "Where do the keys live?",
    options_considered: ["their own table", "the account's row"],
    chosen: "their own table",
    reasoning: "A person has several devices.",
  });
  await cleo.call("log_milestone", { task_id: keys, message: "Keys are stored and read back", progress: 35 });
  await end(keys, "Keys are stored in a table of their own.", { phase_complete: true });

  const challenge = await begin("Answer the challenge", "The server checks what the device signs.", 2, "Sign-in", [
    "auth",
  ]);
  writeFileSync(join(folder, "src/auth/challenge.ts"), "export const challenge = () => 1;\n");
  writeFileSync(join(folder, "src/checkout/prices.ts"), "export const prices = [1];\n");
  await end(challenge, "The challenge is answered; a price had to change for a test.");

  const page = await begin("Ask for the passkey", "The sign-in page asks for it.", 2, "Sign-in", ["auth"]);
  await cleo.call("log_milestone", { task_id: page, message: "The page asks on two browsers", progress: 60 });
  await cleo.call("log_issue", {
    task_id: page,
    type: "unclear_requirement",
    description: "Must it work on the browser of the shop's tablets?",
    resolution: "Waits for an answer.",
    requires_human_review: true,
  });
  return { asking: page };
}
