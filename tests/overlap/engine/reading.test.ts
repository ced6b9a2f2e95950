import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listReferences } from "../../../src/domain/overlap/engine/reference.ts";
import { stem } from "../../../src/domain/overlap/engine/stem.ts";
import { identifyTitle } from "../../../src/domain/overlap/engine/title.ts";
import { WordReader } from "../../../src/domain/overlap/engine/word-reader.ts";
import { compare, workOf } from "./docs.ts";

const read = (text: string): string[] => new WordReader().read(text, 1_000);

describe("what is read from a text", () => {
  test.each([
    { rule: "OV1", text: "Caches, cached and caching", terms: ["cach", "cach", "and", "cach"] },
    {
      rule: "OV1",
      text: "sessionStore.refreshToken()",
      terms: ["session", "stor", "sessionstore", "refresh", "token", "refreshtoken"],
    },
    { rule: "OV1", text: "HTTPServer", terms: ["http", "server", "httpserver"] },
    {
      rule: "OV1",
      text: "src/auth/session_store.ts",
      terms: ["src", "auth", "session", "stor", "sessionstore", "typescript"],
    },
    { rule: "OV1", text: "phase2 and Phase 02", terms: ["phas", "2", "and", "phas", "2"] },
    { rule: "OV1", text: "v1.2.3, C++, C# and 2FA", terms: ["v", "1.2.3", "c++", "c#", "and", "2fa"] },
    {
      rule: "OV1",
      text: "don't touch the user's E2E, utf8Decoder",
      terms: ["dont", "touch", "the", "user", "e2e", "utf", "8", "decoder", "utf8decoder"],
    },
    { rule: "OV2", text: "configuration DB authentication", terms: ["config", "databas", "auth"] },
    { rule: "OV2", text: "Implement Delete Hotfix", terms: ["add", "remov", "fix"] },
    { rule: "OV4", text: "Größe ÄNDERN", terms: ["größe", "ändern"] },
    { rule: "OV4", text: "登录页面", terms: ["登录", "录页", "页面"] },
    { rule: "OV4", text: "", terms: [] },
  ])("[$rule] $text", ({ text, terms }) => {
    expect(read(text)).toEqual(terms);
  });

  test.each([
    "add adds added adding",
    "save saves saved saving",
    "use uses used using",
    "size sizes sized sizing",
    "type types typed typing",
    "retry retries retried retrying",
    "diff diffs diffed diffing",
    "embed embeds embedded embedding",
    "exceed exceeds exceeded exceeding",
    "plan plans planned planning",
    "fix fixes fixed fixing",
  ])("[OV1] the forms of a word are one: %s", (forms) => {
    expect(new Set(forms.split(" ").map(stem)).size).toBe(1);
  });

  test.each([
    "add ad",
    "note not",
    "need ne",
    "string str",
    "speed spe",
    "save sad",
  ])("[OV1] words that only look like forms of one are two: %s", (words) => {
    expect(new Set(words.split(" ").map(stem)).size).toBe(2);
  });

  test("[OV1] a stem is never empty, never longer, and the stem of itself where nothing is left to drop", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,14}$/), (word) => {
        expect(stem(word).length).toBeGreaterThan(0);
        expect(stem(word).length).toBeLessThanOrEqual(word.length);
      }),
    );
  });

  test("[OV4] whatever the text, reading it ends and gives terms without spaces", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        for (const term of read(text)) expect(term).toMatch(/^\S+$/u);
      }),
    );
  });

  test.each([
    "a".repeat(100_000),
    "PR ".repeat(30_000),
    "[high] ".repeat(20_000),
    "a-".repeat(50_000),
    "\ud800".repeat(1_000),
    "#".repeat(90_000),
  ])("[OV4] a hostile text number %# is read like any other", (text) => {
    const work = workOf(text, { scope: text, description: text, files: Array.from({ length: 1_000 }, () => text) });
    const { score } = compare(work, work);
    expect(score).toBeGreaterThanOrEqual(0.95);
  });
});

describe("tickets", () => {
  test.each([
    { rule: "OV3", text: "Review #389", found: ["#389"] },
    { rule: "OV3", text: "review PR 389 and pull/389, PR-389", found: ["#389"] },
    { rule: "OV3", text: "fixes GH-12 and issue #13", found: ["#12", "#13"] },
    { rule: "OV3", text: "ABC-0042 before CORE-7", found: ["abc-42", "core-7"] },
    { rule: "OV3", text: "UTF-8, SHA-256, colour&#123; and ISO-8601", found: [] },
    { rule: "OV3", text: "3 retries in 2 places", found: [] },
  ])("[$rule] $text names $found", ({ text, found }) => {
    expect(listReferences(text)).toEqual(found);
  });
});

describe("the identity of a title", () => {
  const same = (one: string, other: string): boolean => identifyTitle(one, 300) === identifyTitle(other, 300);

  test.each([
    { rule: "OV10", one: "Fix the login page", other: "fix login page!", isSame: true },
    { rule: "OV10", one: "[HIGH] Bug: Crash on save", other: "Crash on save", isSame: true },
    { rule: "OV10", one: "P1: Cache invoices", other: "Caching invoice", isSame: true },
    { rule: "OV10", one: "Sign-in for admins", other: "Sign in for the admin", isSame: true },
    { rule: "OV10", one: "Move from A1 to B2", other: "Move from B2 to A1", isSame: false },
    { rule: "OV10", one: "Port it to C", other: "Port it to C++", isSame: false },
    { rule: "OV10", one: "Test: crash on save", other: "Crash on save", isSame: false },
    { rule: "OV10", one: "Task:", other: "Bug:", isSame: false },
    { rule: "OV10", one: "???", other: "!!!", isSame: false },
    { rule: "OV10", one: "Add login", other: "Implement login", isSame: false },
  ])("[$rule] $one / $other: $isSame", ({ one, other, isSame }) => {
    expect(same(one, other)).toBe(isSame);
  });
});
