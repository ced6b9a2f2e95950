import { useReading } from "../../data/use-reading.ts";
import { Copied } from "../../parts/command.tsx";
import { Show } from "../../parts/states.tsx";
import { configLine, type Threshold, thresholdsReading } from "./settings-model.ts";

/** The figures a team may set for itself. Shown only: they are read from a file when the server starts. */
export function Thresholds() {
  const shown = useReading(thresholdsReading);
  return (
    <div className="stack settings-part">
      <p>
        To change a threshold, add its line to <code>config.json</code> in the server’s home folder and restart the
        server. Group thresholds of the same section: <code>{'{"overlap": {"warnFloor": …, "maxMatches": …}}'}</code>.
      </p>
      <Show shown={shown} what="thresholds" isEmpty={() => false} empty={null}>
        {(thresholds) => (
          <ul className="settings-figures">
            {thresholds.map((threshold) => (
              <Figure key={threshold.key} threshold={threshold} />
            ))}
          </ul>
        )}
      </Show>
    </div>
  );
}

function Figure({ threshold }: { threshold: Threshold }) {
  const { key, value, default: fallback, least, most, meaning } = threshold;
  return (
    <li>
      <h2 className="settings-figure mono">{key}</h2>
      <p>{meaning}</p>
      <p>
        <strong className="number">{value}</strong>{" "}
        <span className="muted small">
          {value === fallback ? "the default" : `default ${fallback}`}; from {least} to {most.toLocaleString("en")}
        </span>
      </p>
      <Copied text={configLine(threshold)} />
    </li>
  );
}
