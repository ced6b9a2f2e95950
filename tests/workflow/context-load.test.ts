import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { NoteId, TaskId } from "../../src/contract/ids.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { openTestHouse, type TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { bring, oneTask, planned } from "./work.ts";

interface Answer {
  readonly workflow: Record<string, unknown>;
  readonly current_task: Record<string, unknown> & {
    checkpoints: { sequence: number; detail?: unknown }[];
    highlights: { sequence: number }[];
    files_changed: string[];
  };
  readonly prior_tasks: { name: string; outcome: string; description?: string }[];
  readonly sibling_tasks?: { name: string }[];
  readonly dependency_outcomes?: { task_name: string }[];
  readonly omitted: { section: string; omitted?: number; shortened?: number; characters?: number }[];
  readonly token_estimate: number;
}

interface Kept {
  readonly kept: number;
  readonly all: number;
}
type Recovery = Readonly<Record<"decisions" | "files" | "next_steps", Kept>> & {
  readonly max_tokens: number;
  readonly missing?: {
    readonly decisions: readonly { readonly summary: string }[];
    readonly files: readonly string[];
    readonly next_steps: readonly string[];
  };
};
interface Week {
  readonly summary: { readonly markdown: string; readonly recoveries: unknown };
}

const load = (house: TestHouse, taskId: string, ask: Record<string, unknown> = {}): Promise<Answer> =>
  house.call<Answer>("task_load_context", { task_id: taskId, ...ask });

const realTokens = (value: unknown): number =>
  countTokens(JSON.stringify(value), { disallowedSpecial: new Set<string>() });

const note = (house: TestHouse, taskId: string, type: string, summary: string, ask: Record<string, unknown> = {}) =>
  house.call<{ id: string }>("checkpoint_add", { task_id: taskId, type, summary, ...ask });

const plan = { approach: "Test first", steps: ["Test", "Code"] };

