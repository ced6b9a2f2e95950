import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { forEachStore, openTestHouse } from "../../src/testing/house.ts";
import { makeRepository } from "../git/scratch.ts";

interface Records {
  readonly records: readonly { readonly id: string; readonly kind: string; readonly name: string }[];
  readonly total: number;
}

forEachStore("[IX9, IX15] records are searched", (open) => {
  test("[IX9, IX15] by words, kind and fields, without those of private people", async () => {
    const house = await open();
    const hidden = await house.developer("hidden", { private: true });
    const { caller: other } = await house.developer("other");
    const start = (title: string, caller = house.owner) =>
      house.call(
        "covibe_task",
        { operation: "plan", task_type: "chore", title, description: "It is about zebras." },
        caller,
      );
    await start("Open task");
    await start("Hidden task", hidden.caller);
    await house.call("covibe_note", { kind: "decision", text: "Zebras stay striped." });
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob", other)];
    await house.call("message_send", {
      sender_id: ada,
      recipient_id: bob,
      message_type: "notification",
      body: "Three zebras arrived.",
    });
    const find = (args: Record<string, unknown>, caller = house.owner) =>
      house.call<Records>("search", { mode: "records", query: "zebras", top: 50, ...args }, caller);
    const names = async (args: Record<string, unknown>, caller = house.owner) =>
      (await find(args, caller)).records.map(({ name }) => name).sort();
    expect(await names({ type: "task" })).toEqual(["Open task"]);
    expect(await names({ type: "task" }, hidden.caller)).toEqual(["Hidden task", "Open task"]);
    expect(await names({ type: "message" })).toEqual(["Three zebras arrived."]);
    expect(await names({ type: "message" }, hidden.caller)).toEqual([]);
    expect(await names({ type: "decision" }, other)).toEqual(["Zebras stay striped."]);
    expect(await names({ type: "task", meta: "status=active" })).toEqual([]);
    expect(await names({ type: "task", meta: ["status", "status=planned"] })).toEqual(["Open task"]);
    expect(await names({ metaJson: '{"status": "planned"}' })).toEqual(["Open task"]);
    expect(await names({ lang: "ts" })).toEqual([]);
    expect(await names({ query: "zebras -arrived", author: "ada" })).toContain("Open task");
    expect(await names({ query: "zebras\narrived" })).toContain("Three zebras arrived.");
    expect(await house.refusal("search", { mode: "records", query: "x", type: "planet" })).toBe("INVALID_REQUEST");
    expect(await house.refusal("search", { mode: "records", query: "x", metaJson: "[1]" })).toBe("INVALID_REQUEST");
  });
});

test("[IX16] what git can't use is GIT_ERROR for build_index, build_sqlite_index, compact_sqlite_index, search and index_status", async () => {
  const { path: repoPath } = makeRepository();
  const house = await openTestHouse("sqlite");
  await house.call("build_index", { repoPath });
  rmSync(join(repoPath, ".git", "index"), { force: true });
  mkdirSync(join(repoPath, ".git", "index"));
  expect(await house.refusal("build_index", { repoPath })).toBe("GIT_ERROR");
  expect(await house.refusal("search", { repoPath, query: "x" })).toBe("GIT_ERROR");
  expect(await house.refusal("index_status", { repoPath })).toBe("GIT_ERROR");
  expect(await house.refusal("build_sqlite_index", { repoPath })).toBe("GIT_ERROR");
  expect(await house.refusal("compact_sqlite_index", { repoPath })).toBe("GIT_ERROR");
});

test("[RL2, RL3] build_index, search and index_status are INVALID_REQUEST outside of a repository and FORBIDDEN off loopback", async () => {
  const { path } = makeRepository();
  const here = await openTestHouse("sqlite");
  const open = await openTestHouse("sqlite", { ports: { project: projectPorts(false) } });
  for (const tool of ["build_index", "index_status", "search"]) {
    const more = tool === "search" ? { query: "x" } : {};
    expect(await here.refusal(tool, { repoPath: "/nowhere/at/all", ...more })).toBe("INVALID_REQUEST");
    expect(await open.refusal(tool, { repoPath: path, ...more })).toBe("FORBIDDEN");
  }
});

forEachStore("[TG16] a database leaves out only what can't be meant", (open) => {
  test("[TG16] quotes, backslashes, wildcards, letters beyond ASCII, stems and patterns are found in what is kept as JSON", async () => {
    const house = await open();
    const texts = [
      'The "quoted" path C:\\temp\\new is 100% full_of Äpfel',
      "Parties were running\nover two lines",
      "Nothing of the kind",
    ];
    const [ada, bob] = [await house.agent("Ada"), await house.agent("Bob")];
    for (const body of texts) {
      await house.call("message_send", { sender_id: ada, recipient_id: bob, message_type: "notification", body });
    }
    const count = async (query: string, more = {}) =>
      (await house.call<Records>("search", { mode: "records", type: "message", query, ...more })).total;
    const first = [
      '"\\"quoted\\" path"',
      "C:\\temp\\new",
      "100%",
      "full_of",
      "äpfel",
      "/qu[o]ted.*FULL/i",
      "Äpfel full",
    ];
    for (const query of first) expect([query, await count(query)]).toEqual([query, 1]);
    const second = [
      "PARTIES running",
      "party\nrun",
      "/were r[uv]nning/",
      "over OR missing",
      "two -quoted",
      "(lines missing) OR running",
    ];
    for (const query of second) expect([query, await count(query)]).toEqual([query, 1]);
    for (const query of ["1009", "fullXof", "C:/temp", "parties quoted"])
      expect([query, await count(query)]).toEqual([query, 0]);
    expect(await count("PARTIES", { case: true })).toBe(0);
    expect(await count("-nothing")).toBe(2);
    expect(await count("ä -nothing")).toBe(1);
  });
});
