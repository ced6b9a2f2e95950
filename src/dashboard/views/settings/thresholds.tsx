import { useState } from "react";
import { post } from "../../data/api.ts";
import { useDeck, useReading } from "../../data/use-reading.ts";
import { Copied } from "../../parts/command.tsx";
import { Form } from "../../parts/form.tsx";
import { Show } from "../../parts/states.tsx";
import { attempt } from "../../parts/toast.tsx";
import { configLine, type Threshold, thresholdsReading } from "./settings-model.ts";

/** The figures a team may set for itself; the owner changes them here, at once. */
export function Thresholds() {
  const shown = useReading(thresholdsReading);
  const { person } = useDeck();
  const isOwner = person?.role === "owner";
  return (
    <div className="stack settings-part">
      {isOwner && <p>A change takes effect at once, for everyone.</p>}
      <p hidden={isOwner}>
        The team’s owner changes thresholds here or with <code>crewdeck settings set</code>. In <code>config.json</code>{" "}
        in the server’s home folder, group those of the same section:{" "}
        <code>{'{"overlap": {"warnFloor": …, "maxMatches": …}}'}</code>, and restart the server.
      </p>
      <Show shown={shown} what="thresholds" isEmpty={() => false} empty={null}>
        {(thresholds) => (
          <ul className="settings-figures">
            {thresholds.map((threshold) => (
              <Figure key={threshold.key} threshold={threshold} isEditable={isOwner} />
            ))}
          </ul>
        )}
      </Show>
    </div>
  );
}

function Figure({ threshold, isEditable }: { threshold: Threshold; isEditable: boolean }) {
  const { key, value, default: fallback, least, most, meaning } = threshold;
  return (
    <li>
      <h2 className="settings-figure mono">{key}</h2>
      <p>{meaning}</p>
      <p>
        <strong className="number">{value}</strong>{" "}
        <span className="muted small">
          {value === fallback ? "default" : `default ${fallback}`} · {least} to {most.toLocaleString("en")}
        </span>
      </p>
      {isEditable ? <Change threshold={threshold} /> : <Copied text={configLine(threshold)} />}
    </li>
  );
}

function Change({ threshold: { key, value, default: fallback, least, most } }: { threshold: Threshold }) {
  const [typed, setTyped] = useState(String(value));
  async function save(): Promise<void> {
    const wanted = Number(typed);
    const body = { key, value: wanted === fallback ? null : wanted };
    await attempt(() => post("/api/thresholds", body), "Saved.");
  }
  return (
    <Form className="wrap" send={save}>
      <input
        type="number"
        aria-label={key}
        required
        min={least}
        max={most}
        step="any"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" disabled={typed.trim() === "" || Number(typed) === value}>
        Save<span className="only-spoken"> {key}</span>
      </button>
    </Form>
  );
}
