import type { DeveloperId } from "../../contract/ids.ts";
import type {
  clientNames,
  companionChecks,
  companionStates,
  listingStates,
  OneOf,
  partStates,
  trustStates,
} from "../../contract/words.ts";

type PartState = OneOf<typeof partStates>;

interface MachineClient {
  readonly client: OneOf<typeof clientNames>;
  readonly entry: PartState | null;
  readonly hooks: PartState | null;
  readonly instructions: PartState | null;
  readonly trust: OneOf<typeof trustStates> | null;
  readonly listing: OneOf<typeof listingStates> | null;
}

interface MachineCheck {
  readonly check: OneOf<typeof companionChecks>;
  readonly state: OneOf<typeof companionStates>;
  readonly count: number | null;
}

export interface MachineState {
  readonly clients: readonly MachineClient[];
  readonly checks: readonly MachineCheck[];
}

/** How the clients of one machine are set up in one repository, as its companion last said. */
export interface Machine {
  readonly developerId: DeveloperId;
  readonly name: string;
  readonly repository: string;
  readonly companionVersion: string;
  readonly state: MachineState;
  readonly reportedAt: number;
  readonly version: number;
}

/** Nobody knows any more how a machine is that was silent for so long. */
export const machineKeptMs = 30 * 86_400_000;

/** More repositories on machines than these are not kept for one person: the oldest reports go. */
export const mostMachines = 200;
