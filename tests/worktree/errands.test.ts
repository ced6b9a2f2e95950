import { expect, test } from "vitest";
import { Refusal } from "../../src/contract/refusal.ts";
import { forEachStore } from "../../src/testing/house.ts";
import { ask, made, openWith, outcomes, pauseBefore, pressOn, rowsOf, untilRow } from "./waiting.ts";

forEachStore("outside work", (_open, kind) => {
  test("[EF1, EF2, EF17] is committed with the call, done after it, and brought home in one transaction", async () => {
    const seen: unknown[] = [];
    const house = await openWith(
      {
        async run(payload) {
          const rows = await house.house.store.read((db) => db.all(db.q.selectFrom("worktree").selectAll()));
          seen.push({ payload, folders: rows.map(({ folder }) => folder) });
          return made(payload);
        },
      },
      kind,
    );
    const { args, workflowId } = await ask(house);

    const answer = await house.call("workspace_create", args);

    const { id } = answer;
    expect(answer).toEqual({ id, path: args["path"], ready: true, base_behind: 3, problem: null });
    const payload = {
      worktreeId: id,
      repositoryPath: "/srv/code/shop",
      path: args["path"],
      branch: "work/one",
      baseBranch: null,
    };
    expect(seen).toEqual([{ payload, folders: ["making"] }]);
    expect(await rowsOf(house)).toMatchObject([
      { kind: "worktree.make", key: id, subject: id, status: "done", attempts: 1, place: "here", error: null },
    ]);
    const entries = (await house.entries()).slice(-2);
    expect(entries).toMatchObject([
      { kind: "worktree.registered", subject: id, data: { workflow_id: workflowId, branch: "work/one" } },
      { kind: "worktree.prepared", subject: id, data: { workflow_id: workflowId, branch: "work/one" } },
    ]);
  });

  test("[EF1] a refused call asks for nothing", async () => {
    const house = await openWith({ run: async (payload) => made(payload) }, kind);
    const { args } = await ask(house);
    expect(await house.refusal("workspace_create", { ...args, task_ids: ["tk_none"] })).toBe("TASK_NOT_FOUND");
    expect(await rowsOf(house)).toEqual([]);
  });

  test("[EF4] what comes of it bears the names of the developer and the call that asked", async () => {
    const house = await openWith({ run: async (payload) => made(payload) }, kind);
    const { caller } = await house.developer("bob", { private: true });
    const workflow = { name: "Hidden", source_type: "prompt", source_content: "x", repository_path: "/srv/code/shop" };
    const { id: workflow_id } = await house.call<{ id: string }>("workflow_create", workflow, caller);
    const { args } = await ask(house);
    await house.call("workspace_create", { ...args, workflow_id }, caller);
    const [registered, prepared] = (await house.entries()).slice(-2);
    expect(prepared).toMatchObject({
      kind: "worktree.prepared",
      developerId: caller.developerId,
      callId: registered?.callId,
    });
  });

  test("[EF18] a call that is repeated with its key neither looks nor asks again, and hears what is true by now", async () => {
    let looks = 0;
    let runs = 0;
    const house = await openWith(
      {
        async run(payload) {
          runs += 1;
          return made(payload);
        },
      },
      kind,
      {
        ports: {
          worktree: {
            async checkGround({ repositoryPath, path }) {
              looks += 1;
              if (looks > 1) throw new Refusal("CONFLICT", "Something already exists at this path.");
              return { repositoryPath, path };
            },
          },
        },
      },
    );
    const { args } = await ask(house);
    const first = await house.reply("workspace_create", args, house.owner, "key-1");
    const second = await house.reply("workspace_create", args, house.owner, "key-1");
    expect(second).toMatchObject({ ok: true, value: first.ok ? first.value : undefined });
    expect({ looks, runs, asked: (await rowsOf(house)).length }).toEqual({ looks: 1, runs: 1, asked: 1 });
  });

  test("[EF6] is tried again after ever longer pauses while it fails in passing", async () => {
    const failures = [new Refusal("GIT_ERROR", "busy"), new Error("unforeseen"), new Refusal("TOOL_TIMEOUT", "late")];
    const house = await openWith(
      {
        async run(payload, { attempt }) {
          const failure = failures[attempt - 1];
          if (failure) throw failure;
          return made(payload);
        },
      },
      kind,
    );
    const { args } = await ask(house);
    const answer = house.call("workspace_create", args);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await untilRow(house, (row) => row.status === "pending" && row.attempts === attempt);
      pauses.push(await pauseBefore(house));
      house.clock.advance(60_000);
      house.house.errands.poke();
    }
    expect(await answer).toMatchObject({ ready: true });
    expect(pauses.map((ms) => Math.round(ms / 1_000))).toEqual([1, 4, 16]);
    expect(await outcomes(house)).toEqual(["worktree.prepared"]);
  });

  test("[EF7, EF8] ends at the first attempt if it is refused for good, is taken back and recorded once", async () => {
    const undone: number[] = [];
    const house = await openWith(
      {
        run: async () => {
          throw new Refusal("CONFLICT", "That branch is checked out in another folder.");
        },
        undo: async (_payload, { attempt }) => void undone.push(attempt),
      },
      kind,
    );
    const { args, workflowId } = await ask(house);

    const answer = await house.call("workspace_create", args);

    const problem = "CONFLICT: That branch is checked out in another folder.";
    expect(answer).toMatchObject({ ready: false, problem });
    expect(undone).toEqual([1]);
    expect(await rowsOf(house)).toMatchObject([{ status: "undone", attempts: 1 }]);
    expect((await house.entries()).at(-1)).toMatchObject({
      kind: "worktree.failed",
      data: { workflow_id: workflowId, code: "CONFLICT" },
    });
    const { workspaces } = await house.call<{ workspaces: unknown[] }>("workspace_list", { workflow_id: workflowId });
    expect(workspaces).toMatchObject([{ status: "abandoned", ready: false, problem }]);
  });

  test("[EF8] is given up after its last attempt, marked as failed where it could not be taken back", async () => {
    const house = await openWith(
      {
        run: async () => {
          throw new Refusal("GIT_ERROR", "The disk is full.");
        },
        undo: async () => {
          throw new Error("that neither");
        },
      },
      kind,
    );
    const { args } = await ask(house);
    const answer = await pressOn(house, house.call("workspace_create", args));
    expect(answer).toMatchObject({ ready: false, problem: "GIT_ERROR: The disk is full." });
    expect(await rowsOf(house)).toMatchObject([{ status: "failed", attempts: 4 }]);
    expect(await outcomes(house)).toEqual(["worktree.failed"]);
  });
});