forEachStillStore("going on with a task", (open) => {
  test("[CX5] all there is to know comes in one answer", async () => {
    const house = await open();
    const { id, task } = await planned(
      house,
      [
        { name: "earlier", sequence: 1 },
        { name: "this", sequence: 2, parallel_group: "pair", depends_on: ["earlier"] },
        { name: "beside", sequence: 2, parallel_group: "pair" },
        { name: "later", sequence: 3 },
      ],
      { name: "The work", source_content: "Please do it.", max_parallel_tasks: 2 },
    );
    await bring(house, task("earlier"), "completed");
    await house.call("task_set_plan", { id: task("this"), plan, context: { ticket: 7 } });
    await bring(house, task("this"), "in_progress");
    await bring(house, task("beside"), "in_progress");
    const first = await note(house, task("this"), "decision", "Use a tree", { detail: { why: "speed" } });
    const second = await note(house, task("this"), "progress", "Half done", { files_changed: ["a.ts", "b.ts"] });
    const answer = await load(house, task("this"));
    expect(answer).toEqual({
      workflow: {
        id,
        name: "The work",
        source_type: "prompt",
        source_summary: "Please do it.",
        plan_summary: "A summary",
        status: "ready",
        max_parallel_tasks: 2,
      },
      current_task: {
        id: task("this"),
        name: "this",
        status: "in_progress",
        description: "Do this.",
        plan,
        context: { ticket: 7 },
        highlights: [],
        checkpoints: [
          {
            id: first.id,
            type: "decision",
            sequence: 1,
            summary: "Use a tree",
            detail: { why: "speed" },
            files_changed: [],
            created_at: momentAt(0),
          },
          {
            id: second.id,
            type: "progress",
            sequence: 2,
            summary: "Half done",
            files_changed: ["a.ts", "b.ts"],
            created_at: momentAt(0),
          },
        ],
        files_changed: ["a.ts", "b.ts"],
      },
      prior_tasks: [{ id: task("earlier"), name: "earlier", outcome: "It works.", status: "completed" }],
      sibling_tasks: [{ id: task("beside"), name: "beside", status: "in_progress", brief_summary: "Do beside." }],
      dependency_outcomes: [{ task_id: task("earlier"), task_name: "earlier", outcome: "It works." }],
      omitted: [],
      token_estimate: answer.token_estimate,
    });
    expect(answer.token_estimate).toBeGreaterThanOrEqual(realTokens(answer));
    expect(answer.token_estimate - realTokens(answer)).toBeLessThanOrEqual(1);
  });

  test("[CX6] nothing of a plan that was given up, and nothing cancelled, ever comes back", async () => {
    const house = await open();
    const { task } = await planned(house, [
      { name: "voided before", sequence: 1 },
      { name: "voided sibling", sequence: 2, parallel_group: "g" },
      { name: "replanned before", sequence: 1 },
      { name: "this", sequence: 2, parallel_group: "g", depends_on: ["voided before"] },
    ]);
    const id = task("this");
    for (const name of ["voided before", "voided sibling"]) await bring(house, task(name), "skipped");
    const other = task("replanned before");
    await house.call("task_set_plan", { id: other, plan: { approach: "OLD", steps: ["OLD"] } });
    await bring(house, other, "in_progress");
    await house.call("task_update_status", { id: other, status: "failed", error: "OLD", outcome: "OLD" });
    await house.call("task_replan", { id: other, reason: "Try again", new_plan: plan });
    await house.call("task_set_plan", {
      id,
      plan: { approach: "OLD", steps: ["OLD"], files_to_modify: ["OLD.ts"], context_needed: ["OLD"] },
    });
    await bring(house, id, "in_progress");
    for (const type of ["plan", "progress", "decision", "error", "recovery", "complete"]) {
      await note(house, id, type, "OLD", { detail: { OLD: "OLD" }, files_changed: ["OLD.ts"] });
    }
    await house.call("task_update_status", { id, status: "failed", error: "OLD", outcome_detail: { OLD: 1 } });
    await house.call("task_replan", { id, reason: "A new way", new_plan: plan });
    await note(house, id, "decision", "New decision", { files_changed: ["new.ts"] });
    const everything = { all_checkpoints: true, prior_task_full: true, recent_checkpoints: 100 };
    for (const include of [{}, everything, { ...everything, recent_checkpoints: 0 }]) {
      const answer = await load(house, id, { include, max_tokens: 50_000 });
      expect(JSON.stringify(answer)).not.toMatch(/OLD|voided/);
      expect(answer.current_task).toMatchObject({ plan, files_changed: ["new.ts"] });
      expect(JSON.stringify(answer)).toContain("New decision");
      expect(answer.omitted).toEqual([]);
    }
  });

  test("[CX15, CX16, LG21] how much of a task came back to an agent is measured, listed and summed over a week", async () => {
    const house = await open();
    const id = await oneTask(house);
    await house.call("task_set_plan", { id, plan: { approach: "Test first", steps: ["Given up"] } });
    await bring(house, id, "in_progress");
    await note(house, id, "decision", "A decision of the plan that was given up");
    await house.call("task_update_status", { id, status: "failed", error: "No" });
    await house.call("task_replan", { id, reason: "A new way", new_plan: plan });
    for (let at = 0; at < 12; at += 1) {
      const summary = `Decision ${at}: ${"because of this and that. ".repeat(12)}`;
      await note(house, id, "decision", summary, { files_changed: [`src/part-${at}.ts`] });
    }
    const recover = async (max_tokens: number, madeBy?: "deck" | "hook") => {
      house.clock.advance(1);
      const call = { tool: "task_load_context", args: { task_id: id, max_tokens }, caller: house.owner };
      const reply = await dispatch(house.house, { ...call, transport: "http", madeBy });
      expect(reply.ok).toBe(true);
    };
    const measured = async () => (await house.entries()).filter(({ kind }) => kind === "recovery.measured");
    await recover(500, "deck");
    expect(await measured()).toEqual([]);

    await recover(500);
    await recover(40_000, "hook");
    expect(await measured()).toHaveLength(2);
    const list = () => house.call<{ recoveries: Recovery[] }>("recovery_list", { task_id: id });
    const { recoveries } = await list();
    const [whole, tight] = recoveries;
    expect(whole).toMatchObject({ max_tokens: 40_000, files: { kept: 12, all: 12 }, next_steps: { kept: 2, all: 2 } });
    // Five of the newest in full and no more as lines, unless old ones are asked for.
    expect(whole?.decisions).toEqual({ kept: 5, all: 12 });
    expect(tight).toMatchObject({ max_tokens: 500, decisions: { all: 12 }, next_steps: { kept: 2, all: 2 } });
    expect(tight?.decisions.kept).toBeLessThan(5);
    expect(tight?.files.kept).toBeLessThan(12);
    const named = tight?.missing?.decisions.length ?? 0;
    expect([named, tight?.missing?.files.length]).toEqual([
      12 - (tight?.decisions.kept ?? 0),
      12 - (tight?.files.kept ?? 0),
    ]);
    expect(whole?.missing).toMatchObject({ files: [], next_steps: [] });
    const [, last] = await measured();
    expect(last).toMatchObject({ subject: id, data: { budget: 40_000, decisions: 12, decisions_kept: 5 } });
    expect(JSON.stringify(last?.data)).not.toMatch(/[Dd]ecision \d|part-/);

    const { caller: bob } = await house.developer("bob", { private: true });
    const secret = await oneTask(house, bob);
    expect(await house.refusal("recovery_list", { task_id: secret })).toBe("TASK_NOT_FOUND");

    const summary = () => house.call<Week>("summary_create").then(({ summary }) => summary);
    const week = await summary();
    const [decisions, files] = [whole, tight].map((one) => [one?.decisions.kept ?? 0, one?.files.kept ?? 0] as const);
    const kept = [0, 1].map((at) => (decisions?.[at] ?? 0) + (files?.[at] ?? 0));
    expect(week.recoveries).toMatchObject({ count: 2, decisions: { kept: kept[0], all: 24 } });
    expect(week.markdown).toContain(
      `## Recovered contexts (2)\n\n- ${kept[0]} of 24 decisions\n- ${kept[1]} of 24 files\n- 4 of 4 next steps`,
    );
    house.clock.advance(8 * 86_400_000);
    expect((await summary()).markdown).not.toContain("Recovered");
  });

  test("[CX17, CX6] what did not come back is named: only places are kept, and only what is in force is shown", async () => {
    const house = await open();
    const id = await oneTask(house);
    const steps = ["First step", `Long step ${"word ".repeat(300)}`];
    await house.call("task_set_plan", { id, plan: { approach: "Test first", steps } });
    await bring(house, id, "in_progress");
    for (let at = 0; at < 9; at += 1) {
      const summary = `Decision ${at}: ${"because of this and that. ".repeat(12)}`;
      await note(house, id, "decision", summary, { files_changed: [`src/part-${at}.ts`] });
    }
    await load(house, id, { max_tokens: 500 });
    const listed = async () => {
      // What was measured is written behind the answer.
      await house.entries();
      return (await house.call<{ recoveries: Recovery[] }>("recovery_list", { task_id: id })).recoveries[0];
    };
    const missing = (await listed())?.missing;
    expect(missing?.files).toContain("src/part-0.ts");
    expect(missing?.decisions.at(-1)?.summary).toMatch(/^Decision 0: because.{180,190}…$/);
    expect(missing?.next_steps).toEqual([expect.stringMatching(/^Long step word .*…$/)]);

    const entry = (await house.entries()).findLast(({ kind }) => kind === "recovery.measured");
    expect(JSON.stringify(entry?.data)).not.toMatch(/part-|[Dd]ecision \d|word/);

    // What was given up is not brought back by what is said of it.
    await house.call("task_update_status", { id, status: "failed", error: "No" });
    await house.call("task_replan", { id, reason: "A new way", new_plan: plan });
    expect((await listed())?.missing).toEqual({ decisions: [], files: [], next_steps: [] });
    house.clock.advance(1);
    await load(house, id, { max_tokens: 40_000 });
    expect(await listed()).not.toHaveProperty("missing");
  });

  test("[CX7] the newest so many checkpoints come in full, older decisions and open errors as lines", async () => {
    const house = await open();
    const id = await oneTask(house);
    const kinds = ["error", "recovery", "decision", "progress", "error", "progress", "progress", "progress"];
    for (const [at, kind] of kinds.entries()) await note(house, id, kind, `${kind} ${at + 1}`, { detail: { at } });
    const shown = async (include: Record<string, unknown>) => {
      const { current_task: task, omitted } = await load(house, id, { include });
      expect(omitted).toEqual([]);
      return {
        full: task.checkpoints.filter((one) => one.detail !== undefined).map((one) => one.sequence),
        all: task.checkpoints.map((one) => one.sequence),
        highlights: task.highlights,
      };
    };
    const decision = { type: "decision", sequence: 3, summary: "decision 3" };
    const error = { type: "error", sequence: 5, summary: "error 5" };
    expect(await shown({})).toEqual({ full: [4, 5, 6, 7, 8], all: [4, 5, 6, 7, 8], highlights: [decision] });
    expect(await shown({ recent_checkpoints: 2 })).toEqual({
      full: [7, 8],
      all: [7, 8],
      highlights: [decision, error],
    });
    expect(await shown({ recent_checkpoints: 0 })).toEqual({ full: [], all: [], highlights: [decision, error] });
    expect(await shown({ recent_checkpoints: 2, all_checkpoints: true })).toEqual({
      full: [7, 8],
      all: [1, 2, 3, 4, 5, 6, 7, 8],
      highlights: [],
    });
  });

  test("[CX8] what is not wanted is not there, and not missed", async () => {
    const house = await open();
    const { task } = await planned(house, [
      { name: "before" },
      { name: "this", sequence: 2, parallel_group: "g", depends_on: ["before"] },
      { name: "beside", sequence: 2, parallel_group: "g" },
    ]);
    const without = {
      workflow_plan: false,
      workflow_summary: false,
      prior_task_outcomes: false,
      sibling_status: false,
      dependency_outcomes: false,
      recent_checkpoints: 0,
    };
    const answer = await load(house, task("this"), { include: without });
    expect(answer.workflow).toMatchObject({ source_summary: "", plan_summary: "" });
    expect(answer).toMatchObject({ prior_tasks: [], omitted: [] });
    expect(answer).not.toHaveProperty("sibling_tasks");
    expect(answer).not.toHaveProperty("dependency_outcomes");
  });

  test("[CX8] earlier tasks come in short, or in full when asked for", async () => {
    const house = await open();
    const { task } = await planned(house, [{ name: "before" }, { name: "this", sequence: 2 }]);
    await bring(house, task("before"), "in_progress");
    const outcome = "word ".repeat(200).trim();
    const done = { status: "completed", outcome, outcome_detail: { commit: "abc" } };
    await house.call("task_update_status", { id: task("before"), ...done });
    const short = await load(house, task("this"));
    expect(short.prior_tasks[0]?.outcome.length).toBe(300);
    expect(short.prior_tasks[0]).not.toHaveProperty("description");
    expect(short.omitted).toEqual([{ section: "prior_tasks", shortened: 1, characters: outcome.length - 300 }]);
    const full = await load(house, task("this"), { include: { prior_task_full: true } });
    expect(full.prior_tasks).toMatchObject([{ outcome, description: "Do before.", outcome_detail: { commit: "abc" } }]);
    expect(full.omitted).toEqual([]);
  });

  test("[CX9] at 1,000 tokens the plan, the open error, the last decision and changed files are there", async () => {
    const house = await open();
    const filler = (word: string, count: number) => `${word} `.repeat(count).trim();
    const names = Array.from({ length: 60 }, (_, at) => `earlier ${at}`);
    const { task } = await planned(
      house,
      [
        ...names.map((name) => ({ name, description: filler("described", 100) })),
        {
          name: "this",
          sequence: 2,
          parallel_group: "g",
          depends_on: names.slice(0, 20),
          description: filler("description", 1_500),
        },
        ...Array.from({ length: 30 }, (_, at) => ({ name: `beside ${at}`, sequence: 2, parallel_group: "g" })),
      ],
      { source_content: filler("source", 20_000) },
    );
    for (const name of names.slice(0, 20)) await bring(house, task(name), "completed");
    const id = task("this");
    const steps = Array.from({ length: 100 }, (_, at) => `Step ${at}: ${filler("step", 20)}`);
    const context = { notes: filler("context", 5_000) };
    await house.call("task_set_plan", {
      id,
      plan: { approach: `THE-PLAN ${filler("approach", 1_000)}`, steps },
      context,
    });
    await bring(house, id, "in_progress");
    for (let at = 1; at <= 40; at += 1) {
      await note(house, id, at % 4 === 0 ? "decision" : "progress", `Note ${at}: ${filler("noted", 300)}`, {
        detail: { text: filler("detail", 300) },
        files_changed: Array.from({ length: 30 }, (_, number) => `src/part-${at}/file-${number}.ts`),
      });
    }
    await note(house, id, "decision", `LAST-DECISION ${filler("because", 400)}`, {
      files_changed: ["src/LAST-FILE.ts"],
    });
    await house.call("task_update_status", { id, status: "failed", error: `THE-ERROR ${filler("broke", 2_000)}` });
    for (const max_tokens of [1_000, 2_000, 8_000]) {
      const answer = await load(house, id, { max_tokens });
      const text = JSON.stringify(answer.current_task);
      for (const mark of ["THE-PLAN", "THE-ERROR", "LAST-DECISION", "src/LAST-FILE.ts"]) expect(text).toContain(mark);
      expect(realTokens(answer)).toBeLessThanOrEqual(max_tokens);
      expect(answer.token_estimate).toBeGreaterThanOrEqual(realTokens(answer));
      expect(answer.token_estimate).toBeGreaterThan(max_tokens * 0.8);
      const missing = new Map(answer.omitted.map((one) => [one.section, one]));
      expect(missing.get("error")).toMatchObject({ shortened: 1, characters: expect.any(Number) });
      expect((missing.get("prior_tasks")?.omitted ?? 0) + answer.prior_tasks.length).toBe(60);
      expect((missing.get("sibling_tasks")?.omitted ?? 0) + (answer.sibling_tasks?.length ?? 0)).toBe(30);
    }
  });

  test("[CX4] thousands of checkpoints: the newest are there, the others are counted", async () => {
    const house = await open();
    const id = await oneTask(house);
    await house.house.store.transact(async (db) => {
      const rows = Array.from({ length: 3_000 }, (_, at) => ({
        id: NoteId.parse(`cp_${at}`),
        workflowId: null,
        taskId: TaskId.parse(id),
        developerId: house.owner.developerId,
        kind: at % 10 === 0 ? ("decision" as const) : ("progress" as const),
        sequence: at + 1,
        summary: `Note ${at + 1} ${"🎉 done ".repeat(at % 20)}`,
        detail: null,
        files: JSON.stringify([`file-${at}.ts`]),
        isSuperseded: 0,
        needsHuman: 0,
        resolvedAt: null,
        createdAt: at,
      }));
      for (let at = 0; at < rows.length; at += 500) {
        await db.run(db.q.insertInto("note").values(rows.slice(at, at + 500)));
      }
      return { value: undefined, entries: [] };
    });
    for (const max_tokens of [400, 8_000, 60_000]) {
      const answer = await load(house, id, { include: { all_checkpoints: true }, max_tokens });
      expect(realTokens(answer)).toBeLessThanOrEqual(max_tokens);
      const left = answer.omitted.find((one) => one.section === "checkpoints")?.omitted ?? 0;
      expect(left + answer.current_task.checkpoints.length).toBe(3_000);
      if (max_tokens > 400) expect(answer.current_task.checkpoints.at(-1)?.sequence).toBe(3_000);
    }
  });

  test("[CX10] a budget has 160 to 200,000 tokens", async () => {
    const house = await open();
    const id = await oneTask(house);
    expect(realTokens(await load(house, id, { max_tokens: 160 }))).toBeLessThanOrEqual(160);
    for (const max_tokens of [0, 159, 200_001, 1_000.5]) {
      expect(await house.refusal("task_load_context", { task_id: id, max_tokens })).toBe("INVALID_REQUEST");
    }
  });
});

