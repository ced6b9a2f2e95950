import { useState } from "react";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { markOf } from "../../parts/mission-words.ts";
import { NoMatch } from "../../parts/no-match.tsx";
import { Page } from "../../parts/page.tsx";
import { Search } from "../../parts/search.tsx";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { WorkLink } from "../../parts/work-link.tsx";
import { chooseMissions, type MissionLine, missionsReading, phasesDone } from "./missions-model.ts";
import { NewMission } from "./new-mission.tsx";
import "./missions.css";

/** What is to be achieved, in phases, with proof. */
export function MissionsView() {
  const { query } = usePlace();
  const shown = useReading(missionsReading);
  const text = query.get("q") ?? "";
  const chosen = chooseMissions(shown.value ?? [], text);
  const [current, setCurrent] = useState(0);
  const line = chosen[current];
  useKeys([
    ...listKeys({ count: chosen.length, current, setCurrent }),
    { keys: "Enter", label: "Open", act: () => line && go(`/missions/${line.mission_id}`) },
    { keys: "c", label: "New mission", act: () => changeQuery({ new: "yes" }) },
  ]);
  return (
    <Page
      title="Missions"
      fills
      actions={
        <button type="button" className="primary" onClick={() => changeQuery({ new: "yes" })}>
          New mission
        </button>
      }
    >
      <div className="filters">
        <Search label="Find missions" value={text} onChange={(q) => changeQuery({ q })} />
      </div>
      <Show
        shown={shown}
        what="missions"
        isEmpty={() => chosen.length === 0}
        empty={text === "" ? <NoMissions /> : <NoMatch what="missions" onClear={() => changeQuery({ q: undefined })} />}
      >
        {() => (
          <VirtualList
            label="Missions"
            className="missions"
            items={chosen}
            rowHeight={52}
            keyOf={(mission) => mission.mission_id}
            current={current}
          >
            {(mission, place) => <MissionRow mission={mission} isCurrent={place === current} />}
          </VirtualList>
        )}
      </Show>
      {query.get("new") === "yes" && <NewMission onClose={() => changeQuery({ new: undefined })} />}
    </Page>
  );
}

function MissionRow({ mission, isCurrent }: { mission: MissionLine; isCurrent: boolean }) {
  return (
    <div className="row missions-row" data-current={isCurrent}>
      <StatusMark status={markOf(mission.status, mission.outcome)} />
      <WorkLink className="strong cut" to={`/missions/${mission.mission_id}`} name={mission.name} />
      <span className="missions-phase muted small number">
        <progress max={mission.total_phases} value={phasesDone(mission)} aria-label={`Progress of ${mission.name}`} />
        <span className="missions-word">phase </span>
        {mission.current_phase} of {mission.total_phases}
      </span>
      <span className="missions-who muted small cut">{mission.developer}</span>
      <span className="missions-age muted small">
        <TimeAgo at={mission.created_at} />
      </span>
    </div>
  );
}

function NoMissions() {
  return (
    <>
      <p className="strong">No missions yet.</p>
      <p>
        A mission runs in phases, and each task ends with what git says it changed. Create one here, or in the terminal:
      </p>
      <Command text={'crewdeck call start_mission --name "Dark mode" --objective "The settings page can be dark"'} />
    </>
  );
}
