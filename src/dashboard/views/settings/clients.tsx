import { useReading } from "../../data/use-reading.ts";
import { Command, Copied } from "../../parts/command.tsx";
import { Show } from "../../parts/states.tsx";
import { TimeAgo } from "../../parts/time-ago.tsx";
import {
  groupMachines,
  listMachineTodos,
  listTodos,
  type Machine,
  machinesReading,
  type Row,
  rowOf,
  sayMachine,
  type Todo,
} from "./clients-model.ts";

/** How the clients of the reader's machines are set up, and what each still needs. */
export function Clients() {
  const shown = useReading(machinesReading);
  return (
    <div className="settings-part">
      <Show shown={shown} what="clients" isEmpty={(reports) => reports.length === 0} empty={<NoMachines />}>
        {(reports) => (
          <div className="stack settings-machines">
            {groupMachines(reports).map((machine) => (
              <MachineCard key={machine.name} machine={machine} />
            ))}
            <p className="muted small">
              Reported by <code>crewdeck doctor</code> and, once an hour, by <code>crewdeck watch</code>: names and
              states only. Nobody else sees your machines; those silent for 30 days are dropped.
            </p>
          </div>
        )}
      </Show>
    </div>
  );
}

function NoMachines() {
  return (
    <>
      <p className="strong">No machine has reported its clients yet.</p>
      <p>Connect the clients of a machine, then check them. In a repository, run:</p>
      <Command text="crewdeck setup" />
      <Command text="crewdeck doctor" />
    </>
  );
}

function MachineCard({ machine: { name, newest, repositories } }: { machine: Machine }) {
  return (
    <section className="stack" aria-label={name}>
      <div className="wrap">
        <h2>{name}</h2>
        <span className="muted small">
          Crewdeck {newest.companion_version} · reported <TimeAgo at={newest.reported_at} />
        </span>
      </div>
      <p className="muted small">{sayMachine(newest)}</p>
      <Todos todos={listMachineTodos(newest)} />
      {repositories.map((report) => (
        <section key={report.repository} className="card stack" aria-label={report.repository}>
          <h3>{report.repository}</h3>
          <ul className="settings-clients">
            {report.clients.map((client) => (
              <ClientRow key={client.client} row={rowOf(client)} />
            ))}
          </ul>
          <Todos todos={listTodos(report)} />
        </section>
      ))}
    </section>
  );
}

function ClientRow({ row: { title, cells } }: { row: Row }) {
  return (
    <li className="settings-client-row">
      <span className="strong">{title}</span>
      <dl className="settings-states">
        {cells.map(({ name, words, tone }) => (
          <div key={name}>
            <dt className="muted small">{name}</dt>
            <dd>
              {tone === undefined ? (
                words
              ) : (
                <span className="chip" data-tone={tone}>
                  {words}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function Todos({ todos }: { todos: readonly Todo[] }) {
  if (todos.length === 0) return null;
  return (
    <ul className="stack settings-todos" aria-label="To do">
      {todos.map(({ words, command }) => (
        <li key={words} className="settings-client">
          <span className="small">{words}</span>
          {command !== undefined &&
            (command.startsWith("crewdeck ") ? <Command text={command} /> : <Copied text={command} />)}
        </li>
      ))}
    </ul>
  );
}
