import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { ApiFailure } from "../../src/dashboard/data/api.ts";
import type { LiveEvent } from "../../src/dashboard/data/event.ts";
import { type Reading, readAgain, Store } from "../../src/dashboard/data/store.ts";

const event = (subject: string, kind = "thing.added"): LiveEvent => ({
  event: kind,
  kind,
  subject,
  actor: null,
  data: {},
  cursor: subject,
  ts: "2026-01-01T00:00:00.000Z",
});

/** A server that holds a set of names, and what a page shows of it. */
function scene(options: { fold?: boolean } = {}) {
  const truth = new Set<string>();
  let reads = 0;
  const waiting: (() => void)[] = [];
  let gate: Promise<void> | undefined;
  let failure: ApiFailure | undefined;
  const reading: Reading<readonly string[]> = {
    key: "things",
    async load() {
      reads += 1;
      const seen = [...truth];
      await gate;
      if (failure) throw failure;
      return seen;
    },
    applyEvent(value, { kind, subject }) {
      if (kind !== "thing.added") return value;
      if (options.fold === false) return readAgain;
      return value.includes(subject) ? value : [...value, subject];
    },
  };
  return {
    truth,
    reading,
    store: new Store(),
    reads: () => reads,
    hold() {
      gate = new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    letGo() {
      gate = undefined;
      for (const resolve of waiting.splice(0)) resolve();
    },
    fail(next: ApiFailure | undefined) {
      failure = next;
    },
  };
}

const settle = () => turn();

test("[DK12] what arrives while a reading is under way is folded in afterwards, once", async () => {
  const { store, reading, truth, hold, letGo } = scene();
  truth.add("a");
  hold();
  store.subscribe(reading, () => undefined);
  store.applyEvent(event("a"));
  store.applyEvent(event("b"));
  expect(store.snapshot(reading)).toEqual({ value: undefined, failure: undefined, isLoading: true });
  letGo();
  await settle();
  store.applyEvent(event("b"));
  expect(store.snapshot(reading).value).toEqual(["a", "b"]);
});

test("[DK12] unknown events change nothing and nobody is told", async () => {
  const { store, reading } = scene();
  const told = vi.fn();
  store.subscribe(reading, told);
  await settle();
  const before = store.snapshot(reading);
  told.mockClear();
  store.applyEvent(event("x", "future.kind"));
  expect(store.snapshot(reading)).toBe(before);
  expect(told).not.toHaveBeenCalled();
});

test("[DK13] a burst that a fold cannot tell leads to one reading, and the page ends with the truth", async () => {
  const { store, reading, truth, reads } = scene({ fold: false });
  store.subscribe(reading, () => undefined);
  await settle();
  for (let place = 0; place < 50; place += 1) {
    truth.add(`t${place}`);
    store.applyEvent(event(`t${place}`));
  }
  await expect.poll(() => store.snapshot(reading).value?.length).toBe(50);
  expect(reads()).toBe(2);
});

test("[DK13] what could not be read stays shown with the reason, and is read when the link is back", async () => {
  const { store, reading, truth, fail } = scene();
  truth.add("a");
  store.subscribe(reading, () => undefined);
  await settle();
  const gone = new ApiFailure({ code: "UNREACHABLE", message: "The server does not answer." });
  fail(gone);
  store.reset();
  await settle();
  expect(store.snapshot(reading)).toEqual({ value: ["a"], failure: gone, isLoading: false });
  fail(undefined);
  truth.add("b");
  store.retryFailed();
  await settle();
  expect(store.snapshot(reading)).toEqual({ value: ["a", "b"], failure: undefined, isLoading: false });
});

test("[DK13] who is no longer signed in is led to the door", async () => {
  const { store, reading, fail } = scene();
  const leave = vi.fn();
  store.whenSignedOut(leave);
  fail(new ApiFailure({ code: "UNAUTHORIZED", message: "No." }));
  store.subscribe(reading, () => undefined);
  await settle();
  expect(leave).toHaveBeenCalledOnce();
});

test("[DK81] nothing of what one person saw stays for the next", async () => {
  const { store, reading, truth, reads } = scene();
  truth.add("secret");
  store.subscribe(reading, () => undefined);
  await settle();
  store.clear();
  expect(store.snapshot(reading).value).toBeUndefined();
  truth.clear();
  store.subscribe(reading, () => undefined);
  await settle();
  expect([store.snapshot(reading).value, reads()]).toEqual([[], 2]);
});

test("[DK12, DK13] however readings and events interleave, what is shown at the end is what is true", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("add", "reload", "hold", "letGo", "settle"), { maxLength: 30 }),
      async (steps) => {
        const { store, reading, truth, hold, letGo } = scene();
        store.subscribe(reading, () => undefined);
        for (const [place, step] of steps.entries()) {
          if (step === "add") {
            truth.add(`n${place}`);
            store.applyEvent(event(`n${place}`));
          } else if (step === "reload") store.reset();
          else if (step === "hold") hold();
          else if (step === "letGo") letGo();
          else await settle();
        }
        for (let turn = 0; turn < 3; turn += 1) {
          letGo();
          await settle();
        }
        expect([...(store.snapshot(reading).value ?? [])].sort()).toEqual([...truth].sort());
      },
    ),
    { numRuns: 60 },
  );
});
