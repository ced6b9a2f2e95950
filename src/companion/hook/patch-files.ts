const mostFiles = 200;

/** The files that a patch in Codex's format adds, changes, deletes or moves to. */
export function filesOfPatch(patch: string): string[] {
  const lines = patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/gm);
  const files = new Set<string>();
  for (const [, file = ""] of lines) {
    if (files.size === mostFiles) break;
    files.add(file);
  }
  return [...files];
}
