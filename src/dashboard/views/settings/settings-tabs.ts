/** The tabs of the settings, with what else somebody may call them. */
export const settingsTabs = {
  agents: { title: "Agent setup", words: "connect an agent client machine login" },
  clients: { title: "Clients", words: "machine hooks bridge configuration doctor" },
  tokens: { title: "Tokens", words: "create revoke token" },
  people: { title: "People", words: "add person private" },
  repositories: { title: "Repositories", words: "registered" },
  thresholds: { title: "Thresholds", words: "overlap score config" },
  store: { title: "Store", words: "backup verify database health" },
} as const;

export type SettingsTab = keyof typeof settingsTabs;

export const settingsTabNames = Object.keys(settingsTabs) as SettingsTab[];