test("[CX6, CX17] over random histories no plan that was given up and no cancelled task comes back, whatever the budget", async () => {
  const house = await openTestHouse("sqlite");
  const beside = ["void0x", "void1x", "void2x"];
  const kinds = ["plan", "progress", "decision", "error", "recovery"] as const;
  const anyStep = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("note" as const), kind: fc.constantFrom(...kinds) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("replan" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), which: fc.constantFrom(...beside) }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 4, maxLength: 10 }),
      fc.integer({ min: 200, max: 6_000 }),
      async (steps, max_tokens) => {
        const { task } = await planned(
          house,
          ["this", ...beside].map((name) => ({ name, parallel_group: "g" })),
          { max_parallel_tasks: 4 },
        );
        const id = task("this");
        const gone = new Set<string>();
        let turn = 0;
        const word = (): string => `turn${turn}x`;
        const planNow = () => ({ approach: word(), steps: [word()], files_to_modify: [`${word()}.ts`] });
        await house.call("task_set_plan", { id, plan: planNow() });
        await bring(house, id, "in_progress");
        for (const step of steps) {
          if (step.do === "note") {
            await note(house, id, step.kind, word(), { detail: { why: word() }, files_changed: [`${word()}.ts`] });
          } else if (step.do === "replan") {
            await house.call("task_update_status", { id, status: "failed", error: word() });
            gone.add(word());
            turn += 1;
            await house.call("task_replan", { id, reason: "Another way", new_plan: planNow() });
            await bring(house, id, "in_progress");
          } else if (!gone.has(step.which)) {
            await bring(house, task(step.which), "skipped");
            gone.add(step.which);
          }
          const include = { all_checkpoints: true, prior_task_full: true, recent_checkpoints: 100 };
          const text = JSON.stringify(await load(house, id, { include, max_tokens }));
          // Nor by what is said of recoveries before it was given up, which is written behind the answer.
          await house.house.usage.flush();
          const listed = JSON.stringify(await house.call("recovery_list", { task_id: id }));
          expect([...gone].filter((old) => text.includes(old) || listed.includes(old))).toEqual([]);
        }
      },
    ),
    { numRuns: 12 },
  );
});
