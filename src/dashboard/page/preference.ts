/** What a person likes, kept in this browser: never anything about the work, never a secret. */
type PreferenceName = "theme" | "notify" | "views";

export function readPreference(name: PreferenceName): string | null {
  try {
    return localStorage.getItem(`crewdeck.${name}`);
  } catch {
    return null;
  }
}

export function savePreference(name: PreferenceName, value: string): void {
  try {
    localStorage.setItem(`crewdeck.${name}`, value);
  } catch {
    // A browser that keeps nothing only forgets it.
  }
}
