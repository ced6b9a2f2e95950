import { describe, expect, test } from "vitest";
import { decideGate, findScopeCheckProblem, type Keys } from "../../src/domain/overlap/gate-rules.ts";
import {
  type Candidate,
  ScopeCheck as CheckSchema,
  type ScopeCheck,
  titleKey,
} from "../../src/domain/overlap/model.ts";

const now = 1_000_000;

const candidate = (id: string): Candidate => ({
  id,
  kind: "task",
  title: id,
  developerId: "dev_ada" as Candidate["developerId"],
  status: "active",
  score: 0.9,
  reasons: [],
  features: {},
});

const check = (changes: object = {}): ScopeCheck =>
  CheckSchema.parse({
    id: "chk_1",
    developerId: "dev_bob",
    sessionId: null,
    kind: "task",
    title: "retry",
    plannedId: null,
    inputHash: "",
    warningId: "warn_1",
    requiresVerdict: true,
    candidates: [candidate("a"), candidate("b")],
    covered: [],
    earlierWarnings: [],
    earlierReason: null,
    modelVersion: "1",
    escalatesFrom: 0.1,
    createdAt: now,
    expiresAt: now + 600_000,
    consumedAt: null,
    version: 1,
    ...changes,
  });

const judge = (candidateId: string, verdict: "same_scope" | "different_scope" | "partial" = "different_scope") => ({
  candidateId,
  verdict,
  reason: "Read and compared.",
});

const keys = (brought: Partial<Keys> = {}): Keys => ({
  verdicts: undefined,
  confirmationReason: undefined,
  warningId: undefined,
  namesCheck: true,
  ...brought,
});

const warning = (id: string) => id as NonNullable<Keys["warningId"]>;
const both = [candidate("a"), candidate("b")];
const missing = { kind: "verdict-required", problem: "missing" };

