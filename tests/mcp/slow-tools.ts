import { EventEmitter } from "node:events";
import { z } from "zod";
import type { AnyTool } from "../../src/contract/tool.ts";
import { createAgent, type Registration } from "../../src/domain/agent/operations.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { defineTool } from "../../src/tools/define.ts";

/** Tools that take their time: what limits, cancellations, queues and progress are tried on. */

/** Tells the name of a tool as soon as one of its calls is under way. */
export const slowCalls = new EventEmitter();

const pause = (ms: number): Promise<void> => letPass(ms, "the tool takes its time");

const common = { family: "workflow", title: "Slow", summary: "Takes its time.", callers: ["agent"] } as const;
const Milliseconds = z.number().int().min(0).describe("How long.");

const plain: Omit<Registration, "name"> = {
  runtime: "custom",
  role: "worker",
  capabilities: [],
  workspacePath: null,
  metadata: {},
};

const slowRead = defineTool({
  ...common,
  name: "slow_read",
  effect: "read",
  input: z.object({ ms: Milliseconds, tag: z.string().default("").describe("Comes back.") }),
  output: z.object({ tag: z.string() }),
  refusals: [],
  examples: [{ title: "at once", input: { ms: 0 } }],
  async handle({ ms, tag }) {
    await pause(ms);
    return { tag };
  },
});

const slowWrite = defineTool({
  ...common,
  name: "slow_write",
  effect: "create",
  limits: { timeoutMs: 30_000 },
  input: z.object({ ms: Milliseconds, name: z.string().describe("The name of the agent it makes.") }),
  output: z.object({ id: z.string() }),
  refusals: [],
  examples: [{ title: "at once", input: { ms: 0, name: "Ada" } }],
  async handle({ ms, name }, work) {
    const { id } = await createAgent(work, { name, ...plain });
    slowCalls.emit("slow_write");
    await pause(ms);
    return { id };
  },
});

const lateWrite = defineTool({
  ...common,
  name: "late_write",
  effect: "create",
  input: z.object({ ms: Milliseconds, name: z.string().describe("The name of the agent it makes.") }),
  output: z.object({ id: z.string() }),
  refusals: [],
  examples: [{ title: "at once", input: { ms: 0, name: "Ada" } }],
  async handle({ ms, name }, work) {
    await pause(ms);
    return { id: (await createAgent(work, { name, ...plain })).id };
  },
});

/** Looks at the world outside, slowly, before it begins. */
const slowLook = defineTool({
  ...common,
  name: "slow_look",
  effect: "create",
  input: z.object({ ms: Milliseconds, name: z.string().describe("The name of the agent it makes.") }),
  output: z.object({ id: z.string() }),
  refusals: [],
  examples: [{ title: "at once", input: { ms: 0, name: "Ada" } }],
  observe: ({ ms }) => pause(ms),
  async handle({ name }, work) {
    return { id: (await createAgent(work, { name, ...plain })).id };
  },
});

const progressing = defineTool({
  ...common,
  name: "progressing",
  effect: "read",
  input: z.object({ steps: z.number().int().describe("How many."), ms: Milliseconds }),
  output: z.object({ steps: z.number() }),
  refusals: [],
  examples: [{ title: "one step", input: { steps: 1, ms: 0 } }],
  async handle({ steps, ms }, work) {
    for (let step = 1; step <= steps; step += 1) {
      work.progress(step, steps, `step ${step}`);
      await pause(ms);
    }
    return { steps };
  },
});

const failing = defineTool({
  ...common,
  name: "failing",
  effect: "read",
  input: z.object({}),
  output: z.object({}),
  refusals: [],
  examples: [{ title: "always", input: {} }],
  async handle(): Promise<never> {
    throw new Error("the secret path /srv/hidden is broken");
  },
});

export const slowTools: readonly AnyTool[] = [slowRead, slowWrite, lateWrite, slowLook, progressing, failing];
