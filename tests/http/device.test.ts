import { expect, onTestFinished, test } from "vitest";
import { freshLocation, type StoreKind } from "../../src/testing/house.ts";
import { openStillHouse, traceOf } from "../domain/still-house.ts";
import { type Answer, addDeveloper, addToken, ask, callTool } from "./raw.ts";
import { type OpenServer, openServer } from "./routes.ts";
import { serveHouse } from "./server.ts";

const stores: readonly StoreKind[] = ["sqlite", "postgres"];

/** A server whose time only moves by hand: limits and pauses do not depend on how busy the machine is. */
async function openStillServer(store: StoreKind = "sqlite"): Promise<OpenServer> {
  const house = await openStillHouse(store);
  const server = await serveHouse(house.house, house.ownerToken);
  onTestFinished(() => server.close());
  return { ...server, house };
}

interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly expires_in: number;
  readonly interval: number;
}

interface Poll {
  readonly status: string;
  readonly interval: number;
  readonly tokens?: Record<string, string>;
}

const post = (server: OpenServer, path: string, body: unknown): Promise<Answer> =>
  ask(server, "POST", path, { body, token: null });

async function request(server: OpenServer, more: Record<string, unknown> = {}): Promise<Codes> {
  const body = { machine_name: "laptop", agents: ["claude-code", "codex"], ...more };
  const answer = await post(server, "/api/setup/device", body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ result: Codes }>().result;
}

/** A poll after the pause that is asked for. */
async function poll(server: OpenServer, { device_code }: Codes): Promise<Poll> {
  server.house.clock.advance(5_000);
  const answer = await post(server, "/api/setup/device/poll", { device_code });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<{ result: Poll }>().result;
}

const approve = (server: OpenServer, code: string, token = server.token) =>
  callTool<{ status: string }>(server, "device_approve", { code }, { token });

const storedText = (server: OpenServer): Promise<string> =>
  server.house.house.store.read(async (db) =>
    JSON.stringify([
      await db.all(db.q.selectFrom("deviceGrant").selectAll()),
      await db.all(db.q.selectFrom("token").selectAll()),
      await db.all(db.q.selectFrom("ledger").selectAll()),
      await db.all(db.q.selectFrom("answer").selectAll()),
    ]),
  );

test.each(stores)("[DF1] a machine gets its codes once, and they are stored as hashes only, on %s", async (store) => {
  const server = await openStillServer(store);
  const codes = await request(server);
  expect(codes).toEqual({
    device_code: expect.stringMatching(/^cdd_[\w-]{43}$/),
    user_code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/),
    verification_uri: `${server.url}/deck/device`,
    expires_in: 600,
    interval: 5,
  });
  await server.house.entries();
  const stored = await storedText(server);
  for (const secret of [
    codes.device_code,
    codes.device_code.slice(4),
    codes.user_code,
    codes.user_code.replace("-", ""),
  ]) {
    expect(stored).not.toContain(secret);
  }
  expect((await request(server)).user_code).not.toBe(codes.user_code);
});

test.each(
  stores,
)("[DF2, DF3] a machine waits, is approved and gets one typed token for each agent, on %s", async (store) => {
  const server = await openStillServer(store);
  const { token: bobs } = await addDeveloper(server, "bob");
  const codes = await request(server);
  expect(await poll(server, codes)).toEqual({ status: "pending", interval: 5 });
  expect(await approve(server, codes.user_code, bobs)).toMatchObject({
    status: "approved",
    device: { machine_name: "laptop", agents: ["claude-code", "codex"], status: "approved" },
  });

  let granted: Poll | undefined;
  const { work } = await traceOf(server.house, async () => {
    granted = await poll(server, codes);
  });
  expect(granted).toEqual({
    status: "approved",
    interval: 5,
    tokens: { "claude-code": expect.stringMatching(/^cdk_/), codex: expect.stringMatching(/^cdk_/) },
  });
  expect(work.map(({ kind, data }) => [kind, data])).toEqual([
    ["token.created", { developer_id: expect.any(String), label: "claude-code on laptop", agent_type: "claude-code" }],
    ["token.created", { developer_id: expect.any(String), label: "codex on laptop", agent_type: "codex" }],
    ["device.consumed", { developer_id: expect.any(String) }],
  ]);
  for (const [agentType, token] of Object.entries(granted?.tokens ?? {})) {
    expect(await server.house.house.authenticator.identify(token)).toMatchObject({ handle: "bob", agentType });
    expect(await storedText(server)).not.toContain(token.slice(-43));
  }
  expect(await poll(server, codes)).toEqual({ status: "consumed", interval: 5 });
});

