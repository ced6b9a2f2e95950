/** What the two versions would have to say and do not. */
export function listVersionFaults(parts) {
  const { set, released, manifest, toolVersion, schemaVersion, dueVersion, isAtLeast, compareSets } = parts;
  const faults = [];
  if (toolVersion !== manifest.version) {
    faults.push(`toolVersion is ${toolVersion} in src/contract/versions.ts and ${manifest.version} in package.json`);
  }
  const due = dueVersion(released, set);
  if (!isAtLeast(schemaVersion, due)) {
    const reasons = compareSets(released, set).map(({ level, what }) => `  ${level}: ${what}`);
    faults.push(`schemaVersion is ${schemaVersion}, ${due} is due after ${released.schemaVersion}:`, ...reasons);
  }
  return faults;
}
