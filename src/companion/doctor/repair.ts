import { chmodSync, statSync } from "node:fs";
import type { Home } from "../../adapters/home.ts";
import { applySetup, listSetUp, planSetup } from "../setup/setup.ts";
import type { checkCompanion } from "./check-companion.ts";

/** Does again what setup has done here, and closes what only its owner should read. Answers what was repaired. */
export function repair(ask: Parameters<typeof checkCompanion>[0], { dir, credentialsFile }: Home): string[] {
  const own = listSetUp(ask);
  const plan = planSetup({ ...ask, names: own.map(({ name }) => name), isRemoval: false });
  const files = plan.steps.flatMap(({ action, part }) =>
    action === "create" || action === "change" ? [part.file] : [],
  );
  if (own.length > 0 && files.length + plan.staleShims.length > 0) applySetup(plan);
  const written = own.length > 0 ? [...plan.staleShims, ...files] : [];
  return [...written, ...close(dir, 0o700), ...close(credentialsFile, 0o600)];
}

function close(path: string, mode: number): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || process.platform === "win32" || (stats.mode & 0o077) === 0) return [];
  chmodSync(path, mode);
  return [path];
}
