import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import { DeveloperId, TeamId, TokenId } from "../../src/contract/ids.ts";
import { Refusal } from "../../src/contract/refusal.ts";
import { type Developer, Handle } from "../../src/domain/person/model.ts";
import { checkTokenRight, isKnownTo, suggestHandle } from "../../src/domain/person/rules.ts";
import { hashSecret, isSecretOf, makeToken, splitToken } from "../../src/domain/person/secret.ts";
import { newId } from "../../src/engine/sources.ts";

const teamId = TeamId.parse("tm_one");
const grace = DeveloperId.parse("dev_grace");

const callerWith = (fields: Partial<Caller>): Caller => ({
  teamId,
  developerId: DeveloperId.parse("dev_bob"),
  handle: "bob",
  isPrivate: false,
  role: "member",
  tokenId: TokenId.parse("tok_one"),
  agentType: null,
  instanceId: null,
  ...fields,
});

describe("the handle a git identity suggests", () => {
  for (const { rule, when, name, email, handle } of [
    {
      rule: "ID3",
      when: "the e-mail's first part",
      name: "Ada L.",
      email: "ada.l+git@example.com",
      handle: "ada-l-git",
    },
    { rule: "ID3", when: "the name without an e-mail", name: "Ada Lovelace", email: null, handle: "ada-lovelace" },
    { rule: "ID3", when: "the name for an empty first part", name: "Ada", email: "@example.com", handle: "ada" },
    {
      rule: "ID3",
      when: "letters without their accents",
      name: "Renée Ångström",
      email: null,
      handle: "renee-angstrom",
    },
    { rule: "ID3", when: "a stand-in where no letter is left", name: "漢字", email: null, handle: "developer" },
    {
      rule: "ID3",
      when: "nothing but 40 characters",
      name: `${"a".repeat(39)} bc`,
      email: null,
      handle: "a".repeat(39),
    },
  ]) {
    test(`[${rule}] is ${when}`, () => {
      expect(suggestHandle({ name, email })).toBe(handle);
    });
  }

  test("[ID3] is always one that may be used, and suggests itself", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 80 });
    fc.assert(
      fc.property(text, fc.option(text), (name, email) => {
        const handle = suggestHandle({ name, email });
        expect(Handle.safeParse(handle).success).toBe(true);
        expect(suggestHandle({ name: handle, email: null })).toBe(handle);
      }),
      { numRuns: 1_000 },
    );
  });

  test("[ID4] lower-case letters, digits and inner hyphens make a handle, 1 to 40 of them", () => {
    const letter = fc.constantFrom(..."abcxyz0189");
    const inner = fc.string({ unit: fc.constantFrom(..."az09-"), maxLength: 38 });
    fc.assert(
      fc.property(letter, inner, letter, (first, middle, last) => {
        expect(Handle.safeParse(first + middle + last).success).toBe(true);
        expect(Handle.safeParse(first).success).toBe(true);
        expect(Handle.safeParse(`${first}${middle}-`).success).toBe(false);
        expect(Handle.safeParse(`-${middle}${last}`).success).toBe(false);
      }),
    );
  });
});

describe("a token's text", () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const made = fc.tuple(bytes(26), bytes(32)).map(([forId, random]) => {
    const id = newId({ now: () => 0, randomBytes: () => forId }, "token");
    return { id, ...makeToken(id, random) };
  });

  test("[ID5] comes apart into the id and the secret it was made of", () => {
    fc.assert(
      fc.property(made, ({ id, text, hash }) => {
        const split = splitToken(text);
        expect(split?.id).toBe(id);
        expect(split && hashSecret(split.secret)).toBe(hash);
        expect(split && isSecretOf(split.secret, hash)).toBe(true);
        expect(text).toMatch(/^cdk_/);
        expect(hash).not.toContain(text);
      }),
    );
  });

  test("[ID5] fits only its own hash", () => {
    fc.assert(
      fc.property(made, made, (one, other) => {
        fc.pre(one.text !== other.text);
        expect(isSecretOf(splitToken(one.text)?.secret ?? "", other.hash)).toBe(false);
      }),
    );
  });

  test("[ID5] is never anything else", () => {
    fc.assert(
      fc.property(made, fc.nat(200), fc.string(), ({ text }, place, noise) => {
        const cut = text.slice(0, place % text.length);
        expect(splitToken(cut)).toBeNull();
        expect(splitToken(`${text}${noise}`)).toEqual(noise === "" ? splitToken(text) : null);
        expect(splitToken(noise)).toBeNull();
      }),
    );
  });
});

describe("who manages whose tokens", () => {
  const cases: { rule: string; when: string; caller: Partial<Caller>; outcome: string }[] = [
    { rule: "ID12", when: "a member their own", caller: { developerId: grace }, outcome: "granted" },
    { rule: "ID12", when: "a member nobody else's", caller: {}, outcome: "FORBIDDEN" },
    { rule: "ID12", when: "the owner everybody's", caller: { role: "owner" }, outcome: "granted" },
    { rule: "ID9", when: "an agent none", caller: { developerId: grace, agentType: "codex" }, outcome: "FORBIDDEN" },
    {
      rule: "ID9",
      when: "the owner's agent none",
      caller: { role: "owner", agentType: "codex" },
      outcome: "FORBIDDEN",
    },
  ];
  for (const { rule, when, caller, outcome } of cases) {
    test(`[${rule}] ${when}`, () => {
      const check = () => checkTokenRight(callerWith(caller), grace);
      if (outcome === "granted") expect(check).not.toThrow();
      else expect(check).toThrow(Refusal);
    });
  }
});

describe("who may know of a developer", () => {
  const cases: { rule: string; when: string; isPrivate: boolean; caller: Partial<Caller>; known: boolean }[] = [
    { rule: "ID15", when: "everybody of an open one", isPrivate: false, caller: {}, known: true },
    { rule: "ID15", when: "nobody else of a private one", isPrivate: true, caller: {}, known: false },
    { rule: "ID15", when: "a private one of themselves", isPrivate: true, caller: { developerId: grace }, known: true },
    { rule: "ID15", when: "the owner of all", isPrivate: true, caller: { role: "owner" }, known: true },
  ];
  for (const { rule, when, isPrivate, caller, known } of cases) {
    test(`[${rule}] ${when}`, () => {
      const developer: Developer = {
        id: grace,
        teamId,
        handle: "grace",
        name: "Grace",
        email: null,
        isPrivate,
        role: "member",
        createdAt: 0,
        updatedAt: 0,
        version: 1,
      };
      expect(isKnownTo(developer, callerWith(caller))).toBe(known);
    });
  }
});
