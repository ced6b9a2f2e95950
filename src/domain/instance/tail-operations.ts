import type { InstanceId } from "../../contract/ids.ts";
import type { Look } from "../port.ts";
import { listLaunched } from "./queries.ts";
import { tailOf } from "./tail.ts";

/** More than a screen can show at once. */
const mostTails = 50;

interface Tail {
  readonly id: InstanceId;
  readonly lines: string[];
}

/** What the caller's running programs said last; the owner sees everybody's, as in the log (IN13). */
export async function readTails(look: Look, lines: number): Promise<readonly Tail[]> {
  const { developerId, role } = look.caller;
  const running = (await look.read((db) => listLaunched(db, look.place))).filter(
    (one) => one.run?.state === "running" && (one.developerId === developerId || role === "owner"),
  );
  return Promise.all(
    running.slice(-mostTails).map(async ({ id }) => ({
      id,
      lines: tailOf(await look.ports.instance.readOutput(id, 0), lines),
    })),
  );
}
