import fc from "fast-check";
import type { TaskMission } from "../../src/domain/context/task-context.ts";
import { text } from "./text-samples.ts";

const receipt = fc.record({
  changes: fc.record({
    added: fc.array(text(80), { maxLength: 60 }),
    modified: fc.array(text(80), { maxLength: 10 }),
    deleted: fc.array(text(80), { maxLength: 10 }),
  }),
  level: fc.constantFrom("self-reported", "verified", "reproduced"),
  scopeMatch: fc.boolean(),
  metadata: fc.constantFrom({}, { tests_status: "passed" }),
});

/** Anything that can be found out about a mission. */
export const taskMission = fc.record({
  brief: fc.record({ objective: text(20_000), currentPhase: fc.nat(20), totalPhases: fc.nat(20) }),
  phase: fc.option(fc.record({ number: fc.nat(1_000), name: text(200) })),
  blockers: fc.array(fc.record({ id: fc.constant("cp_01hzy3v7k9x2m4n6p8q0rstuvw"), summary: text(10_000) }), {
    maxLength: 5,
  }),
  failing: fc.array(
    fc.record({
      taskName: text(200),
      result: fc.record({ name: fc.constant("unit"), status: fc.constant("failed"), lastLines: text(4_000) }),
    }),
    { maxLength: 10 },
  ),
  receipt: fc.option(receipt),
}) as unknown as fc.Arbitrary<TaskMission>;
