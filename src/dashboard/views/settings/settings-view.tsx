import { changeQuery, usePlace } from "../../page/router.ts";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { AgentSetUp } from "./agent-set-up.tsx";
import { Clients } from "./clients.tsx";
import { People } from "./people.tsx";
import { Repositories } from "./repositories.tsx";
import { type SettingsTab, settingsTabNames, settingsTabs } from "./settings-tabs.ts";
import { StoreHealth } from "./store-health.tsx";
import { Thresholds } from "./thresholds.tsx";
import { Tokens } from "./tokens.tsx";
import "./settings.css";

const tabs = Object.fromEntries(settingsTabNames.map((name) => [name, settingsTabs[name].title])) as Record<
  SettingsTab,
  string
>;

/** Who may come in, with what, by which figures work is compared, and how the store is. */
export function SettingsView() {
  const { query } = usePlace();
  const current = settingsTabNames.find((name) => name === query.get("tab")) ?? "agents";
  return (
    <Page title="Settings">
      <Tabs label="Settings" tabs={tabs} current={current} onChoose={(tab) => changeQuery({ tab })}>
        {current === "agents" && <AgentSetUp />}
        {current === "clients" && <Clients />}
        {current === "tokens" && <Tokens />}
        {current === "people" && <People />}
        {current === "repositories" && <Repositories />}
        {current === "thresholds" && <Thresholds />}
        {current === "store" && <StoreHealth />}
      </Tabs>
    </Page>
  );
}
