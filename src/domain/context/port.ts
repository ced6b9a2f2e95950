import type { Threshold } from "../../contract/threshold.ts";

export interface ContextPorts {
  /** The figures that this installation may set for itself, with what is in force. */
  listThresholds(): readonly Threshold[];
}
