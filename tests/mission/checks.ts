import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestHouse } from "../../src/testing/house.ts";

/** A check that runs this piece of JavaScript. */
export const script = (name: string, code: string, more: Record<string, unknown> = {}) => ({
  name,
  command: [process.execPath, "-e", code],
  ...more,
});

export function configure(dir: string, checks: unknown): void {
  mkdirSync(join(dir, ".crewdeck"), { recursive: true });
  writeFileSync(join(dir, ".crewdeck", "checks.json"), JSON.stringify({ checks }));
}

export interface ShownChecks {
  readonly repository: string;
  readonly config_hash: string;
  readonly is_allowed: boolean;
  readonly problem: string | null;
}

export const show = (house: TestHouse, path: string): Promise<ShownChecks> =>
  house.call<ShownChecks>("checks_show", { path });

/** What a person does: read the checks, then allow exactly those. */
export async function allow(house: TestHouse, path: string): Promise<ShownChecks> {
  const { config_hash } = await show(house, path);
  return house.call<ShownChecks>("checks_allow", { path, config_hash });
}