test("[DF2] a machine that is denied or waits too long is told so, and gets nothing", async () => {
  const server = await openStillServer();
  const [denied, late, approvedLate] = [await request(server), await request(server), await request(server)];
  expect(await callTool(server, "device_deny", { code: denied.user_code })).toMatchObject({ status: "denied" });
  expect(await poll(server, denied)).toEqual({ status: "denied", interval: 5 });
  expect(await approve(server, denied.user_code)).toEqual({ status: "unknown", device: null });
  await approve(server, approvedLate.user_code);
  server.house.clock.advance(600_000);
  expect(await poll(server, late)).toEqual({ status: "expired", interval: 5 });
  expect(await poll(server, approvedLate)).toEqual({ status: "expired", interval: 5 });
  expect(await approve(server, late.user_code)).toEqual({ status: "unknown", device: null });
  const { tokens } = await callTool<{ tokens: unknown[] }>(server, "token_list");
  expect(tokens).toHaveLength(1);
});

test.each(stores)("[DF4, DF5] of many polls at once one gets the tokens, on %s", async (store) => {
  const server = await openStillServer(store);
  const codes = await request(server);
  await approve(server, codes.user_code);
  const { device_code } = codes;
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => post(server, "/api/setup/device/poll", { device_code })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(11);
  for (const { headers } of refused) expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
  const { tokens } = await callTool<{ tokens: { agent_type: string | null }[] }>(server, "token_list");
  expect(tokens.flatMap(({ agent_type }) => agent_type ?? []).sort()).toEqual(["claude-code", "codex"]);
});

test("[DF5] a poll that comes too soon is told how long to wait, and does not lengthen the wait", async () => {
  const server = await openStillServer();
  const codes = await request(server);
  await poll(server, codes);
  server.house.clock.advance(2_000);
  const soon = await post(server, "/api/setup/device/poll", { device_code: codes.device_code });
  expect([soon.status, soon.headers["retry-after"]]).toEqual([429, "3"]);
  server.house.clock.advance(3_000);
  expect((await post(server, "/api/setup/device/poll", { device_code: codes.device_code })).status).toBe(200);
});

test("[DF14] a poll after the clock was set back is answered, and the pause begins with it", async () => {
  const server = await openStillServer();
  const codes = await request(server);
  await poll(server, codes);
  server.house.clock.advance(-3_600_000);
  const ask = { device_code: codes.device_code };
  expect((await post(server, "/api/setup/device/poll", ask)).status).toBe(200);
  expect((await post(server, "/api/setup/device/poll", ask)).status).toBe(429);
});

