import { describe, expect, test } from "vitest";
import type { OverlapDoc } from "../../../src/domain/overlap/engine/doc.ts";
import { featureNames } from "../../../src/domain/overlap/engine/features.ts";
import { OverlapIndex } from "../../../src/domain/overlap/engine/overlap-index.ts";
import { defaultSettings } from "../../../src/domain/overlap/engine/settings.ts";
import { shippedWeights } from "../../../src/domain/overlap/engine/weights.ts";
import { compare, indexOf, scoreOne, workOf } from "./docs.ts";
import { reworded } from "./fixture.ts";

const title = "Retry failed invoice webhooks with backoff";

describe("tiers", () => {
  test("[OV10] the same title is identical and near certain", () => {
    expect(compare(workOf(title), workOf(`[high] ${title.toUpperCase()}!`))).toMatchObject({
      tier: "identical",
      escalates: true,
      suppressedBy: null,
      features: { identicalTitle: 1 },
    });
    expect(compare(workOf(title), workOf(title)).score).toBeGreaterThanOrEqual(0.95);
  });

  test("[OV11] the same ticket and the same kind of work is identical, another kind is not", () => {
    const asked = workOf("Fix null invoice totals from PR 389");
    expect(compare(asked, workOf("Invoice totals are null (#389)"))).toMatchObject({
      tier: "identical",
      escalates: true,
    });
    expect(compare(asked, workOf("Test invoice totals of PR 389")).tier).not.toBe("identical");
    expect(compare(asked, workOf("Invoice totals are null (#390)")).tier).not.toBe("identical");
    expect(compare(asked, workOf("Rename the ledger module (#389)")).tier).not.toBe("identical");
    const [fix, audit] = [{ action: "fix" }, { action: "audit" }];
    expect(compare({ ...asked, ...fix }, workOf("Invoice totals are null (#389)", audit)).tier).not.toBe("identical");
  });

  test("[OV12] a shared file raises the score, a rare one more than one that everybody touches", () => {
    const busy = Array.from({ length: 50 }, (_, at) => workOf(`Something else ${at}`, { files: ["CHANGELOG.md"] }));
    const index = indexOf(busy);
    const score = (files: string[], other: string[]): number =>
      scoreOne(index, workOf("Rework session expiry", { files }), workOf("Session expiry is wrong", { files: other }))
        .score;
    const [none, common, rare] = [
      score([], []),
      score(["CHANGELOG.md", "a"], ["CHANGELOG.md", "b"]),
      score(["x", "a"], ["x", "b"]),
    ];
    expect(common).toBeGreaterThan(none);
    expect(rare).toBeGreaterThan(common);
  });

  test("[OV12] a different repository lowers the score, an unknown one does not", () => {
    const score = (one: string | null, other: string | null): number =>
      compare(workOf("Rework session expiry", { repo: one }), workOf("Session expiry is wrong", { repo: other })).score;
    expect(score("shop", "ledger")).toBeLessThan(score("shop", "shop"));
    expect(score("shop", null)).toBe(score("shop", "Shop "));
  });

  test("[OV12] work with nothing but a file in common is context, below the floor, and does not escalate", () => {
    const index = indexOf([
      workOf("Colour of the buttons", { files: ["./src/app.css"] }),
      workOf("Nothing to do with it"),
    ]);
    const [match, ...more] = index.search(workOf("Invoice rounding", { files: ["src/app.css"] }));
    expect(more).toEqual([]);
    expect(match).toMatchObject({ id: "Colour of the buttons", tier: "context", escalates: false });
    expect(match?.score).toBeLessThan(defaultSettings.warnFloor);
    expect(match?.reasons).toEqual(["Both touch src/app.css"]);
  });

  test("[OV26] a sentence that both add raises the score of any pair in doubt, and none of its words is a step down", () => {
    const words = "Customers reported it after the March release and support could not reproduce it".split(" ");
    for (const { asked, existing } of reworded.filter((pair) => pair.existing.description === null)) {
      const scores = [0, ...words].map((_, count) => {
        const description = words.slice(0, count).join(" ");
        return compare({ ...asked, description }, { ...existing, description }).score;
      });
      const [before = 0, last = 0] = [scores[0], scores.at(-1)];
      if (before < 0.7) expect(last).toBeGreaterThan(before * 1.05);
      for (const [at, score] of scores.entries()) expect(score).toBeGreaterThan((scores[at - 1] ?? 0) - 0.01);
    }
  });

  test("[OV13] the first two tasks of a workspace are compared by what words tell elsewhere", () => {
    const telling = compare(workOf("Add OAuth to gateway"), workOf("Add OAuth to websocket"));
    const idle = compare(workOf("Add new gateway"), workOf("Add new websocket"));
    expect(telling.features["titleCosine"]).toBeGreaterThan(2 * (idle.features["titleCosine"] ?? 1));
  });
});

