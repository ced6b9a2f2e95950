/** What the package's version would have to say and does not. */
export function listPackageFaults({ manifest, toolVersion }) {
  if (toolVersion === manifest.version) return [];
  return [`toolVersion is ${toolVersion} in src/contract/versions.ts and ${manifest.version} in package.json`];
}

/** What the version of the schemas would have to say after the last release and does not, with the reasons. */
export function listSchemaFaults({ set, released, schemaVersion, dueVersion, isAtLeast, compareSets }) {
  const due = dueVersion(released, set);
  if (isAtLeast(schemaVersion, due)) return [];
  const reasons = compareSets(released, set).map(({ level, what }) => `  ${level}: ${what}`);
  return [`schemaVersion is ${schemaVersion}, ${due} is due after ${released.schemaVersion}:`, ...reasons];
}
