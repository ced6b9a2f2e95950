import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findingPorts } from "../../src/adapters/artifacts/findings.ts";
import { projectPorts } from "../../src/adapters/git/locate.ts";
import { forEachStore, openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { makeFolder, makeRepository } from "../git/scratch.ts";
import { dependabotAlert, inspectorFinding, writeReports } from "./findings.ts";

interface Ingested {
  total: number;
  written: number;
  created: number;
  updated: number;
  unchanged: number;
  errors: number;
  recordIds: string[];
  records: { recordId: string; title: string; severity: string; parseWarnings: string[] }[];
  errorDetails: { index: number; message: string }[];
}

async function openScene(kind: StoreKind = "sqlite", isLocal = true) {
  const home = makeFolder();
  const { path: repoPath } = makeRepository();
  const house = await openTestHouse(kind, {
    ports: { project: projectPorts(isLocal), finding: findingPorts(home) },
  });
  const ingest = (content: unknown, more: Record<string, unknown> = {}, caller = house.owner) =>
    house.call<Ingested>(
      "triage_ingest",
      { repoPath, source: "dependabot", inputPath: writeReports(repoPath, content), ...more },
      caller,
    );
  return { house, home, repoPath, ingest };
}

const recordOf = async (house: TestHouse, id: string) =>
  (await house.call<{ record: Record<string, unknown> }>("finding_get", { id })).record;

describe("what a file may hold", () => {
  test.each([
    { form: "an array", content: [dependabotAlert(1), dependabotAlert(2)] },
    { form: "alerts", content: { alerts: [dependabotAlert(1), dependabotAlert(2)] } },
    { form: "items", content: { page: 1, items: [dependabotAlert(1), dependabotAlert(2)] } },
    { form: "the first array", content: { page: 1, data: [dependabotAlert(1), dependabotAlert(2)] } },
    { form: "lines", content: `${JSON.stringify(dependabotAlert(1))}\n\n${JSON.stringify(dependabotAlert(2))}\n` },
  ])("[TG1] $form", async ({ content }) => {
    const { ingest } = await openScene();
    expect(await ingest(content)).toMatchObject({ total: 2, written: 2, created: 2, errors: 0 });
  });

  test("[TG1] a single object is one finding, whatever lists it has", async () => {
    const { ingest } = await openScene();
    expect(await ingest(inspectorFinding("a"), { source: "aws_inspector" })).toMatchObject({ total: 1, written: 1 });
  });

  test("[TG3] lines that are no JSON and entries that are no findings are told, and the others are stored", async () => {
    const { ingest } = await openScene();
    const lines = ["{half", JSON.stringify(dependabotAlert(1)), "7", "{}", JSON.stringify(dependabotAlert(2))];
    expect(await ingest(lines.join("\n"))).toMatchObject({
      total: 5,
      written: 2,
      errors: 3,
      errorDetails: [
        { index: 0, message: "The line is not JSON." },
        { index: 2, message: "A finding is an object." },
        { index: 3, message: "A finding needs a vulnerability id or a title." },
      ],
    });
  });

  test("[TG1, TG10] triage_ingest refuses with INVALID_REQUEST what is no file of findings, and FORBIDDEN what is Crewdeck's own", async () => {
    const { house, repoPath, home } = await openScene();
    writeReports(repoPath, "no json at all", "notes.txt");
    writeFileSync(join(home, "credentials.json"), '{"default": "secret"}');
    symlinkSync(join(home, "credentials.json"), join(repoPath, "link.json"));
    const refusal = (inputPath: string, more = {}) =>
      house.refusal("triage_ingest", { repoPath, source: "generic", inputPath, ...more });
    expect(await refusal("gone.json")).toBe("INVALID_REQUEST");
    expect(await refusal("notes.txt")).toBe("INVALID_REQUEST");
    expect(await refusal(".")).toBe("INVALID_REQUEST");
    expect(await refusal("notes.txt", { meta: "no pair" })).toBe("INVALID_REQUEST");
    expect(await refusal(join(home, "credentials.json"))).toBe("FORBIDDEN");
    expect(await refusal("link.json")).toBe("FORBIDDEN");
  });

  test("[TG10] off loopback triage_ingest is FORBIDDEN for what lies outside the repository", async () => {
    const { house, repoPath, ingest } = await openScene("sqlite", false);
    await house.call("repository_register", { path: repoPath });
    expect(await ingest([dependabotAlert(1)])).toMatchObject({ written: 1 });
    const outside = makeFolder();
    writeReports(outside, [dependabotAlert(1)]);
    symlinkSync(join(outside, "findings.json"), join(repoPath, "link.json"));
    expect(await house.refusal("triage_decision", { repoPath: outside, finding: "a", status: "fix" })).toBe(
      "FORBIDDEN",
    );
    for (const inputPath of [join(outside, "findings.json"), "../findings.json", "link.json", "/srv/gone.json"]) {
      expect(await house.refusal("triage_ingest", { repoPath, source: "dependabot", inputPath })).toBe("FORBIDDEN");
    }
  });

  test("[TG3] a file of more than 50,000 findings makes triage_ingest answer TOO_LARGE", async () => {
    const { house, repoPath } = await openScene();
    const inputPath = writeReports(repoPath, `[${Array.from({ length: 50_001 }, () => '{"title":"a"}').join(",")}]`);
    expect(await house.refusal("triage_ingest", { repoPath, source: "generic", inputPath })).toBe("TOO_LARGE");
  });
});

describe("what is read", () => {
  test("[TG5] an alert of Dependabot", async () => {
    const { house, ingest } = await openScene();
    const { recordIds } = await ingest([dependabotAlert(7)], { meta: { service: "checkout", tier: 1 } });
    expect(await recordOf(house, recordIds[0] ?? "")).toMatchObject({
      recordType: "finding",
      source: "dependabot",
      service: "checkout",
      repo: "acme/shop",
      meta: { tier: "1" },
      vuln: {
        vulnId: "GHSA-aaaa-bbbb-cccc",
        cve: "CVE-2026-1000",
        title: "Padding may never end",
        severity: "high",
        cvss: 7.5,
        cwe: ["CWE-835"],
        references: ["https://example.com/advisory", "https://github.com/acme/shop/security/dependabot/7"],
      },
      package: {
        name: "@acme/left-pad",
        ecosystem: "npm",
        affectedRange: "< 1.3.1",
        fixedVersion: "1.3.1",
        manifestPath: "web/package-lock.json",
      },
      parseWarnings: [],
    });
  });

  test("[TG5] a finding of Amazon Inspector, plain or in an event", async () => {
    const { house, ingest } = await openScene();
    const plain = await ingest([inspectorFinding("a")], { source: "aws_inspector" });
    const event = await ingest([{ "detail-type": "Inspector2 Finding", detail: inspectorFinding("a") }], {
      source: "aws_inspector",
    });
    expect(event.recordIds).toEqual(plain.recordIds);
    expect(await recordOf(house, plain.recordIds[0] ?? "")).toMatchObject({
      vuln: { vulnId: "CVE-2026-2000", severity: "critical", cvss: 9.8 },
      package: { name: "openssl", installedVersion: "3.0.1", fixedVersion: "3.0.2" },
      asset: { type: "AWS_ECR_CONTAINER_IMAGE", name: "shop", region: "eu-west-1", account: "111122223333" },
      parseWarnings: ["The finding names 2 packages; the first one is kept."],
    });
  });

  test("[TG5] what others write, with odd types and characters in it", async () => {
    const { house, ingest } = await openScene();
    const odd = {
      id: 17,
      title: "Open\u0000 redirect \ud800",
      severity: "Moderate",
      package: "express",
      cwe: "CWE-601",
      references: [1, null, { url: "https://example.com" }],
      __proto__: { polluted: true },
    };
    const { recordIds } = await ingest([odd, { title: "Two", severity: { no: 1 } }], { source: "manual" });
    expect(await recordOf(house, recordIds[0] ?? "")).toMatchObject({
      vuln: { title: "Open redirect", severity: "medium", cwe: ["CWE-601"], references: ["https://example.com"] },
      package: { name: "express" },
    });
    expect(await recordOf(house, recordIds[1] ?? "")).toMatchObject({ vuln: { severity: "unknown" } });
  });

  test("[TG2] without an id of its own a finding is known by its advisory, package and manifest", async () => {
    const { ingest } = await openScene();
    const about = { vulnId: "GHSA-1", package: "a", manifestPath: "x/package.json", title: "First words" };
    const first = await ingest([about], { source: "generic" });
    const again = await ingest([{ ...about, title: "Other words" }], { source: "generic" });
    const elsewhere = await ingest([{ ...about, manifestPath: "y/package.json" }], { source: "generic" });
    const other = await ingest([about], { source: "manual" });
    expect(again).toMatchObject({ recordIds: first.recordIds, updated: 1, created: 0 });
    expect(new Set([first, elsewhere, other].map(({ recordIds }) => recordIds[0])).size).toBe(3);
    expect(first.recordIds[0]).toMatch(/^[0-9a-f]{40}$/);
  });
});

forEachStore("findings", (_open, kind) => {
  test("[TG4, TG13] importing again stores nothing twice, and keeps what was decided", async () => {
    const { house, ingest } = await openScene(kind);
    const alerts = Array.from({ length: 600 }, (_, number) => dependabotAlert(number));
    const first = await ingest(alerts);
    expect(first).toMatchObject({ total: 600, written: 600, created: 600 });
    const [finding = ""] = first.recordIds;
    await house.call("triage_decision", { finding, status: "accept" });
    expect(await ingest(alerts)).toMatchObject({ created: 0, updated: 0, unchanged: 600, recordIds: first.recordIds });
    const worse = dependabotAlert(0, { dependency: { package: { name: "right-pad", ecosystem: "npm" } } });
    expect(await ingest([worse])).toMatchObject({ created: 0, updated: 1, recordIds: [finding] });
    expect(await house.call("finding_get", { id: finding })).toMatchObject({ state: "accept", package: "right-pad" });
  });

  test("[TG6] decisions are added and never changed, and the newest is the state", async () => {
    const { house, ingest } = await openScene(kind);
    const [finding = ""] = (await ingest([dependabotAlert(1)])).recordIds;
    const first = await house.call("triage_decision", {
      finding,
      status: "defer",
      justification: "After the release",
      expires: "2099-01-31",
      meta: ["ticket=7"],
      codes: ["later"],
      evidence: ["src/pad.ts:1"],
    });
    expect(first).toMatchObject({
      recordId: expect.stringMatching(/^cp_/),
      findingId: finding,
      status: "defer",
      expires: "2099-01-31T00:00:00.000Z",
      paths: { finding: `/api/findings/${finding}` },
    });
    const kinds = await house.eventsOf(() => house.call("triage_decision", { finding, status: "not_affected" }));
    expect(kinds).toEqual(["note.decided", "finding.decided"]);
    expect(await house.call("finding_get", { id: finding })).toMatchObject({
      state: "not_affected",
      decisions: [
        { status: "not_affected", justification: null, developer: house.owner.handle },
        { id: first["recordId"], status: "defer", justification: "After the release" },
      ],
    });
  });

  test("[TG6] triage_decision refuses an unknown finding with NOT_FOUND and a bad date or id with INVALID_REQUEST", async () => {
    const { house, ingest } = await openScene(kind);
    const [finding = ""] = (await ingest([dependabotAlert(1)])).recordIds;
    const refusal = (args: object) => house.refusal("triage_decision", { finding, status: "accept", ...args });
    expect(await refusal({ finding: "0".repeat(40) })).toBe("NOT_FOUND");
    expect(await refusal({ finding: "a/b" })).toBe("INVALID_REQUEST");
    expect(await refusal({ expires: "soon" })).toBe("INVALID_REQUEST");
    expect(await refusal({ expires: "2001-01-01" })).toBe("INVALID_REQUEST");
    expect(await house.call("finding_get", { id: finding })).toMatchObject({ state: "open", decisions: [] });
  });

  test("[TG7] triage_decision, triage_context_pack, finding_get and finding_plan answer NOT_FOUND for what a private developer imported", async () => {
    const { house, repoPath, ingest } = await openScene(kind);
    const { caller: mallory } = await house.developer("mallory", { private: true });
    const { caller: bob } = await house.developer("bob");
    const [id = ""] = (await ingest([dependabotAlert(1)], {}, mallory)).recordIds;
    expect(await house.refusal("finding_get", { id }, bob)).toBe("NOT_FOUND");
    expect(await house.refusal("finding_evidence", { id }, bob)).toBe("NOT_FOUND");
    expect(await house.refusal("finding_plan", { id }, bob)).toBe("NOT_FOUND");
    expect(await house.refusal("triage_decision", { finding: id, status: "fix" }, bob)).toBe("NOT_FOUND");
    expect(await house.refusal("triage_context_pack", { recordId: id, repoPath }, bob)).toBe("NOT_FOUND");
    expect(await house.call("finding_list", {}, bob)).toEqual({ findings: [], counts: [] });
    expect(await house.call("finding_get", { id }, mallory)).toMatchObject({ state: "open" });
    await ingest([dependabotAlert(1)], {}, bob);
    expect(await house.call("finding_get", { id }, house.owner)).toMatchObject({ developer: "bob" });
  });

  test("[TG17] a finding follows its scanner until somebody decides, and comes back when it is seen again", async () => {
    const { house, ingest } = await openScene(kind);
    const reports = (states: readonly object[]) => states.map((state, number) => dependabotAlert(number, { ...state }));
    const [open, fixed] = [{ state: "open" }, { state: "fixed" }];
    const dismissed = (dismissed_reason: string) => ({ state: "dismissed", dismissed_reason });
    const first = await ingest(
      reports([open, fixed, dismissed("inaccurate"), { state: "auto_dismissed" }, open, open]),
    );
    expect(first).toMatchObject({ created: 6, closed: 3, reopened: 0 });
    const states = async (ids = first.recordIds) => {
      const found: unknown[] = [];
      for (const id of ids) found.push((await house.call("finding_get", { id }))["state"]);
      return found;
    };
    expect(await states()).toEqual(["open", "fixed", "false_positive", "accept", "open", "open"]);
    await house.call("triage_decision", { finding: first.recordIds[4], status: "accept" });
    await house.call("triage_decision", { finding: first.recordIds[5], status: "fix" });
    const second = await ingest(reports([dismissed("no_bandwidth"), open, open, open, fixed, fixed]));
    expect(second).toMatchObject({ updated: 6, closed: 2, reopened: 3 });
    expect(await states()).toEqual(["defer", "open", "open", "open", "accept", "fixed"]);
    await ingest(reports([open, open, open, open, open, open]));
    expect(await states()).toEqual(["open", "open", "open", "open", "accept", "open"]);

    const inspected = ["ACTIVE", "CLOSED", "SUPPRESSED"].map((status) => ({ ...inspectorFinding(status), status }));
    const { recordIds } = await ingest(inspected, { source: "aws_inspector" });
    expect(await states(recordIds)).toEqual(["open", "fixed", "accept"]);
    expect(await recordOf(house, recordIds[2] ?? "")).toMatchObject({ scanner: { state: "dismissed", reason: null } });
  });

  test("[TG18] what was decided comes back when it expires, and says what it was", async () => {
    const { house, ingest } = await openScene(kind);
    const [id = "", other = ""] = (await ingest([dependabotAlert(1), dependabotAlert(2)])).recordIds;
    const expires = new Date(house.clock.now() + 60_000).toISOString();
    const said = {
      justification: "After the release",
      reviewer: "Security",
      codes: ["later"],
      evidence: ["src/a.ts:1"],
    };
    await house.call("triage_decision", { finding: id, status: "defer", expires, ...said });
    await house.call("triage_decision", { finding: other, status: "accept" });
    const list = (state: string) => house.call("finding_list", { state: [state] });
    expect(await list("open")).toMatchObject({ findings: [], counts: [{ count: 1 }, { count: 1 }] });
    expect(await list("defer")).toMatchObject({ findings: [{ id, expires, expired_state: null }] });
    house.clock.advance(60_000);
    expect(await list("defer")).toMatchObject({ findings: [] });
    const due = await list("open");
    expect(due).toMatchObject({ findings: [{ id, state: "open", expires, expired_state: "defer" }] });
    expect(due["counts"]).toHaveLength(2);
    expect(due["counts"]).toContainEqual({ state: "open", severity: "high", count: 1 });
    const decision = { status: "defer", expires, ...said, developer: house.owner.handle };
    expect(await house.call("finding_get", { id })).toMatchObject({ state: "open", decisions: [decision] });
    await house.call("triage_decision", { finding: id, status: "accept" });
    expect(await house.call("finding_get", { id })).toMatchObject({ state: "accept", expires: null });
  });

  test("[TG8, TG9] a planned fix closes its finding when it is done, and opens it again when it is cancelled", async () => {
    const { house, ingest } = await openScene(kind);
    const [one = "", two = ""] = (
      await ingest([
        dependabotAlert(1),
        dependabotAlert(2, {
          dependency: { package: { name: "zebra-parser", ecosystem: "pip" }, manifest_path: "tools/requirements.txt" },
          security_advisory: { ghsa_id: "GHSA-zzzz-yyyy-xxxx", summary: "Stripes overflow", severity: "low" },
        }),
      ])
    ).recordIds;
    const { task_id } = await house.call<{ task_id: string }>("finding_plan", { id: one });
    expect(await house.call("finding_get", { id: one })).toMatchObject({ state: "fix", task_id });
    expect(await house.refusal("finding_plan", { id: one })).toBe("INVALID_STATE");
    const plan = { id: two, confirm: true };
    expect(await house.refusal("finding_plan", plan)).toBe("INVALID_INPUT");
    const other = await house.call<{ task_id: string }>("finding_plan", {
      ...plan,
      confirmation_reason: "Another one",
    });

    await house.call("covibe_task", { operation: "cancel", task_id: other.task_id, reason: "Not now" });
    expect(await house.call("finding_get", { id: two })).toMatchObject({ state: "open", task_id: null });

    const title = "Fix GHSA-aaaa-bbbb-cccc in @acme/left-pad";
    await house.call("covibe_task", { operation: "check", title, task_type: "bug", planned_task_id: task_id });
    await house.call("covibe_task", { operation: "start_planned", task_id });
    const kinds = await house.eventsOf(() =>
      house.call("covibe_task", { operation: "complete", task_id, result_summary: "Updated to 1.3.1" }),
    );
    expect(kinds).toContain("finding.fixed");
    expect(await house.call("finding_get", { id: one })).toMatchObject({
      state: "fixed",
      task_id,
      task_is_open: false,
    });

    // It came back, and the next task for it fails.
    const again = { id: one, confirm: true, confirmation_reason: "It came back" };
    const second = await house.call<{ task_id: string }>("finding_plan", again);
    expect(await house.call("finding_get", { id: one })).toMatchObject({ task_id: second.task_id, task_is_open: true });
    expect(await house.refusal("finding_plan", again)).toBe("INVALID_STATE");
    const step = (to: object) => house.call("task_update_status", { id: second.task_id, ...to });
    for (const status of ["planning", "in_progress"]) await step({ status });
    await step({ status: "failed", error: "It doesn't build" });
    expect(await house.call("finding_list", { state: ["fix"] })).toMatchObject({ findings: [{ task_is_open: false }] });
    const third = await house.call<{ task_id: string }>("finding_plan", again);
    expect(third.task_id).not.toBe(second.task_id);
  });

  test("[TG14] the worst come first, and states and severities are counted", async () => {
    const { house, ingest } = await openScene(kind);
    const of = (severity: string, place: number) => ({ id: place, title: `Finding ${place}`, severity });
    await ingest(["low", "critical", "info", "high", "critical"].map(of), { source: "manual" });
    const { findings, counts } = await house.call<{ findings: { severity: string }[]; counts: unknown[] }>(
      "finding_list",
      {},
    );
    expect(findings.map(({ severity }) => severity)).toEqual(["critical", "critical", "high", "low", "info"]);
    expect(counts).toContainEqual({ state: "open", severity: "critical", count: 2 });
    expect(await house.call("finding_list", { severity: ["low"], state: ["open"] })).toMatchObject({
      findings: [{ title: "Finding 0" }],
    });
  });
});

test("[TG13, TG16] 10,000 findings are imported twice without storing one of them twice, and each can be found", async () => {
  const house = await openTestHouse("sqlite");
  const { path: repoPath } = makeRepository();
  const ingest = (lines: string) =>
    house.call<Ingested>("triage_ingest", {
      repoPath,
      source: "dependabot",
      inputPath: writeReports(repoPath, lines),
    });
  const lines = Array.from({ length: 10_000 }, (_, number) => JSON.stringify(dependabotAlert(number))).join("\n");
  const first = await ingest(lines);
  expect(first).toMatchObject({ total: 10_000, written: 10_000, created: 10_000, errors: 0 });
  expect(first.records).toHaveLength(100);
  const second = await ingest(lines);
  expect(second).toMatchObject({ created: 0, updated: 0, unchanged: 10_000 });
  expect(second.recordIds).toEqual(first.recordIds);
  const { counts } = await house.call<{ counts: { count: number }[] }>("finding_list", {});
  expect(counts).toEqual([{ state: "open", severity: "high", count: 10_000 }]);
  const find = (args: object) => house.call("search", { mode: "records", ...args });
  for (let number = 9_000; number < 9_010; number += 1) {
    const query = `"dependabot/${number}"`;
    expect(await find({ query })).toMatchObject({ total: 1, records: [{ kind: "finding" }], warnings: [] });
  }
  expect(await find({ query: "padding", type: "finding" })).toMatchObject({ total: 10_000 });
  expect(await find({ query: "", type: "finding", meta: "vuln.severity=high" })).toMatchObject({ total: 10_000 });
});

test("[TG15] a decision is found by what was decided and by the fields of its finding", async () => {
  const house = await openTestHouse("sqlite");
  const { path: repoPath } = makeRepository();
  const [finding = ""] = (
    await house.call<Ingested>("triage_ingest", {
      repoPath,
      source: "dependabot",
      inputPath: writeReports(repoPath, [dependabotAlert(1)]),
      meta: { service: "shop" },
    })
  ).recordIds;
  const expires = "2099-01-01T00:00:00.000Z";
  const decided = { finding, status: "accept", justification: "Only in tests", expires };
  const { recordId } = await house.call<{ recordId: string }>("triage_decision", decided);
  const find = (args: Record<string, unknown>) => house.call("search", { mode: "records", ...args });
  const decision = {
    id: recordId,
    kind: "decision",
    name: "Only in tests",
    headline: "Only in tests",
    meta: {
      recordId,
      recordType: "decision",
      findingId: finding,
      service: "shop",
      decision: { status: "accept", expires },
    },
  };
  expect(await find({ query: "tests", meta: "decision.status=accept" })).toMatchObject({ records: [decision] });
  expect(await find({ query: "", type: "decision", meta: ["package.name=left-pad", "service=shop"] })).toMatchObject({
    records: [{ id: recordId }],
  });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(await find({ query: "left-pad", type: "finding" })).toMatchObject({
    records: [{ id: finding, meta: { recordType: "finding", createdAt: time, updatedAt: time } }],
  });
});

test("[TG11] a pack has the finding, decisions about its like, and what to look for", async () => {
  const { house, repoPath, home, ingest } = await openScene();
  const [one = "", two = ""] = (await ingest([dependabotAlert(1), dependabotAlert(2)])).recordIds;
  for (let count = 0; count < 7; count += 1) {
    await house.call("triage_decision", { finding: two, status: "accept", justification: `Reason ${count}` });
  }
  const { recordId: decision } = await house.call("triage_decision", { finding: one, status: "defer" });
  const packed = await house.call<{ path: string }>("triage_context_pack", { recordId: one, repoPath });
  expect(packed).toMatchObject({
    recordId: one,
    counts: { history: 5 },
    path: join(home, "index", "triage", `${one}.json`),
  });
  const pack = JSON.parse(readFileSync(packed.path, "utf8"));
  expect([pack.finding.createdAt, pack.history[0].createdAt].map((time) => new Date(time).toISOString())).toEqual([
    pack.finding.createdAt,
    pack.history[0].createdAt,
  ]);
  expect(pack).toMatchObject({
    finding: { recordId: one },
    repoEvidence: {
      queries: ["GHSA-aaaa-bbbb-cccc", "CVE-2026-1000", "@acme/left-pad", "left_pad", "left-pad", "package-lock.json"],
    },
  });
  expect(pack.history[0]).toMatchObject({ recordId: decision, decision: { status: "defer" } });
  const again = await house.call("triage_context_pack", { recordId: decision, repoPath });
  expect(again).toMatchObject({ recordId: one });
});

test("[TG12] triage_context_pack is FORBIDDEN to write outside the home or over its own files, and writes nothing", async () => {
  const { house, repoPath, home, ingest } = await openScene();
  const [recordId = ""] = (await ingest([dependabotAlert(1)])).recordIds;
  writeFileSync(join(home, "config.json"), "{}");
  mkdirSync(join(home, "index"));
  symlinkSync(repoPath, join(home, "away"));
  const outside = [
    join(repoPath, "p.json"),
    "../p.json",
    "away/p.json",
    "config.json",
    "Config.JSON",
    "crewdeck.db",
    ".",
  ];
  for (const outPath of [...outside, "logs/p.json", "index/p.json", "vault/x", "server.json", home]) {
    expect(await house.refusal("triage_context_pack", { recordId, repoPath, outPath })).toBe("FORBIDDEN");
  }
  expect(readFileSync(join(home, "config.json"), "utf8")).toBe("{}");
  const packed = await house.call<{ path: string }>("triage_context_pack", {
    recordId,
    repoPath,
    outPath: "packs/p.json",
  });
  expect(packed.path).toBe(join(home, "packs", "p.json"));
  expect(await house.refusal("triage_context_pack", { recordId, repoPath: home })).toBe("INVALID_REQUEST");
  expect(await house.refusal("triage_context_pack", { recordId, repoPath, ann: true })).toBe("CAPABILITY_MISSING");
});
