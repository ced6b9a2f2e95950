import { hostname } from "node:os";
import { toolVersion } from "../../contract/versions.ts";
import { findRepository, namesOf } from "../repository.ts";
import { askTool, type Target } from "../server.ts";
import type { CompanionCheck } from "./check-companion.ts";
import type { Fact } from "./finding.ts";

const limitMs = 10_000;

interface Seen {
  readonly place: { readonly repository: string };
  readonly check: CompanionCheck;
  /** What else was looked at, the clock for one. */
  readonly facts: readonly Fact[];
}

/** Tells the server how the clients of this machine are set up in a repository: names and states, no path and no content. */
export async function reportMachine(target: Target, { place, check, facts }: Seen): Promise<void> {
  const repository = findRepository(place.repository);
  // Without a repository there is nothing that the page could call it by but a path.
  if (repository === undefined || check.clients.length === 0) return;
  const args = {
    machine: hostname().slice(0, 100) || "unnamed",
    companion_version: toolVersion,
    repository: namesOf(repository)[0],
    clients: check.clients,
    checks: [...check.findings.flatMap(({ fact }) => fact ?? []), ...facts],
  };
  await askTool(target, "machine_report", args, { signal: AbortSignal.timeout(limitMs) });
}
