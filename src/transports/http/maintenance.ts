import { isAbsolute } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Caller, isPerson } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import { type ThresholdChange, type ThresholdKey, thresholdRanges } from "../../contract/threshold.ts";
import { changeThreshold } from "../../engine/change-threshold.ts";
import type { House } from "../../engine/house.ts";
import type { AskedThresholds } from "../../engine/thresholds.ts";
import { type VerifyFile, verifyHouse } from "../../engine/verify.ts";
import { answer } from "./answer.ts";
import type { Identity } from "./identity.ts";

interface MaintenanceOptions {
  readonly house: House;
  readonly identity: Identity;
  /** Where the installation has a file of settings. */
  readonly saveThreshold?: ((change: ThresholdChange) => AskedThresholds) | undefined;
  readonly verifyFile?: VerifyFile | undefined;
}

/** What the owner does to the store while it is in use. */
export function mountMaintenance(app: FastifyInstance, options: MaintenanceOptions): void {
  const { house, identity, saveThreshold, verifyFile } = options;
  app.post<{ Body: { file?: unknown } }>("/api/backup", async (request, reply) => {
    checkOwner(await identity.identify(request.raw));
    const file = request.body?.file;
    if (typeof file !== "string" || !isAbsolute(file)) {
      throw new Refusal("INVALID_REQUEST", "file is the absolute path of the copy to write.");
    }
    await house.usage.flush();
    await house.store.backup(file);
    return answer(house, request, reply, { file });
  });

  app.post<{ Body: { key?: unknown; value?: unknown } }>("/api/thresholds", async (request, reply) => {
    const caller = await identity.identify(request.raw);
    checkOwner(caller);
    if (saveThreshold === undefined) throw new Refusal("INVALID_STATE", "This server has no config.json.");
    const { key, value } = request.body ?? {};
    const known = (Object.keys(thresholdRanges) as ThresholdKey[]).find((name) => name === key);
    if (known === undefined || (value !== null && typeof value !== "number")) {
      throw new Refusal(
        "INVALID_REQUEST",
        "key is a threshold, and value a number or null for its default.",
        `The thresholds are ${Object.keys(thresholdRanges).join(", ")}.`,
      );
    }
    const change = { key: known, value };
    await changeThreshold(house, caller, { change, asked: saveThreshold(change) });
    return answer(house, request, reply, { ...change, needs_restart: false });
  });

  app.get("/api/verify", async (request, reply) => {
    checkOwner(await identity.identify(request.raw));
    return answer(house, request, reply, await verifyHouse(house, verifyFile));
  });
}

function checkOwner(caller: Caller): void {
  if (caller.role === "owner" && isPerson(caller)) return;
  throw new Refusal("FORBIDDEN", "Only the team's owner may do this.");
}
