import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../contract/refusal.ts";
import { type Home, homeAt, makeHome } from "./home.ts";

const markOf = (home: Home): string => join(home.dir, "demo.json");

/** The home of the example team: beside the real one, never in it. */
export const demoHomeOf = (home: Home, env: NodeJS.ProcessEnv): Home => homeAt(`${home.dir}-demo`, env);

export const isDemoHome = (home: Home): boolean => existsSync(markOf(home));

/** Makes the folder and marks it, so that it can be told from somebody's data ever after. */
export function makeDemoHome(home: Home): void {
  if (!isDemoHome(home) && existsSync(home.dir) && readdirSync(home.dir).length > 0) {
    throw new Refusal(
      "CONFLICT",
      "The folder for the example team holds something else.",
      "Move it away, or choose another home with --home.",
      { folder: home.dir },
    );
  }
  makeHome(home);
  writeFileSync(markOf(home), `${JSON.stringify({ made_at: new Date().toISOString() })}\n`, { mode: 0o600 });
}

/** Removes the folder if it bears the mark. Answers whether there was one. */
export function removeDemoHome(home: Home): boolean {
  if (!isDemoHome(home)) return false;
  rmSync(home.dir, { recursive: true, force: true });
  return true;
}