describe("what keeps a match from escalating", () => {
  const known = (one: Partial<OverlapDoc>, other: Partial<OverlapDoc> = one) =>
    compare(workOf(title, one), workOf(title, other)).suppressedBy;

  test.each([
    { rule: "OV14", when: "nothing is said", one: {}, other: {}, by: null },
    { rule: "OV14", when: "it is done", one: {}, other: { status: "done" }, by: "closed" },
    { rule: "OV14", when: "it is cancelled", one: {}, other: { status: "cancelled" }, by: "closed" },
    { rule: "OV14", when: "it is blocked", one: {}, other: { status: "blocked" }, by: null },
    {
      rule: "OV14",
      when: "the session is the same",
      one: { sessionId: "s" },
      other: { sessionId: "s" },
      by: "same_session",
    },
    {
      rule: "OV14",
      when: "only the developer is the same",
      one: { developerId: "d", sessionId: "s" },
      other: { developerId: "d", sessionId: "t" },
      by: null,
    },
    { rule: "OV14", when: "one removes", one: { action: "remove" }, other: { action: "fix" }, by: "opposed_action" },
    { rule: "OV14", when: "one audits", one: { action: "modify" }, other: { action: "Audit" }, by: "opposed_action" },
    { rule: "OV14", when: "one creates, one fixes", one: { action: "create" }, other: { action: "fix" }, by: null },
    { rule: "OV14", when: "one has no action", one: { action: "remove" }, other: {}, by: null },
    {
      rule: "OV14",
      when: "components differ",
      one: { component: "api" },
      other: { component: "web" },
      by: "different_component",
    },
    {
      rule: "OV14",
      when: "components differ in case",
      one: { component: "API" },
      other: { component: "api " },
      by: null,
    },
    { rule: "OV14", when: "one has no component", one: { component: "api" }, other: {}, by: null },
  ])("[$rule] $when: $by", ({ one, other, by }) => {
    expect(known(one, other)).toBe(by);
  });

  test.each([
    {
      rule: "OV15",
      one: "Review PR 389 of the billing team",
      other: "Review PR 390 of the billing team",
      by: "different_numbers",
    },
    {
      rule: "OV15",
      one: "Phase 2: move uploads to storage",
      other: "Phase 3: move uploads to storage",
      by: "different_numbers",
    },
    {
      rule: "OV15",
      one: "Import customer contacts from CSV",
      other: "Export customer contacts to CSV",
      by: "opposed_words",
    },
    {
      rule: "OV15",
      one: "Crash on startup on Linux when offline",
      other: "Crash on startup on Windows when offline",
      by: "opposed_words",
    },
    {
      rule: "OV15",
      one: "Implement the invoice label remove command",
      other: "Implement the invoice label add command",
      by: "opposed_words",
    },
    {
      rule: "OV15",
      one: "Implement token refresh for mobile",
      other: "Tests for token refresh on mobile",
      by: "different_work",
    },
    {
      rule: "OV15",
      one: "Document the webhook retry policy",
      other: "Implement the webhook retry policy",
      by: "different_work",
    },
    {
      rule: "OV15",
      one: "Review webhook retry policy changes",
      other: "Implement webhook retry policy changes",
      by: "different_work",
    },
    {
      rule: "OV15",
      one: "Port strstr to the core string module",
      other: "Port strnstr to the core string module",
      by: "template_sibling",
    },
    { rule: "OV15", one: "Upgrade the Postgres pool driver to 8", other: "Postgres pool driver upgrade", by: null },
    { rule: "OV15", one: "Import and export of customer contacts", other: "Export customer contacts to CSV", by: null },
    { rule: "OV15", one: "Add audit log for admin actions", other: "Record admin actions in an audit log", by: null },
  ])("[$rule] $one / $other: $by", ({ one, other, by }) => {
    expect(compare(workOf(one), workOf(other)).suppressedBy).toBe(by);
  });

  test("[OV15] a name that the other mentions elsewhere is no other subject", () => {
    const other = workOf("Port strnstr to the core string module", {
      description: "With strstr, of which it is a bounded form.",
    });
    expect(compare(workOf("Port strstr to the core string module"), other).suppressedBy).toBe(null);
  });

  test("[OV16] a match that is held back keeps its score and is shown in its place", () => {
    const held = workOf(title, { id: "held", component: "web" });
    const free = workOf(title, { id: "free", component: "api" });
    const matches = indexOf([held, free, workOf("Retry webhooks")]).search(workOf(title, { component: "api" }));
    expect(matches.slice(0, 2).map(({ id, escalates }) => ({ id, escalates }))).toEqual([
      { id: "free", escalates: true },
      { id: "held", escalates: false },
    ]);
    expect(matches[1]?.score).toBeGreaterThanOrEqual(0.95);
  });

  const long = "Totals of the monthly invoice are rounded before tax is added, the ledger rounds afterwards.";
  test.each([
    {
      rule: "OV17",
      when: "generic words only",
      one: workOf("Fix bug"),
      other: workOf("Fix bug"),
      by: "low_information",
    },
    {
      rule: "OV17",
      when: "one telling word",
      one: workOf("Fix login"),
      other: workOf("Fix login"),
      by: "low_information",
    },
    {
      rule: "OV17",
      when: "two telling words, same title",
      one: workOf("Add dark mode"),
      other: workOf("Add dark mode"),
      by: null,
    },
    {
      rule: "OV17",
      when: "two telling words, other title",
      one: workOf("Add dark mode"),
      other: workOf("Dark mode support"),
      by: "low_information",
    },
    {
      rule: "OV17",
      when: "a scope that tells",
      one: workOf("Fix login", { scope: "session cookie" }),
      other: workOf("Fix login", { scope: "session cookie" }),
      by: null,
    },
    {
      rule: "OV17",
      when: "the name of the repository",
      one: workOf("Fix shop login", { repo: "acme/shop" }),
      other: workOf("Fix shop login", { repo: "acme/shop" }),
      by: "low_information",
    },
    { rule: "OV17", when: "a ticket", one: workOf("Fix #12"), other: workOf("Fix #12"), by: null },
    {
      rule: "OV17",
      when: "the same description",
      one: workOf("Fix bug", { description: long }),
      other: workOf("Fix bug", { description: long }),
      by: null,
    },
    {
      rule: "OV17",
      when: "different descriptions",
      one: workOf("Fix bug", { description: long }),
      other: workOf("Fix bug", { description: "The menu jumps." }),
      by: "low_information",
    },
  ])("[$rule] $when: $by", ({ one, other, by }) => {
    expect(compare(one, other).suppressedBy).toBe(by);
  });

  test("[OV18] no pattern holds an identical title back, whatever the descriptions say", () => {
    const one = workOf("Review import of PR 389", { description: "Export of PR 390 comes later." });
    const other = workOf("Review import of PR #389", { description: "Test it with 391." });
    expect(compare(one, other)).toMatchObject({ tier: "identical", escalates: true, suppressedBy: null });
  });
});

