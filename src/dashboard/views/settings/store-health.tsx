import { useState } from "react";
import type { Verification } from "../../../contract/plain-routes.ts";
import { post, read } from "../../data/api.ts";
import { useDeck, useReading } from "../../data/use-reading.ts";
import { Form } from "../../parts/form.tsx";
import { sayDuration } from "../../parts/say-duration.ts";
import { Show } from "../../parts/states.tsx";
import { StatusMark } from "../../parts/status-mark.tsx";
import { attempt } from "../../parts/toast.tsx";
import { healthReading } from "./settings-model.ts";

/** Whether the store is sound, and a copy of it. */
export function StoreHealth() {
  const shown = useReading(healthReading);
  const { person } = useDeck();
  return (
    <div className="stack settings-part">
      <Show shown={shown} what="store health" isEmpty={() => false} empty={null}>
        {({ store, versions, uptimeMs, ledger }) => (
          <dl className="facts">
            <dt>State</dt>
            <dd>
              <StatusMark status={store.readOnlyReason === null ? "online" : "failed"} label="spoken" />{" "}
              {store.readOnlyReason === null ? "read and write" : `read-only: ${store.readOnlyReason}`}
            </dd>
            <dt>Database</dt>
            <dd>
              {store.dialect} <span className="mono small">{store.location}</span>
            </dd>
            <dt>Ledger</dt>
            <dd className="number">{ledger.toLocaleString("en")} entries</dd>
            <dt>Uptime</dt>
            <dd>{sayDuration(uptimeMs)}</dd>
            <dt>Version</dt>
            <dd>{versions.tool}</dd>
          </dl>
        )}
      </Show>
      {person?.role === "owner" && (
        <>
          <Verify />
          <Backup />
        </>
      )}
    </div>
  );
}

function Verify() {
  const [found, setFound] = useState<Verification>();
  const [isRunning, setRunning] = useState(false);
  async function verify(): Promise<void> {
    setRunning(true);
    await attempt(async () => setFound(await read("/api/verify", {})));
    setRunning(false);
  }
  return (
    <section className="wrap" aria-label="Verification">
      <button type="button" disabled={isRunning} onClick={() => void verify()}>
        {isRunning ? "Verifying…" : "Verify store"}
      </button>
      {found && (
        <output>
          {found.isIntact
            ? `Intact: chain verified over ${found.entries.toLocaleString("en")} entries.`
            : `Damaged: ${found.reason ?? found.problems[0] ?? "see crewdeck verify"}.`}
        </output>
      )}
    </section>
  );
}

function Backup() {
  const [file, setFile] = useState("");
  const [written, setWritten] = useState("");
  // It stays until the next one: whoever looks away for a few seconds wants to know, too.
  async function back(): Promise<void> {
    setWritten("");
    await attempt(async () => {
      await post("/api/backup", { file });
      setWritten(file);
    });
  }
  return (
    <Form className="wrap" send={back}>
      <input
        className="settings-path"
        aria-label="Backup file on the server"
        placeholder="/absolute/path/crewdeck-backup.db"
        value={file}
        onChange={(event) => setFile(event.target.value)}
      />
      <button type="submit" disabled={file.trim() === ""}>
        Back up
      </button>
      {written !== "" && (
        <output>
          Backup written and verified. <span className="mono small">{written}</span>
        </output>
      )}
    </Form>
  );
}
