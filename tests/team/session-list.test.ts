import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { forEachStillStore, momentAt } from "../domain/still-house.ts";
import { act, begin } from "./session-scene.ts";

const minute = 60_000;

interface Listing {
  readonly sessions: readonly Record<string, unknown>[];
  readonly claims: readonly Record<string, unknown>[];
  readonly more: boolean;
}

const list = (house: TestHouse, ask: object = {}, caller = house.owner): Promise<Listing> =>
  house.call<Listing>("session_list", { ...ask }, caller);

forEachStillStore("session_list", (open) => {
  test("[DT1] shows a session with its place, snapshot, use, claims and contexts", async () => {
    const house = await open();
    const session_id = await begin(house, house.owner, { model: "claude-sonnet-4-5", worktree: "/srv/shop" });
    await act(house, "snapshot", {
      session_id,
      head: "abcd",
      dirty_files: ["a.ts", "b.ts"],
      unpushed_files: ["c.ts"],
      diff_hashes: {},
      recent_commits: [],
    });
    await act(house, "publish_context", { session_id, title: "Half way", summary: "The list has pages." });
    const claim = await house.call<{ data: Record<string, unknown> }>("covibe_coordination", {
      operation: "claim",
      session_id,
      repo: "acme/shop",
      paths: ["src/orders"],
    });
    await house.call("covibe_coordination", { operation: "claim", repo: "acme/site", paths: ["css"] });
    await house.call("covibe_ingest_agent_telemetry", {
      source: "anthropic",
      session_id,
      payload: { model: "claude-sonnet-4-5", usage: { input_tokens: 1_000, output_tokens: 200 } },
    });
    const { sessions, claims, more } = await list(house);
    expect(more).toBe(false);
    expect(sessions).toEqual([
      {
        id: session_id,
        agent_name: "Ada",
        developer: "ada",
        mine: true,
        status: "active",
        agent_type: "claude-code",
        provider: null,
        model: "claude-sonnet-4-5",
        repo: "acme/shop",
        branch: "main",
        worktree: "/srv/shop",
        task_id: null,
        snapshot: {
          taken_at: momentAt(0),
          head: "abcd",
          dirty_files: ["a.ts", "b.ts"],
          dirty_total: 2,
          unpushed_files: ["c.ts"],
          unpushed_total: 1,
        },
        usage: expect.objectContaining({ spans: 1, input: 1_000, output: 200, total: 1_200 }),
        claims: [
          {
            claim_id: claim.data["claim_id"],
            holder: "ada",
            mine: true,
            repo: "acme/shop",
            branch: null,
            paths: ["src/orders"],
            symbols: [],
            exclusive: true,
            task_id: null,
            expires_at: momentAt(120 * minute),
          },
        ],
        contexts: [
          {
            context_id: expect.stringMatching(/^ctx_/),
            title: "Half way",
            summary: "The list has pages.",
            created_at: momentAt(0),
            expires_at: expect.any(String),
          },
        ],
        summary: null,
        signals: [{ way: "call", at: momentAt(0) }],
        started_at: momentAt(0),
        last_seen_at: momentAt(0),
        ended_at: null,
      },
    ]);
    expect(claims).toMatchObject([{ repo: "acme/site", paths: ["css"], mine: true }]);
  });

  test("[DT1] goes page by page, last seen first, and has those that ended when asked", async () => {
    const house = await open();
    const ids: string[] = [];
    for (let place = 0; place < 5; place += 1) {
      ids.unshift(await begin(house));
      house.clock.advance(minute);
    }
    const idsOf = ({ sessions }: Listing) => sessions.map(({ id }) => id);
    const first = await list(house, { limit: 2 });
    expect({ ids: idsOf(first), more: first.more }).toEqual({ ids: ids.slice(0, 2), more: true });
    const last = await list(house, { limit: 2, offset: 4 });
    expect({ ids: idsOf(last), more: last.more }).toEqual({ ids: ids.slice(4), more: false });
    await act(house, "end", { session_id: ids[1], summary: "All done." });
    expect(idsOf(await list(house))).not.toContain(ids[1]);
    expect((await list(house, { ended: true })).sessions).toMatchObject([
      { id: ids[1], status: "ended", summary: "All done.", ended_at: momentAt(5 * minute) },
    ]);
    expect(idsOf(await list(house, { session_id: ids[1] }))).toEqual([ids[1]]);
    expect(idsOf(await list(house, { repo: "acme/other" }))).toEqual([]);
    house.clock.advance(31 * minute);
    expect((await list(house)).sessions.every(({ status }) => status === "stale")).toBe(true);
  });

  test("[DT1] shows the first twenty files of a session, and all of one that is asked for", async () => {
    const house = await open();
    const session_id = await begin(house);
    const dirty_files = Array.from({ length: 30 }, (_, place) => `src/${place}.ts`);
    await act(house, "snapshot", { session_id, dirty_files, unpushed_files: [] });
    const filesOf = ({ sessions }: Listing) => sessions[0]?.["snapshot"] as Record<string, unknown>;
    expect(filesOf(await list(house))).toMatchObject({ dirty_files: dirty_files.slice(0, 20), dirty_total: 30 });
    expect(filesOf(await list(house, { session_id }))).toMatchObject({ dirty_files, dirty_total: 30 });
  });

  test("[DT2] shows of a private developer's session that it is there: NOT_FOUND by name", async () => {
    const house = await open();
    const quinn = (await house.developer("quinn", { private: true })).caller;
    const session_id = await begin(house, quinn, { agent_name: "Secret", repo: "acme/secret", worktree: "/secret" });
    await act(house, "snapshot", { session_id, dirty_files: ["secret.ts"], unpushed_files: [] }, quinn);
    await house.call("covibe_coordination", { operation: "claim", repo: "acme/secret", paths: ["secret"] }, quinn);
    const listing = await list(house);
    expect(listing.sessions).toMatchObject([{ id: session_id, agent_name: "@private", developer: "@private" }]);
    expect(JSON.stringify(listing)).not.toMatch(/secret|quinn/i);
    expect((await list(house, { repo: "acme/secret" })).sessions).toEqual([]);
    expect((await list(house, { developer: "quinn" })).sessions).toEqual([]);
    const bob = (await house.developer("bob")).caller;
    expect(await house.refusal("session_list", { developer: "quinn" }, bob)).toBe("NOT_FOUND");
    expect((await list(house, {}, quinn)).sessions).toMatchObject([{ agent_name: "Secret", mine: true }]);
  });
});