describe("reasons", () => {
  test("[OV19] they name what weighs most, in the asker's own spelling", () => {
    const asked = workOf("sessionStore loses tokens", {
      description: "Refresh tokens vanish from the sessionStore after logout of another tab.",
      files: ["src/auth/session.ts", "src/auth/token.ts"],
    });
    const other = workOf("Tokens vanish from session_store", {
      description: "After logout in another tab the refresh tokens vanish.",
      files: ["src/auth/token.ts", "src/auth/session.ts"],
      status: "active",
    });
    expect(compare(asked, other).reasons).toEqual([
      "Both touch src/auth/session.ts and 1 more",
      expect.stringMatching(/^(Titles|Descriptions) \d+% similar$/),
      expect.stringMatching(/^(Both speak of .*sessionStore.*|Titles \d+% similar|Descriptions \d+% similar)$/),
    ]);
  });

  test("[OV19] closed work says since when, and what holds a match back comes last", () => {
    const day = 86_400_000;
    expect(compare(workOf(title, { at: 3 * day }), workOf(title, { status: "done", at: 0 })).reasons).toEqual([
      "Same title (done 3 days ago)",
      "Both speak of invoice, webhooks, backoff, Retry",
      "Not escalated: it is closed",
    ]);
  });

  test("[OV19] differing numbers and opposed words are named", () => {
    const reasons = (one: string, other: string) => compare(workOf(one), workOf(other)).reasons.at(-1);
    const review = (number: number) => `Review PR ${number} of the billing team: invoice export`;
    expect(reasons(review(389), review(390))).toBe("Not escalated: the numbers differ (389 / 390)");
    expect(reasons("Import customer contacts from CSV", "Export customer contacts to CSV")).toBe(
      "Not escalated: opposed words (import / export)",
    );
  });
});

test("[OV21] every published weight belongs to a feature that matches report", () => {
  const { features } = compare(workOf(title), workOf(title));
  expect(Object.keys(features)).toEqual([...featureNames]);
  for (const name of Object.keys({ ...shippedWeights.trained, ...shippedWeights.set }))
    expect(featureNames).toContain(name);
  expect(new OverlapIndex().version).toBe(shippedWeights.version);
  expect(shippedWeights.version).toMatch(/^3-[0-9a-f]{8}$/);
  expect(defaultSettings.escalateThreshold).toBe(shippedWeights.escalateThreshold);
  expect(defaultSettings.warnFloor).toBeLessThan(defaultSettings.escalateThreshold);
});
