import { type ReactNode, useState } from "react";
import { callTool } from "../../data/api.ts";
import { useDeck, useReading } from "../../data/use-reading.ts";
import { Command, ConnectCommand, Copied } from "../../parts/command.tsx";
import { attempt, say } from "../../parts/toast.tsx";
import { devicesReading } from "./settings-model.ts";

/** How a client is connected, and machines that ask to be let in. */
export function AgentSetUp() {
  return (
    <div className="stack settings-part">
      <section className="stack" aria-label="Connect a client">
        <h2>Connect a client</h2>
        <p className="muted">On this machine, that’s all: the command finds the server and its token.</p>
        <Client name="Claude Code">
          <ConnectCommand client="claude" />
        </Client>
        <Client name="Codex">
          <ConnectCommand client="codex" />
        </Client>
        <Client name="Cursor, in .cursor/mcp.json">
          <Copied text={configOf(useDeck().person?.program.bridge ?? [])} />
        </Client>
        <Client name="Any client, over HTTP">
          <Copied text={`${location.origin}/mcp`} />
        </Client>
      </section>
      <Companion />
      <Machines />
    </div>
  );
}

/** Sets up every client of a machine at once, and says what is still to do. */
function Companion() {
  return (
    <section className="stack" aria-label="Set up every client">
      <h2>Set up every client</h2>
      <p className="muted">
        In a repository: adds the server, hooks and instructions for every client found, shows a plan first, and can
        undo all of it.
      </p>
      <Client name="Set up">
        <Command text="crewdeck setup" />
      </Client>
      <Client name="Set up on another machine">
        <Copied text={`crewdeck setup --base-url ${location.origin}`} />
      </Client>
      <Client name="See what each client still needs">
        <Command text="crewdeck doctor" />
      </Client>
      <Client name="Report edits that hooks don’t see">
        <Command text="crewdeck watch" />
      </Client>
    </section>
  );
}

function Client({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="settings-client">
      <span className="small muted">{name}</span>
      {children}
    </div>
  );
}

/** The file of a client that starts the bridge by itself. */
const configOf = ([command, ...args]: readonly string[]): string =>
  JSON.stringify({ mcpServers: { crewdeck: { command, args } } });

function Machines() {
  const shown = useReading(devicesReading);
  const [code, setCode] = useState("");
  const judge = (tool: "device_approve" | "device_deny") =>
    void attempt(async () => {
      const { status } = await callTool(tool, { code });
      if (status === "unknown") say("No machine is waiting with that code.", { isBad: true });
      else {
        say(status === "approved" ? "Machine approved." : "Machine denied.");
        setCode("");
      }
    });
  return (
    <section className="stack" aria-label="Other machines">
      <h2>Other machines</h2>
      <p className="muted">
        To sign in another machine, run <code>crewdeck login --base-url {location.origin}</code> there and enter the
        code it shows. Its agents will act in your name, so only approve a code that you see yourself.
      </p>
      <div className="wrap">
        <input
          aria-label="Code"
          placeholder="WDJB-MJHT"
          value={code}
          maxLength={20}
          onChange={(event) => setCode(event.target.value)}
        />
        <button type="button" className="primary" disabled={code.trim() === ""} onClick={() => judge("device_approve")}>
          Approve
        </button>
        <button type="button" disabled={code.trim() === ""} onClick={() => judge("device_deny")}>
          Deny
        </button>
      </div>
      <ul className="stack">
        {(shown.value ?? []).map((device) => (
          <li key={device.id} className="wrap small">
            <span className="strong">{device.machine_name}</span>
            <span className="muted">{device.agents.join(", ")}</span>
            <span className="chip">{device.status}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
