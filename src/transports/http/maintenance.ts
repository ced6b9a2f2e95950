import { isAbsolute } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../../contract/caller.ts";
import { Refusal } from "../../contract/refusal.ts";
import type { House } from "../../engine/house.ts";
import { verifyHouse } from "../../engine/verify.ts";
import { answer } from "./answer.ts";
import type { Identity } from "./identity.ts";

/** What the owner does to the store while it is in use. */
export function mountMaintenance(
  app: FastifyInstance,
  { house, identity }: { house: House; identity: Identity },
): void {
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

  app.get("/api/verify", async (request, reply) => {
    checkOwner(await identity.identify(request.raw));
    return answer(house, request, reply, await verifyHouse(house));
  });
}

function checkOwner(caller: Caller): void {
  if (caller.role === "owner" && caller.agentType === null) return;
  throw new Refusal("FORBIDDEN", "Only the team's owner may do this.");
}
