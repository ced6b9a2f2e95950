import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { agentsReading } from "../../data/agents.ts";
import { deck } from "../../data/deck.ts";
import type { LiveEvent } from "../../data/event.ts";
import { placeOfEvent } from "../../data/say-event.ts";
import { useReading } from "../../data/use-reading.ts";
import { useKeys } from "../../page/keys.ts";
import { changeQuery, go, usePlace } from "../../page/router.ts";
import { Command } from "../../parts/command.tsx";
import { download } from "../../parts/download.ts";
import { EventLine } from "../../parts/event-line.tsx";
import { listKeys } from "../../parts/list-keys.ts";
import { Menu } from "../../parts/menu.tsx";
import { Page } from "../../parts/page.tsx";
import { Search } from "../../parts/search.tsx";
import { Select } from "../../parts/select.tsx";
import { Show } from "../../parts/states.tsx";
import { attempt } from "../../parts/toast.tsx";
import { useNarrow } from "../../parts/use-narrow.ts";
import { VirtualList } from "../../parts/virtual-list.tsx";
import {
  type Activity,
  type ActivityFilter,
  activityReading,
  appendPage,
  chooseActs,
  collectAll,
  nouns,
  readPage,
  toCsv,
  toJsonLines,
} from "./activity-model.ts";
import "./activity.css";

/** The ledger: everything that happened, newest first, growing as it happens. */
export function ActivityView() {
  const { query } = usePlace();
  const text = query.get("q") ?? "";
  const about = query.get("about") ?? "";
  const withHeartbeats = query.get("heartbeats") === "yes";
  const filter = useMemo(() => ({ text, about, withHeartbeats }), [text, about, withHeartbeats]);
  const shown = useReading(activityReading(filter));
  // For the names in the sentences.
  useReading(agentsReading);
  return (
    <Page title="Activity" fills actions={<Export filter={filter} />}>
      <div className="filters">
        <Search label="Find activity" value={text} onChange={(q) => changeQuery({ q })} />
        <Select
          label="About"
          all="Everything"
          value={about}
          choices={Object.entries(nouns).map(([value, label]) => ({ value, label }))}
          onChange={(noun) => changeQuery({ about: noun })}
        />
        <button
          type="button"
          aria-pressed={withHeartbeats}
          onClick={() => changeQuery({ heartbeats: withHeartbeats ? undefined : "yes" })}
        >
          Heartbeats
        </button>
      </div>
      <Show shown={shown} what="activity" isEmpty={(activity) => activity.events.length === 0} empty={<Nothing />}>
        {(activity) => <Events activity={activity} filter={filter} />}
      </Show>
    </Page>
  );
}

function Events({ activity, filter }: { activity: Activity; filter: ActivityFilter }) {
  const events = useMemo(() => chooseActs(activity.events, filter.text), [activity.events, filter.text]);
  const [current, setCurrent] = useState(0);
  const isNarrow = useNarrow();
  const loadOlder = useOlder(activity, filter);
  useKeys([
    ...listKeys({ count: events.length, current, setCurrent }),
    { keys: "Enter", label: "Open", act: () => openSubject(events[current]) },
  ]);
  // A filter that fits little must not look like an empty ledger: older pages are read until the window is full.
  useEffect(() => {
    if (events.length < 40) loadOlder();
  }, [events.length, loadOlder]);
  if (events.length === 0 && activity.older === undefined)
    return <p className="state">No activity matches your filters.</p>;
  return (
    <VirtualList
      label="Events"
      className="activity"
      items={events}
      rowHeight={isNarrow ? 56 : 36}
      keyOf={(event) => event.cursor}
      onNearEnd={loadOlder}
      current={current}
    >
      {(event, place) => <EventLine event={event} isCurrent={place === current} />}
    </VirtualList>
  );
}

/** Reads one older page at a time. */
function useOlder(activity: Activity, filter: ActivityFilter): () => void {
  const { older } = activity;
  const isReading = useRef(false);
  return useCallback(() => {
    if (older === undefined || isReading.current) return;
    isReading.current = true;
    void attempt(async () => {
      const page = await readPage(filter, older);
      isReading.current = false;
      deck.store.change(activityReading(filter), (now) => (now.older === older ? appendPage(now, page) : now));
    }).then(() => {
      isReading.current = false;
    });
  }, [older, filter]);
}

function Export({ filter }: { filter: ActivityFilter }) {
  const save = (name: string, type: string, write: (events: readonly LiveEvent[]) => string): void =>
    void attempt(async () => download(name, write(await collectAll(filter)), type), "Exported.");
  return (
    <Menu
      label="Export"
      items={[
        { label: "As CSV", choose: () => save("crewdeck-activity.csv", "text/csv", toCsv) },
        { label: "As JSON lines", choose: () => save("crewdeck-activity.jsonl", "application/jsonl", toJsonLines) },
      ]}
    >
      Export
    </Menu>
  );
}

function Nothing() {
  return (
    <>
      <p className="strong">No activity yet.</p>
      <p>Follow it in the terminal:</p>
      <Command text="crewdeck log --watch" />
    </>
  );
}

function openSubject(event: LiveEvent | undefined): void {
  const place = event && placeOfEvent(event);
  if (place) go(place);
}
