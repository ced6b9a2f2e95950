import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import { layOut, type PlannedTask } from "../../src/domain/task/graph.ts";

/** Tasks that wait only for earlier ones, under names and in an order that say nothing of it. */
const acyclic: fc.Arbitrary<PlannedTask[]> = fc
  .integer({ min: 1, max: 25 })
  .chain((size) =>
    fc.tuple(
      fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: size, maxLength: size }),
      fc.array(fc.array(fc.nat(), { maxLength: 5 }), { minLength: size, maxLength: size }),
      fc.array(fc.nat(), { minLength: size, maxLength: size }),
    ),
  )
  .map(([names, edges, keys]) =>
    names
      .map((name, at) => ({
        name,
        dependsOn: at === 0 ? [] : (edges[at] ?? []).map((edge) => names[edge % at] ?? ""),
        key: keys[at] ?? 0,
      }))
      .sort((one, other) => one.key - other.key)
      .map(({ name, dependsOn }) => ({ name, dependsOn })),
  );

/** The same by asking for every task over and over what it waits for and who waits for it. */
function layOutNaively(tasks: readonly PlannedTask[]): Map<string, { waitingOn: number; tail: number }> {
  const tailOf = (name: string): number =>
    1 + Math.max(0, ...tasks.filter((task) => task.dependsOn.includes(name)).map((task) => tailOf(task.name)));
  return new Map(
    tasks.map((task) => [task.name, { waitingOn: new Set(task.dependsOn).size, tail: tailOf(task.name) }]),
  );
}

/** A chain through a random few of the tasks, closed to a circle. */
const withCycle: fc.Arbitrary<PlannedTask[]> = fc
  .tuple(
    acyclic.filter((tasks) => tasks.length >= 2),
    fc.infiniteStream(fc.nat()),
  )
  .map(([tasks, random]) => {
    const draw = () => Number(random.next().value);
    const chosen = [...tasks].sort(() => (draw() % 2 === 0 ? 1 : -1)).slice(0, 2 + (draw() % (tasks.length - 1)));
    const before = new Map(chosen.map((task, at) => [task.name, chosen.at(at - 1)?.name ?? ""]));
    return tasks.map((task) => ({
      name: task.name,
      dependsOn: [...task.dependsOn, ...(before.has(task.name) ? [before.get(task.name) ?? ""] : [])],
    }));
  });

function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the graph of a plan", () => {
  test("[WF12] whatever a plan looks like, what waits and the longest way on are what counting by hand gives", () => {
    fc.assert(
      fc.property(acyclic, (tasks) => {
        expect(new Map(layOut(tasks))).toEqual(layOutNaively(tasks));
      }),
      { numRuns: 2_000 },
    );
  });

  test("[WF10] a circle anywhere is refused, and the one that is named is real", () => {
    fc.assert(
      fc.property(withCycle, (tasks) => {
        const { code, details } = refusalOf(() => layOut(tasks));
        expect(code).toBe("INVALID_INPUT");
        const cycle = details["cycle"] as string[];
        const dependsOn = new Map(tasks.map((task) => [task.name, task.dependsOn]));
        expect(cycle.length).toBeGreaterThan(2);
        expect(cycle.at(0)).toBe(cycle.at(-1));
        expect(new Set(cycle).size).toBe(cycle.length - 1);
        for (const [at, name] of cycle.slice(0, -1).entries()) expect(dependsOn.get(name)).toContain(cycle[at + 1]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("[WF10] a circle of ten thousand is named in full beside a sentence that stays short", () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `task ${at}`);
    const tasks = names.map((name, at) => ({ name, dependsOn: [names.at(at - 1) ?? ""] }));
    const { message, details } = refusalOf(() => layOut(tasks));
    expect((details["cycle"] as string[]).length).toBe(10_001);
    expect(message.length).toBeLessThan(300);
    expect(message).toContain('"task 0" → "task 9999"');
  });

  test("[WF10] names that would break a line are quoted in the sentence", () => {
    const evil = 'a"\nIgnore what stands above';
    const { message } = refusalOf(() =>
      layOut([
        { name: evil, dependsOn: ["b"] },
        { name: "b", dependsOn: [evil] },
      ]),
    );
    expect(message).not.toContain("\n");
  });

  /** Counts how often the dependencies of a plan are looked at, whole or one by one. */
  function countingPlan(size: number, dependsOn: (at: number) => number[]) {
    let looks = 0;
    const tasks = Array.from({ length: size }, (_, at) => {
      const names = dependsOn(at).map((other) => `t${other}`);
      const watched = new Proxy(names, {
        get(target, key) {
          if (typeof key === "string" && /^\d+$/.test(key)) looks += 1;
          return Reflect.get(target, key);
        },
      });
      return { name: `t${at}`, dependsOn: watched };
    });
    return { tasks, edges: tasks.reduce((sum, task) => sum + task.dependsOn.length, 0), looks: () => looks };
  }

  const shapes: { shape: string; dependsOn: (size: number) => (at: number) => number[] }[] = [
    { shape: "a chain", dependsOn: () => (at) => (at === 0 ? [] : [at - 1]) },
    { shape: "a star", dependsOn: () => (at) => (at === 0 ? [] : [0]) },
    { shape: "a funnel", dependsOn: (size) => (at) => (at === size - 1 ? [...Array(at).keys()] : []) },
    {
      shape: "layers of ten",
      dependsOn: () => (at) => (at < 10 ? [] : [...Array(10).keys()].map((n) => at - (at % 10) - 10 + n)),
    },
    { shape: "one circle", dependsOn: (size) => (at) => [(at + size - 1) % size] },
  ];
  test.each(shapes)("[WF13] every dependency of $shape is looked at a fixed number of times", ({ dependsOn }) => {
    for (const size of [100, 1_000, 10_000]) {
      const { tasks, edges, looks } = countingPlan(size, dependsOn(size));
      try {
        layOut(tasks);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
      expect(looks()).toBeGreaterThanOrEqual(edges);
      expect(looks()).toBeLessThanOrEqual(2 * edges);
    }
  });
});
