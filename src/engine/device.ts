import type { AgentType } from "../contract/caller.ts";
import { grantLivesMs, pollEveryMs } from "../domain/person/grant-model.ts";
import { type Polled, pollDevice, requestDevice } from "../domain/person/grant-operations.ts";
import type { House } from "./house.ts";
import { transactAsSystem } from "./system-work.ts";

interface DeviceCodes {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly livesSeconds: number;
  readonly pollEverySeconds: number;
}

type Opened = Pick<House, "store" | "sources">;

/** The device flow's two questions. Nobody has signed in yet, so there is no caller and no dispatch. */
export async function askForDevice(
  { store, sources }: Opened,
  ask: { machineName: string; agents: readonly AgentType[] },
): Promise<DeviceCodes> {
  const codes = await transactAsSystem(store, sources, (work) => requestDevice(work, ask));
  return { ...codes, livesSeconds: grantLivesMs / 1_000, pollEverySeconds: pollEveryMs / 1_000 };
}

export async function pollForDevice(
  { store, sources }: Opened,
  deviceCode: string,
): Promise<Polled & Pick<DeviceCodes, "pollEverySeconds">> {
  const polled = await transactAsSystem(store, sources, (work) => pollDevice(work, deviceCode));
  return { ...polled, pollEverySeconds: pollEveryMs / 1_000 };
}
