import type { DeveloperId } from "../../contract/ids.ts";

/** A person's word that a repository's checks may be run on this machine, in exactly this wording. */
export interface Permit {
  readonly place: string;
  readonly repository: string;
  readonly configHash: string;
  readonly developerId: DeveloperId;
  readonly allowedAt: number;
}
