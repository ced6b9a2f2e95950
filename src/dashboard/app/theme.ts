import { readPreference, savePreference } from "../page/preference.ts";

export const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

export function readTheme(): Theme {
  const kept = readPreference("theme");
  return themes.find((theme) => theme === kept) ?? "system";
}

/** Without a choice of their own people get what their system shows. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  savePreference("theme", theme);
  applyTheme(theme);
}