describe("the gate", () => {
  test.each([
    {
      rule: "GA11",
      when: "nothing was asked",
      given: check({ requiresVerdict: false, candidates: [] }),
      open: [],
      brought: {},
      expected: { kind: "clear", isVoid: false },
    },
    {
      rule: "GA22",
      when: "all are closed",
      given: check(),
      open: [],
      brought: {},
      expected: { kind: "clear", isVoid: true },
    },
    { rule: "GA17", when: "nothing is said", given: check(), open: both, brought: {}, expected: missing },
    {
      rule: "GA17",
      when: "one is left out",
      given: check(),
      open: both,
      brought: { verdicts: [judge("a")] },
      expected: { kind: "verdict-required", problem: "incomplete" },
    },
    {
      rule: "GA17",
      when: "one is judged twice",
      given: check(),
      open: both,
      brought: { verdicts: [judge("a"), judge("b"), judge("b")] },
      expected: { kind: "verdict-required", problem: "judged-twice" },
    },
    {
      rule: "GA17",
      when: "another is judged",
      given: check(),
      open: both,
      brought: { verdicts: [judge("a"), judge("b"), judge("c")] },
      expected: { kind: "verdict-required", problem: "unknown-candidate" },
    },
    {
      rule: "GA37",
      when: "the verdict names no check",
      given: check(),
      open: both,
      brought: { namesCheck: false, verdicts: [judge("a"), judge("b")] },
      expected: { kind: "verdict-required", problem: "no-check" },
    },
    {
      rule: "GA23",
      when: "the closed one is left out",
      given: check(),
      open: [candidate("b")],
      brought: { verdicts: [judge("b")] },
      expected: { kind: "judged", judgements: [judge("b")], isDuplicate: false },
    },
    {
      rule: "GA23",
      when: "the closed one is judged the same",
      given: check(),
      open: [candidate("b")],
      brought: { verdicts: [judge("a", "same_scope"), judge("b")] },
      expected: { kind: "judged", judgements: [judge("a", "same_scope"), judge("b")], isDuplicate: false },
    },
    {
      rule: "GA19",
      when: "one is the same and nothing is confirmed",
      given: check(),
      open: both,
      brought: { verdicts: [judge("a"), judge("b", "same_scope")] },
      expected: { kind: "confirmation-required", duplicates: [candidate("b")] },
    },
    {
      rule: "GA19",
      when: "one is the same and it is confirmed",
      given: check(),
      open: both,
      brought: { verdicts: [judge("a"), judge("b", "same_scope")], confirmationReason: "Wanted." },
      expected: { kind: "judged", judgements: [judge("a"), judge("b", "same_scope")], isDuplicate: true },
    },
    {
      rule: "GA20",
      when: "one is the same in part",
      given: check(),
      open: both,
      brought: { verdicts: [judge("a"), judge("b", "partial")] },
      expected: { kind: "judged", judgements: [judge("a"), judge("b", "partial")], isDuplicate: false },
    },
    {
      rule: "GA21",
      when: "the warning is confirmed",
      given: check(),
      open: both,
      brought: { namesCheck: false, warningId: warning("warn_1"), confirmationReason: "Wanted." },
      expected: { kind: "confirmed", reason: "Wanted." },
    },
    {
      rule: "GA21",
      when: "another warning is confirmed",
      given: check(),
      open: both,
      brought: { namesCheck: false, warningId: warning("warn_0"), confirmationReason: "Wanted." },
      expected: { kind: "verdict-required", problem: "other-warning" },
    },
    {
      rule: "GA21",
      when: "a check is named beside the warning",
      given: check(),
      open: both,
      brought: { warningId: warning("warn_1"), confirmationReason: "Wanted." },
      expected: missing,
    },
    {
      rule: "GA21",
      when: "the warning has no reason",
      given: check(),
      open: both,
      brought: { namesCheck: false, warningId: warning("warn_1") },
      expected: missing,
    },
    {
      rule: "GA21",
      when: "a verdict comes with another warning",
      given: check(),
      open: both,
      brought: { verdicts: [judge("a"), judge("b")], warningId: warning("warn_0") },
      expected: { kind: "verdict-required", problem: "other-warning" },
    },
  ])("[$rule] when $when", ({ given, open, brought, expected }) => {
    expect(decideGate(given, open, keys(brought))).toEqual(expected);
  });
});

describe("whether a check counts", () => {
  const key = { developerId: check().developerId, kind: "task", title: "retry", plannedId: null } as const;
  test.each([
    { rule: "GA6", when: "there is none", given: undefined, expected: "none" },
    { rule: "GA3", when: "it is somebody else's", given: check({ developerId: "dev_ada" }), expected: "none" },
    { rule: "GA3", when: "it is of another kind", given: check({ kind: "workstream" }), expected: "other-work" },
    { rule: "GA3", when: "it is of a plan", given: check({ plannedId: "tk_1" }), expected: "other-work" },
    { rule: "GA4", when: "it has another title", given: check({ title: "retry more" }), expected: "other-work" },
    { rule: "GA5", when: "it was used", given: check({ consumedAt: now }), expected: "used" },
    { rule: "GA2", when: "its time is up", given: check({ expiresAt: now }), expected: "expired" },
    { rule: "GA2", when: "its time is nearly up", given: check({ expiresAt: now + 1 }), expected: undefined },
  ])("[$rule] when $when", ({ given, expected }) => {
    expect(findScopeCheckProblem(given, key, now)).toBe(expected);
  });

  test.each([
    { rule: "GA4", given: "  A  title\n here ", expected: "a title here" },
    { rule: "GA4", given: "STRASSE", expected: "strasse" },
    { rule: "GA4", given: "Straße", expected: "strasse" },
    { rule: "GA4", given: "ΟΔΟΣ", expected: "οδος" },
    { rule: "GA4", given: "CAFE\u0301", expected: "caf\u00e9" },
  ])("[$rule] titles are compared as $expected", ({ given, expected }) => {
    expect(titleKey(given)).toBe(expected);
  });
});
