/** Beyond these a forecast says that it has not looked. */
export const limits = {
  worktrees: 100,
  /** Branches that are put in order; each step tries all that are left. */
  ordered: 50,
  changedPaths: 2_000,
  mergesARound: 400,
  untrackedFiles: 2_000,
  untrackedBytes: 50 * 1024 * 1024,
  untrackedFile: 1024 * 1024,
  /** Objects of our own are thrown away beyond this. */
  objectBytes: 256 * 1024 * 1024,
  commitsBehind: 2_000,
  toldBehind: 5,
  placesAMeeting: 20,
  nearLines: 10,
  /** Of the lines that work adds, the share that one commit must add too to have taken it over; fewer lines say nothing. */
  takenShare: 0.8,
  fewestLines: 3,
  /** Programs of one side whose names are read, and the largest of them. */
  symbolFiles: 300,
  symbolFile: 256 * 1024,
} as const;
