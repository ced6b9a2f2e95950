import type { Ports } from "../../domain/port.ts";
import { readSides } from "../evidence/sides.ts";
import { compareSnapshot, identifyTree, takeSnapshot } from "../evidence/snapshot.ts";
import { listStale } from "../evidence/stale.ts";
import { readChecks } from "./configuration.ts";
import { runChecks } from "./run-checks.ts";

/** What the house can find out about the work that was done in a folder. */
export const evidencePorts: Pick<Ports, "evidence"> = {
  evidence: { takeSnapshot, compareSnapshot, identifyTree, listStale, readSides, readChecks, runChecks },
};
