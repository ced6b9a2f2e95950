const lookMs = 200;

/** How much of a core a process gets here and now, from 0 to 1: below 1 others are at work and times say little. */
export function measureShare() {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  while (performance.now() - startedAt < lookMs);
  const { user, system } = process.cpuUsage(before);
  const share = (user + system) / 1_000 / (performance.now() - startedAt);
  return Math.min(1, Math.round(share * 100) / 100);
}
