import { expect, test } from "vitest";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { oneTask } from "../workflow/work.ts";
import { coordinate, gather, happened, session, summaryOf, take, turnDown } from "./coordination-scene.ts";
import { act } from "./session-scene.ts";

const minute = 60_000;
const claimId = expect.stringMatching(/^cl_[0-9a-z]{26}$/);

forEachStillStore("claims on code", (open) => {
  test("[CC1] a claim answers what it is, and the ledger knows it", async () => {
    const { house, ada } = await gather(open);
    const id = await session(house);
    const task_id = await oneTask(house);
    let answer: unknown;
    const events = await happened(house, async () => {
      answer = await take(house, ["./src/login/**", "src/a.ts"], {
        branch: "main",
        symbols: ["verify"],
        task_id,
        session_id: id,
        ttl_minutes: 5,
      });
    });
    expect(answer).toEqual({
      status: "ok",
      message: "The code is yours.",
      feedback: { type: "info", required_action: "Renew before expires_at, release when you are done." },
      data: {
        claim_id: claimId,
        fence: 1,
        fencing_number: 1,
        exclusive: true,
        paths: ["src/login/**", "src/a.ts"],
        symbols: ["verify"],
        expires_at: momentAt(5 * minute),
        conflicts: [],
        conflict_count: 0,
      },
    });
    expect(events).toEqual([
      {
        kind: "claim.taken",
        subject: claimId,
        data: {
          repo: "shop",
          branch: "main",
          fence: 1,
          task_id,
          paths: ["src/login/**", "src/a.ts"],
          symbols: ["verify"],
          exclusive: true,
          expires_at: momentAt(5 * minute),
          conflicts: 0,
          session_id: id,
        },
        developerId: ada.developerId,
      },
    ]);
  });

  test("[CC8, CC11] an exclusive claim that meets another is blocked, and the holder is told once", async () => {
    const { house, ada, bob } = await gather(open);
    const held = await take(house, ["src/login/**"]);
    let answer: unknown;
    const events = await happened(house, async () => {
      answer = await take(house, ["src/*/form.ts", "docs"], {}, bob);
    });
    expect(answer).toEqual({
      status: "blocked",
      message: "Somebody else holds some of this code; nothing was claimed.",
      feedback: { type: "block", required_action: expect.stringContaining("covibe_coordination ask") },
      data: {
        code: "CLAIM_CONFLICT",
        conflicts: [
          {
            claim_id: held.data.claim_id,
            holder: "ada",
            repo: "shop",
            branch: null,
            paths: ["src/login/**"],
            symbols: [],
            exclusive: true,
            fence: 1,
            task_id: null,
            session_id: null,
            expires_at: momentAt(120 * minute),
            same_developer: false,
            your_paths: ["src/*/form.ts"],
            your_symbols: [],
          },
        ],
        conflict_count: 1,
      },
    });
    expect(events).toEqual([
      {
        kind: "coordination.conflictTold",
        subject: expect.stringMatching(/^msg_/),
        data: { developer_id: ada.developerId, claim_id: held.data.claim_id, paths: 1, symbols: 0 },
        developerId: bob.developerId,
      },
      {
        kind: "feedback.block",
        subject: bob.developerId,
        data: {
          type: "block",
          message: "Somebody else holds some of this code; nothing was claimed.",
          required_action: expect.stringContaining("covibe_coordination ask"),
          code: "CLAIM_CONFLICT",
        },
        developerId: bob.developerId,
      },
    ]);
    expect((await summaryOf(house)).conflicts).toEqual([
      {
        claim_id: held.data.claim_id,
        wanted_by: "bob",
        same_developer: false,
        paths: ["src/*/form.ts"],
        symbols: [],
        task_id: null,
        noticed_at: momentAt(0),
      },
    ]);
    const again = await happened(house, () => take(house, ["src/login/a.ts"], {}, bob));
    expect(again.map(({ kind }) => kind)).toEqual(["feedback.block"]);
    expect((await summaryOf(house)).conflicts).toHaveLength(1);
    await coordinate(house, "release", { all: true });
    expect((await summaryOf(house)).conflicts).toEqual([]);
  });

  test("[CC9, CC11] whoever shares is granted: beside sharers quietly, beside one who holds it alone with a warning", async () => {
    const { house, bob, cy } = await gather(open);
    const first = await take(house, ["src"], { exclusive: false });
    let quiet: unknown;
    const quietly = await happened(house, async () => {
      quiet = await take(house, ["src/a.ts"], { exclusive: false }, bob);
    });
    expect(quiet).toMatchObject({
      status: "ok",
      message: "The code is shared with others who share it.",
      data: { fence: 2, conflict_count: 1, conflicts: [{ claim_id: first.data.claim_id, your_paths: ["src/a.ts"] }] },
    });
    expect(quietly.map(({ kind }) => kind)).toEqual(["claim.taken"]);
    expect(await take(house, ["src/a.ts"], {}, cy)).toMatchObject({ status: "blocked", data: { conflict_count: 2 } });

    const alone = await take(house, ["docs"], {}, cy);
    let loud: { data?: { claim_id: string } } = {};
    const events = await happened(house, async () => {
      loud = await take(house, ["docs/a.md"], { exclusive: false }, bob);
    });
    expect(loud).toMatchObject({
      status: "warning",
      feedback: { type: "warning", required_action: expect.stringContaining("covibe_coordination ask") },
      data: { claim_id: claimId, exclusive: false, conflicts: [{ holder: "cy", claim_id: alone.data.claim_id }] },
    });
    expect(events.map(({ kind, subject }) => [kind, subject])).toEqual([
      ["coordination.conflictTold", expect.stringMatching(/^msg_/)],
      ["claim.taken", loud.data?.claim_id],
      ["feedback.warning", loud.data?.claim_id],
    ]);
  });

  test("[CC6] branches and repositories keep claims apart", async () => {
    const { house, bob } = await gather(open);
    await take(house, ["src"], { branch: "main" });
    expect((await take(house, ["src"], { branch: "next" }, bob)).status).toBe("ok");
    expect((await take(house, ["src"], { repo: "mail" }, bob)).status).toBe("ok");
    expect((await take(house, ["src"], {}, bob)).status).toBe("blocked");
  });

  test("[CC10] a session never stands in its own way, another of the same developer does", async () => {
    const { house, ada } = await gather(open);
    const [one, two] = [await session(house), await session(house)];
    await take(house, ["src"], { session_id: one });
    expect((await take(house, ["src"], { session_id: one })).data.fence).toBe(2);
    const other = await take(house, ["src"], { session_id: two });
    expect(other).toMatchObject({
      status: "blocked",
      data: { conflicts: [{ holder: "ada", same_developer: true }, {}] },
    });
    expect((await summaryOf(house)).conflicts).toMatchObject([
      { wanted_by: "ada", same_developer: true },
      { wanted_by: "ada", same_developer: true },
    ]);
    expect((await take(house, ["src"])).status).toBe("blocked");
    await take(house, ["docs"]);
    expect((await take(house, ["docs"], {}, ada)).status).toBe("ok");
  });

  test("[CC12] fences grow for the whole repository, over claims that have ended too", async () => {
    const { house, bob } = await gather(open);
    const fences = [
      (await take(house, ["a"])).data.fence,
      (await take(house, ["b"], {}, bob)).data.fence,
      (await take(house, ["a"], { repo: "mail" })).data.fence,
    ];
    await coordinate(house, "release", { all: true });
    await coordinate(house, "release", { all: true }, bob);
    fences.push((await take(house, ["a"], {}, bob)).data.fence);
    expect(fences).toEqual([1, 2, 1, 3]);
  });

  test("[CC13] renewing begins the lease anew and keeps the fence", async () => {
    const { house } = await gather(open);
    const { claim_id } = (await take(house, ["src"], { ttl_minutes: 10 })).data;
    house.clock.advance(9 * minute);
    const events = await happened(house, async () => {
      expect(await coordinate(house, "renew", { claim_id })).toEqual({
        status: "ok",
        message: "The claim goes on.",
        feedback: { type: "info", required_action: null },
        data: { claim_id, fence: 1, fencing_number: 1, expires_at: momentAt(19 * minute) },
      });
    });
    expect(events).toEqual([
      {
        kind: "claim.renewed",
        subject: claim_id,
        data: { repo: "shop", branch: null, fence: 1, task_id: null, expires_at: momentAt(19 * minute) },
        developerId: house.owner.developerId,
      },
    ]);
  });

  test("[CC13, CC16] at the end of its lease a claim is over: others take the code, renewing is refused, the sweep says so", async () => {
    const { house, bob } = await gather(open);
    const { claim_id } = (await take(house, ["src"], { ttl_minutes: 5 })).data;
    house.clock.advance(5 * minute - 1);
    expect((await take(house, ["src"], {}, bob)).status).toBe("blocked");
    house.clock.advance(1);
    expect(await turnDown(house, "renew", { claim_id })).toBe("INVALID_STATE");
    expect((await take(house, ["src"], {}, bob)).data.fence).toBe(2);
    const swept = await happened(house, () => house.sweep());
    expect(swept).toEqual([
      {
        kind: "claim.released",
        subject: claim_id,
        data: {
          repo: "shop",
          branch: null,
          fence: 1,
          task_id: null,
          developer_id: house.owner.developerId,
          reason: "expired",
        },
        developerId: null,
      },
      {
        kind: "coordination.codeFreed",
        subject: expect.stringMatching(/^msg_/),
        data: { developer_id: bob.developerId, claim_id },
        developerId: null,
      },
    ]);
    expect(await happened(house, () => house.sweep())).toEqual([]);
    expect(await turnDown(house, "renew", { claim_id })).toBe("INVALID_STATE");
  });

  test("[CC14] releasing gives back one, or all, or a session's, and what is over is left alone", async () => {
    const { house, bob } = await gather(open);
    const id = await session(house);
    const [one, two, three] = [
      await take(house, ["a"]),
      await take(house, ["b"], { session_id: id }),
      await take(house, ["c"], { session_id: id }),
    ].map(({ data }) => data.claim_id);
    const his = await take(house, ["d"], {}, bob);
    const events = await happened(house, async () => {
      expect(await coordinate(house, "release", { claim_id: one })).toEqual({
        status: "ok",
        message: "Others may take the code now.",
        feedback: { type: "info", required_action: null },
        data: { released: [one] },
      });
    });
    expect(events).toMatchObject([{ kind: "claim.released", subject: one, data: { reason: "released", fence: 1 } }]);
    const nothing = await happened(house, async () => {
      expect(await coordinate(house, "release", { claim_id: one })).toMatchObject({
        status: "ok",
        message: "There was nothing to release.",
        data: { released: [] },
      });
    });
    expect(nothing).toEqual([]);
    const rest = await take(house, ["e"]);
    expect((await coordinate(house, "release", { all: true, session_id: id })).data).toEqual({
      released: [two, three],
    });
    expect((await coordinate(house, "release", { all: true })).data).toEqual({ released: [rest.data.claim_id] });
    expect((await summaryOf(house)).claims).toMatchObject([{ claim_id: his.data.claim_id, mine: false }]);
    expect((await take(house, ["a"], {}, bob)).status).toBe("ok");
  });

  test("[CC15] covibe_coordination renew and release answer NOT_FOUND for somebody else's claim", async () => {
    const { house, bob } = await gather(open);
    const { claim_id } = (await take(house, ["src"])).data;
    const events = await happened(house, async () => {
      for (const operation of ["renew", "release"]) {
        expect(await turnDown(house, operation, { claim_id }, bob)).toBe("NOT_FOUND");
        expect(await turnDown(house, operation, { claim_id: "cl_unknown" })).toBe("NOT_FOUND");
      }
      expect((await coordinate(house, "release", { all: true }, bob)).data).toEqual({ released: [] });
    });
    expect(events).toEqual([]);
    expect((await take(house, ["src"], {}, bob)).status).toBe("blocked");
  });

  test("[CC17] what a session held is free when it ends, or has been silent for more than half an hour", async () => {
    const { house, bob } = await gather(open);
    const [ends, falls, stays] = [await session(house), await session(house), await session(house)];
    const held = [
      await take(house, ["a"], { session_id: ends }),
      await take(house, ["b"], { session_id: falls, ttl_minutes: 240 }),
      await take(house, ["c"], { session_id: stays, ttl_minutes: 240 }),
    ].map(({ data }) => data.claim_id);
    await act(house, "end", { session_id: ends });
    const freed = await happened(house, async () => {
      expect((await take(house, ["a"], {}, bob)).status).toBe("ok");
    });
    expect(freed.map(({ kind }) => kind).filter((kind) => kind.startsWith("claim."))).toContain("claim.taken");
    house.clock.advance(30 * minute);
    await act(house, "heartbeat", { session_id: stays });
    expect((await take(house, ["b"], {}, bob)).status).toBe("blocked");
    house.clock.advance(1);
    expect((await take(house, ["b", "x"], {}, bob)).status).toBe("ok");
    expect((await take(house, ["c"], {}, bob)).status).toBe("blocked");
    await house.sweep();
    const ended = (await house.entries()).filter(({ kind }) => kind === "claim.released");
    expect(ended.map(({ subject, data }) => [subject, data["reason"]])).toEqual([
      [held[0], "session_over"],
      [held[1], "session_over"],
    ]);
    expect(await turnDown(house, "renew", { claim_id: held[1] })).toBe("INVALID_STATE");
  });

  test("[CC17] a silent session cannot renew what it has lost before anybody noticed", async () => {
    const { house } = await gather(open);
    const id = await session(house);
    const { claim_id } = (await take(house, ["a"], { session_id: id, ttl_minutes: 240 })).data;
    house.clock.advance(30 * minute + 1);
    expect(await turnDown(house, "renew", { claim_id })).toBe("INVALID_STATE");
  });

  test("[CC17] what was claimed for a task is free when the task ends, whichever family ends it", async () => {
    const { house, bob } = await gather(open);
    const task_id = await oneTask(house);
    const { claim_id } = (await take(house, ["src"], { task_id })).data;
    for (const status of ["planning", "in_progress"]) await house.call("task_update_status", { id: task_id, status });
    expect((await take(house, ["src"], {}, bob)).status).toBe("blocked");
    await house.call("task_update_status", { id: task_id, status: "completed", outcome: "Done." });
    expect((await take(house, ["src"], {}, bob)).status).toBe("ok");
    await house.sweep();
    const ended = (await house.entries()).filter(({ kind }) => kind === "claim.released");
    expect(ended.map(({ subject, data }) => [subject, data["reason"]])).toEqual([[claim_id, "task_over"]]);
  });

  test("[CC18] covibe_coordination claim for a task: TASK_NOT_FOUND, FORBIDDEN for another's, INVALID_STATE once it has ended", async () => {
    const { house, bob } = await gather(open);
    const hers = await oneTask(house);
    const ask = { repo: "shop", paths: ["src"] };
    expect(await turnDown(house, "claim", { ...ask, task_id: "tk_unknown" }, bob)).toBe("TASK_NOT_FOUND");
    expect(await turnDown(house, "claim", { ...ask, task_id: hers }, bob)).toBe("FORBIDDEN");
    for (const status of ["planning", "completed"]) {
      await house.call("task_update_status", { id: hers, status, outcome: "Done." });
    }
    expect(await turnDown(house, "claim", { ...ask, task_id: hers })).toBe("INVALID_STATE");
  });

  test("[CC21] a private holder is met and not seen", async () => {
    const { house, bob, dora } = await gather(open);
    const id = await session(house, dora);
    await take(house, ["src/secret/**"], { session_id: id, symbols: ["hidden"], branch: "dora/secret" }, dora);
    await take(house, ["lib/**"], { session_id: id, repo: "dora/hidden" }, dora);
    const { data } = await take(house, ["src"], {}, bob);
    expect(data.conflicts).toEqual([
      {
        claim_id: null,
        holder: "@private",
        repo: "shop",
        branch: null,
        paths: [],
        symbols: [],
        exclusive: true,
        fence: 1,
        task_id: null,
        session_id: null,
        expires_at: momentAt(120 * minute),
        same_developer: false,
        your_paths: ["src"],
        your_symbols: [],
      },
    ]);
    for (const caller of [bob, house.owner]) {
      const shown = JSON.stringify([await summaryOf(house, caller), data]);
      for (const secret of ["dora", "secret", "hidden", id, dora.developerId]) expect(shown).not.toContain(secret);
    }
    expect((await summaryOf(house, dora)).conflicts).toMatchObject([{ wanted_by: "bob", paths: ["src"] }]);
    await take(house, ["lib"], {}, bob);
    await take(house, ["lib"], {}, dora);
    expect((await summaryOf(house, bob)).conflicts).toMatchObject([{ wanted_by: "@private", paths: ["lib"] }]);
  });

  test("[CC7] covibe_coordination claim: INVALID_INPUT without an area, TOO_LARGE beyond the bounds, INVALID_REQUEST outside the schema", async () => {
    const { house } = await gather(open);
    const ask = { repo: "shop", paths: ["src"] };
    const answers: [Record<string, unknown>, string][] = [
      [{ repo: "shop" }, "INVALID_INPUT"],
      [{ repo: "shop", paths: ["!src"] }, "INVALID_INPUT"],
      [{ repo: "shop", paths: ["{a,b}".repeat(7)] }, "TOO_LARGE"],
      [{ repo: "shop", paths: Array.from({ length: 5 }, (_, at) => `${at}${"x".repeat(900)}`) }, "TOO_LARGE"],
      [{ repo: "shop", paths: [`${"a*".repeat(400)}`, `${"b?".repeat(400)}`] }, "TOO_LARGE"],
      [{ paths: ["src"] }, "INVALID_REQUEST"],
      [{ ...ask, paths: [] }, "INVALID_REQUEST"],
      [{ ...ask, paths: ["/etc/passwd"] }, "INVALID_REQUEST"],
      [{ ...ask, paths: ["a/../../b"] }, "INVALID_REQUEST"],
      [{ ...ask, paths: Array.from({ length: 51 }, (_, at) => `a${at}`) }, "INVALID_REQUEST"],
      [{ ...ask, symbols: Array.from({ length: 101 }, (_, at) => `a${at}`) }, "INVALID_REQUEST"],
      [{ ...ask, ttl_minutes: 4 }, "INVALID_REQUEST"],
      [{ ...ask, ttl_minutes: 1_441 }, "INVALID_REQUEST"],
    ];
    for (const [args, code] of answers) expect(await turnDown(house, "claim", args), JSON.stringify(args)).toBe(code);
    expect((await take(house, ["src"], { ttl_minutes: 1_440 })).data.expires_at).toBe(momentAt(1_440 * minute));
  });

  test("[CC7] nobody holds more than a hundred", async () => {
    const { house, bob } = await gather(open);
    for (let at = 0; at < 100; at += 1) await take(house, [`f${at}`]);
    expect(await turnDown(house, "claim", { repo: "shop", paths: ["more"] })).toBe("TOO_LARGE");
    expect((await take(house, ["more"], {}, bob)).data.fence).toBe(101);
  });
});