test("[DF6] a code that nobody was given is unknown, whatever it looks like", async () => {
  const server = await openStillServer();
  const codes = await request(server);
  for (const device_code of [`${codes.device_code}x`, codes.device_code.slice(0, -1), codes.user_code, "cdd_", "'--"]) {
    const answer = await post(server, "/api/setup/device/poll", { device_code });
    expect([answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([404, "NOT_FOUND"]);
    expect(answer.text).not.toContain(codes.device_code);
  }
});

test.each([
  {},
  { machine_name: "x" },
  { machine_name: "", agents: ["codex"] },
  { machine_name: "x", agents: [] },
  { machine_name: "x", agents: ["codex", "codex"] },
  { machine_name: "x", agents: ["root"] },
  { machine_name: "x".repeat(101), agents: ["codex"] },
  { machine_name: "x", agents: ["codex"], developer: "ada" },
])("[DF1] %j is no request", async (body) => {
  const server = await openStillServer();
  const answer = await post(server, "/api/setup/device", body);
  expect([answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([400, "INVALID_REQUEST"]);
});

test("[DF6] strangers who ask or poll too often are slowed down", async () => {
  const server = await openStillServer();
  for (let count = 0; count < 10; count += 1) await request(server);
  const more = await post(server, "/api/setup/device", { machine_name: "x", agents: ["codex"] });
  expect([more.status, Number(more.headers["retry-after"])]).toEqual([429, 10]);
  server.house.clock.advance(10_000);
  await request(server);
  const statuses = new Set<number>();
  for (let count = 0; count < 70; count += 1) {
    statuses.add((await post(server, "/api/setup/device/poll", { device_code: `cdd_${count}` })).status);
  }
  expect([...statuses].sort()).toEqual([404, 429]);
});

test("[DF11] a hundred machines wait at one time and no more", async () => {
  const server = await openStillServer();
  for (let count = 0; count < 100; count += 1) {
    await addWaiting(server, count);
  }
  const more = await post(server, "/api/setup/device", { machine_name: "x", agents: ["codex"] });
  expect([more.status, more.headers["retry-after"]]).toEqual([429, "60"]);
  server.house.clock.advance(600_001);
  await request(server);
});

/** A machine that waits, without the route that slows strangers down. */
async function addWaiting(server: OpenServer, count: number): Promise<void> {
  const { house } = server.house;
  const now = house.sources.now();
  await house.store.transact(async (db) => {
    await db.run(
      db.q.insertInto("deviceGrant").values({
        id: `dg_${count}`,
        codeHash: `c${count}`,
        userCodeHash: `u${count}`,
        machineName: "x",
        agents: "[]",
        status: "pending",
        developerId: null,
        expiresAt: now + 600_000,
        lastPollAt: null,
        createdAt: now,
        version: 1,
      }),
    );
    return { value: undefined, entries: [] };
  });
}

test("[DF7] a code is typed as people type, by a person and not by an agent", async () => {
  const server = await openStillServer();
  const ways: ((code: string) => string)[] = [
    (code) => code.toLowerCase(),
    (code) => code.replace("-", ""),
    (code) => ` ${code.replace("-", " - ")} `,
  ];
  for (const way of ways) {
    const { user_code } = await request(server);
    expect((await approve(server, way(user_code))).status).toBe("approved");
  }
  const { user_code } = await request(server);
  const { token } = await addToken(server, { agent_type: "codex" });
  for (const tool of ["device_approve", "device_deny", "device_list"]) {
    const body = tool === "device_list" ? {} : { code: user_code };
    const answer = await ask(server, "POST", `/api/tools/${tool}`, { body, token });
    expect([tool, answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([
      tool,
      403,
      "FORBIDDEN",
    ]);
  }
});

test.each(
  stores,
)("[DF8] ten wrong codes are forgiven, the next is refused until ten minutes have passed, on %s", async (store) => {
  const server = await openStillServer(store);
  const { user_code } = await request(server);
  const { token } = await addDeveloper(server, "mallory");
  for (let count = 0; count < 10; count += 1) {
    const guess = `AAAA-AAA${"23456789AB"[count]}`;
    expect(await approve(server, guess, token)).toEqual({ status: "unknown", device: null });
  }
  for (const tool of ["device_approve", "device_deny"]) {
    const answer = await ask(server, "POST", `/api/tools/${tool}`, { body: { code: user_code }, token });
    const { error } = answer.json<{ error: { code: string } }>();
    expect([tool, answer.status, error.code]).toEqual([tool, 429, "RATE_LIMITED"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(500);
  }
  // Whoever types nothing wrong is not held up by it.
  expect((await approve(server, user_code)).status).toBe("approved");
  server.house.clock.advance(600_001);
  expect((await approve(server, user_code, token)).status).toBe("unknown");
});

test("[DF9] who approved may repeat it, nobody else can take the machine over", async () => {
  const server = await openStillServer();
  const { token: bobs } = await addDeveloper(server, "bob");
  const codes = await request(server);
  await approve(server, codes.user_code);
  const { work } = await traceOf(server.house, async () => {
    expect((await approve(server, codes.user_code)).status).toBe("approved");
    expect((await approve(server, codes.user_code, bobs)).status).toBe("unknown");
    const denial = await callTool<{ status: string }>(
      server,
      "device_deny",
      { code: codes.user_code },
      { token: bobs },
    );
    expect(denial.status).toBe("unknown");
  });
  expect(work).toEqual([]);
  const { tokens = {} } = await poll(server, codes);
  const caller = await server.house.house.authenticator.identify(tokens["codex"]);
  expect(caller.handle).toBe(server.house.owner.handle);
  expect((await approve(server, codes.user_code)).status).toBe("unknown");
});

test("[DF10] the list shows who waits and one's own decisions, and never a code", async () => {
  const server = await openStillServer();
  const { token: bobs } = await addDeveloper(server, "bob");
  const [first, second] = [
    await request(server, { machine_name: "one" }),
    await request(server, { machine_name: "two" }),
  ];
  await approve(server, first.user_code, bobs);
  const seenBy = async (token: string) => {
    const { devices } = await callTool<{ devices: { machine_name: string; status: string }[] }>(
      server,
      "device_list",
      {},
      { token },
    );
    for (const { device_code, user_code } of [first, second]) {
      expect(JSON.stringify(devices)).not.toContain(device_code);
      expect(JSON.stringify(devices)).not.toContain(user_code);
    }
    return devices.map(({ machine_name, status }) => [machine_name, status]).sort();
  };
  expect(await seenBy(server.token)).toEqual([["two", "pending"]]);
  expect(await seenBy(bobs)).toEqual([
    ["one", "approved"],
    ["two", "pending"],
  ]);
  server.house.clock.advance(600_001);
  expect(await seenBy(bobs)).toEqual([["one", "expired"]]);
});

test("[DF4] two servers on one database make one set of tokens", async () => {
  const location = freshLocation("postgres");
  const [one, two] = [
    await openServer({ store: "postgres", location }),
    await openServer({ store: "postgres", location }),
  ];
  const codes = await request(one);
  await approve(one, codes.user_code);
  const body = { device_code: codes.device_code };
  const answers = await Promise.all([one, two, one, two].map((server) => post(server, "/api/setup/device/poll", body)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const { tokens } = await callTool<{ tokens: { agent_type: string | null }[] }>(one, "token_list");
  expect(tokens.filter(({ agent_type }) => agent_type !== null)).toHaveLength(2);
});
