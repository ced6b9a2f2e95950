import { describe, expect, test } from "vitest";
import { dispatch } from "../../src/engine/dispatch.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { writeCsv } from "../../src/tools/person/voice/usage.ts";
import { forEachStillStore } from "../domain/still-house.ts";
import { ask } from "../http/raw.ts";
import { openServer } from "../http/routes.ts";
import { addTask, claudeReport, ingest, startSession } from "./usage.ts";

interface Row {
  readonly key: string | null;
  readonly label: string | null;
  readonly spans: number;
  readonly total: number;
  readonly cost_usd: number;
}

interface Report {
  readonly groups: readonly Row[];
  readonly total: Omit<Row, "key" | "label">;
  readonly truncated: boolean;
  readonly excludes_private: boolean;
}

const reportOf = (house: TestHouse, args: Record<string, unknown> = {}, by = house.owner): Promise<Report> =>
  house.call<Report>("usage_report", args, by);

const keysAndCosts = ({ groups }: Report) => groups.map(({ key, label, cost_usd }) => [key, label, cost_usd]);

const dayMs = 24 * 3_600_000;

/** Two people, two days, a session, a task, three models of which one is unknown. */
async function furnish(house: TestHouse) {
  const { caller: bob } = await house.developer("bob");
  const session_id = await startSession(house, "acme/shop");
  const task_id = await addTask(house, "Cart");
  await ingest(house, { ...claudeReport(3), session_id, task_id });
  await ingest(house, { ...claudeReport(6), submitted_cost_usd: 1 }, bob);
  house.clock.advance(dayMs);
  await ingest(house, { source: "proxy", payload: { model: "mystery", input: 5, output: 5 } }, bob);
  await ingest(house, { source: "proxy", payload: { model: "mystery", input: 5, output: 6, cost: 0.5 } });
  await ingest(house, { ...claudeReport(1.5, "claude-3-7-sonnet-20250219"), task_id });
  return { bob, session_id, task_id };
}

forEachStillStore("usage_report", (open) => {
  test("[US30] sums by each grouping, dearest first, and the groups add up to the total", async () => {
    const house = await open();
    const { bob, session_id, task_id } = await furnish(house);
    const by = async (group_by: string) => keysAndCosts(await reportOf(house, { group_by }));
    const ada = house.owner;

    expect(await by("model")).toEqual([
      ["claude-sonnet-4-5", "claude-sonnet-4-5", 9],
      ["claude-3-7-sonnet-20250219", "claude-3-7-sonnet-20250219", 1.5],
      ["mystery", "mystery", 0.5],
    ]);
    expect(await by("developer")).toEqual([
      [bob.developerId, "bob", 6],
      [ada.developerId, ada.handle, 5],
    ]);
    expect(await by("session")).toEqual([
      [null, null, 8],
      [session_id, "Ada's agent", 3],
    ]);
    expect(await by("repository")).toEqual([
      [null, null, 8],
      ["acme/shop", "acme/shop", 3],
    ]);
    expect(await by("task")).toEqual([
      [null, null, 6.5],
      [task_id, "Cart", 4.5],
    ]);
    expect(await by("source")).toEqual([
      ["claude", "claude", 10.5],
      ["proxy", "proxy", 0.5],
    ]);
    expect(await by("day")).toEqual([
      ["2026-01-01", "2026-01-01", 9],
      ["2026-01-02", "2026-01-02", 2],
    ]);
    expect(await by("provenance")).toEqual([
      ["mismatch", "mismatch", 6],
      ["measured", "measured", 4.5],
      ["inferred", "inferred", 0.5],
    ]);
    for (const group_by of ["model", "developer", "session", "task", "source", "channel", "day", "provenance"]) {
      const { groups, total } = await reportOf(house, { group_by });
      const sum = (key: "spans" | "total" | "cost_usd") => groups.reduce((all, group) => all + group[key], 0);
      expect([sum("spans"), sum("total"), sum("cost_usd")]).toEqual([total.spans, total.total, total.cost_usd]);
    }
    expect((await reportOf(house)).total).toEqual({
      spans: 5,
      input: 3_500_010,
      output: 11,
      cache_read: 0,
      cache_creation: 0,
      reasoning: 0,
      total: 3_500_021,
      cost_usd: 11,
      unpriced: 1,
      mismatches: 1,
    });
  });

  test("[US36] a span keeps by which channel its report came first", async () => {
    const house = await open();
    const send = (id: string, madeBy?: "hook" | "watch" | "transcript" | "inbox", more: object = {}) => {
      const payload = { id, model: "mystery", input: 5, output: 5, cost: 1 };
      const args = { source: "provider", payload, ...more };
      return dispatch(house.house, {
        tool: "covibe_ingest_agent_telemetry",
        args,
        caller: house.owner,
        transport: "http",
        madeBy,
      });
    };
    for (const part of ["hook", "transcript", "inbox", "watch", undefined] as const) {
      expect(await send(`by ${part}`, part)).toMatchObject({ ok: true });
    }
    await send("by hook", "transcript");
    await send("measured", "inbox", { source: "proxy" });
    const { groups } = await reportOf(house, { group_by: "channel" });
    expect(groups.map(({ key, spans }) => [key, spans])).toEqual([
      ["call", 2],
      ["hook", 1],
      ["inbox", 1],
      ["proxy", 1],
      ["transcript", 1],
    ]);
  });

  test("[US31] every filter narrows groups and total alike", async () => {
    const house = await open();
    const { session_id, task_id } = await furnish(house);
    const costOf = async (filter: Record<string, unknown>): Promise<number> => {
      const { groups, total } = await reportOf(house, filter);
      expect(groups.reduce((all, group) => all + group.cost_usd, 0)).toBe(total.cost_usd);
      return total.cost_usd;
    };
    const second = "2026-01-02T00:00:00Z";
    expect(await costOf({ developer: "bob" })).toBe(6);
    expect(await costOf({ session_id })).toBe(3);
    expect(await costOf({ task_id })).toBe(4.5);
    expect(await costOf({ repository: "acme/shop" })).toBe(3);
    expect(await costOf({ model: "mystery" })).toBe(0.5);
    expect(await costOf({ provenance: "mismatch" })).toBe(6);
    expect(await costOf({ provenance: "measured" })).toBe(4.5);
    expect(await costOf({ provenance: "inferred" })).toBe(0.5);
    expect(await costOf({ since: second })).toBe(2);
    expect(await costOf({ until: second })).toBe(9);
    expect(await costOf({ since: second, until: second })).toBe(0);
    expect(await costOf({ developer: "bob", model: "mystery" })).toBe(0);
    expect(await reportOf(house, { limit: 1 })).toMatchObject({
      groups: [{ cost_usd: 9 }],
      total: { cost_usd: 11 },
      truncated: true,
    });
    expect(await house.refusal("usage_report", { developer: "nobody" })).toBe("NOT_FOUND");
    house.clock.advance(30 * dayMs);
    expect(await costOf({})).toBe(0);
  });

  test("[US23] ten times ten cents are a dollar, in whatever order they come", async () => {
    const house = await open();
    for (const output of [3, 1, 9, 7, 2, 10, 5, 8, 4, 6]) {
      await ingest(house, { source: "proxy", payload: { model: "mystery", input: 1, output, cost: 0.1 } });
    }
    const { groups, total } = await reportOf(house);
    expect([total.cost_usd, groups[0]?.cost_usd]).toEqual([1, 1]);
  });

  test("[US32] what private people use counts for nobody but themselves", async () => {
    const house = await open();
    const { bob } = await furnish(house);
    await house.call("developer_update", { handle: "bob", private: true }, bob);
    for (const group_by of ["model", "developer", "day"]) {
      const report = await reportOf(house, { group_by });
      expect(report).toMatchObject({ total: { spans: 3, cost_usd: 5 }, excludes_private: true });
      expect(JSON.stringify(report)).not.toContain(bob.developerId);
    }
    expect(await reportOf(house, {}, bob)).toMatchObject({ total: { spans: 5 }, excludes_private: false });
    const { caller: eve } = await house.developer("eve");
    expect(await house.refusal("usage_report", { developer: "bob" }, eve)).toBe("NOT_FOUND");
  });
});

