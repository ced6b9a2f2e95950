/** Beyond these a forecast says that it has not looked. */
export const limits = {
  worktrees: 100,
  /** Branches that are put in order; each step tries all that are left. */
  ordered: 50,
  changedPaths: 2_000,
  mergesARound: 400,
  untrackedBytes: 50 * 1024 * 1024,
  untrackedFile: 1024 * 1024,
  /** Objects of our own are thrown away beyond this. */
  objectBytes: 256 * 1024 * 1024,
  commitsBehind: 2_000,
  toldBehind: 5,
  /** Files of one side, and commits of its base, that are looked at for what they do to its functions or to one name. */
  concernFiles: 50,
  concernCommits: 50,
  placesAMeeting: 20,
  nearLines: 10,
  /** Of the lines that work adds, the share that one commit must add too to have taken it over; fewer lines say nothing. */
  takenShare: 0.8,
  /** Of the lines that work adds, or of those it removes, the share with which one commit may have made it moot. */
  mootShare: 0.5,
  fewestLines: 3,
  /** Programs of one side whose names are read, and the largest of them. */
  symbolFiles: 300,
  symbolFile: 256 * 1024,
} as const;
