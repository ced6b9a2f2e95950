import { expect } from "vitest";
import type { Caller } from "../../src/contract/caller.ts";
import { errors } from "../../src/contract/errors.ts";
import type { TestHouse } from "../../src/testing/house.ts";
import { catalog, personTools } from "../../src/tools/catalog.ts";
import { send } from "./mail.ts";
import { traceOf, wasRefused } from "./still-house.ts";

/** What a refused call can be about: records of the owner (`my`) and of a second developer (`his`). */
export interface Scene {
  house: TestHouse;
  bob: Caller;
  codex: Caller;
  my: { agent: string; offline: string; message: string; token: string };
  his: { agent: string; message: string };
}

async function setScene(house: TestHouse): Promise<Scene> {
  const { caller: bob } = await house.developer("bob");
  const { token } = await house.call<{ token: string }>("token_create", { agent_type: "codex" });
  const [agent, offline] = [await house.agent("Mine"), await house.agent("Offline")];
  await house.call("agent_unregister", { id: offline });
  const his = await house.agent("His", bob);
  return {
    house,
    bob,
    codex: await house.house.authenticator.identify(token),
    my: { agent, offline, message: (await send(house, agent, offline)).id, token: house.owner.tokenId },
    his: { agent: his, message: (await send(house, his, his, {}, bob)).id },
  };
}

export type Args = Record<string, unknown>;

export interface Case {
  rule: string;
  tool: string;
  code: keyof typeof errors;
  when: string;
  args: (scene: Scene) => Args;
  by?: (scene: Scene) => Caller;
}

export const none = "nothing_has_this_id";
export const huge = "x".repeat(300_000);
export const byBob = ({ bob }: Scene): Caller => bob;
export const byAgent = ({ codex }: Scene): Caller => codex;

/** The call is refused as the case says, changes nothing, and leaves its one usage event. */
export async function expectRefusal({ tool, code, args, by }: Case, opened: TestHouse): Promise<void> {
  const scene = await setScene(opened);
  const { house } = scene;
  let reply: unknown;
  const trace = await traceOf(house, async () => {
    reply = await house.reply(tool, args(scene), by?.(scene) ?? house.owner);
  });
  const words = expect.stringMatching(/\S/);
  expect(reply).toMatchObject({
    ok: false,
    failure: { code, namespaceCode: `crewdeck.${errors[code].kind}`, message: words, hint: words },
  });
  expect(trace).toEqual({ work: [], usage: [wasRefused(tool, code)] });
}

/** For each tool of these nouns: what it declares, and what the cases make it meet. */
export const declaredAndMet = (nouns: readonly string[], cases: readonly Case[]) =>
  [...catalog, ...personTools]
    .filter(({ name }) => nouns.includes(name.split("_")[0] ?? ""))
    .map(({ name, refusals }) => ({
      name,
      declared: [...refusals].sort(),
      met: [...new Set(cases.filter((one) => one.tool === name).map((one) => one.code))].sort(),
    }));