describe("over HTTP", () => {
  test("[US34] the report is read as JSON and as CSV, with the same filters", async () => {
    const server = await openServer();
    const { house } = server;
    await furnish(house);
    const json = await ask(server, "GET", "/api/usage/report?group_by=developer&developer=bob");
    expect(json.json<{ result: Report }>().result.groups).toMatchObject([{ label: "bob", cost_usd: 6 }]);
    const csv = await ask(server, "GET", "/api/usage/report.csv?group_by=source");
    expect(csv.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="usage-by-source.csv"',
    });
    expect(csv.text).toBe(
      [
        "key,label,spans,input,output,cache_read,cache_creation,reasoning,total,cost_usd,unpriced,mismatches",
        "claude,claude,3,3500000,0,0,0,0,3500000,10.5,0,1",
        "proxy,proxy,2,10,11,0,0,0,21,0.5,1,0",
        "",
      ].join("\r\n"),
    );
    expect((await ask(server, "GET", "/api/usage/report.csv?group_by=nonsense")).status).toBe(400);
    expect((await ask(server, "GET", "/api/usage/report.csv", { token: null })).status).toBe(401);
    const usage = await ask(server, "GET", "/api/usage?limit=1");
    expect(usage.json<{ result: object }>().result).toMatchObject({ events: [{ kind: expect.any(String) }] });
  });

  test("[US34] no cell can be taken for a formula, and quotes stay quotes", () => {
    const sum = {
      spans: 1,
      input: 1,
      output: 1,
      cache_read: 0,
      cache_creation: 0,
      reasoning: 0,
      total: 2,
      cost_usd: 0.1,
      unpriced: 0,
      mismatches: 0,
    };
    const rows = ["=1+1", "+x", "-x", "@sum", '=HYPERLINK("x","y")', "a,b", "line\nbreak"].map((key) => ({
      key,
      label: null,
      ...sum,
    }));
    const [, ...lines] = writeCsv(rows).split("\r\n");
    expect(lines.map((line) => line.replace(/,,1,1.*$/s, ""))).toEqual([
      "'=1+1",
      "'+x",
      "'-x",
      "'@sum",
      `"'=HYPERLINK(""x"",""y"")"`,
      '"a,b"',
      '"line\nbreak"',
      "",
    ]);
  });
});
