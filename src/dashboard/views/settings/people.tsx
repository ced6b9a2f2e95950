import { useState } from "react";
import { callTool } from "../../data/api.ts";
import { deck } from "../../data/deck.ts";
import { useDeck, useReading } from "../../data/use-reading.ts";
import { Form } from "../../parts/form.tsx";
import { Show } from "../../parts/states.tsx";
import { attempt } from "../../parts/toast.tsx";
import { type Developer, developersReading } from "./settings-model.ts";

/** The people of the team, and who of them does not want to be seen. */
export function People() {
  const shown = useReading(developersReading);
  const { person } = useDeck();
  return (
    <div className="stack settings-part">
      {person?.role === "owner" && <NewPerson />}
      <Show shown={shown} what="people" isEmpty={(people) => people.length === 0} empty={<p>No people yet.</p>}>
        {(people) => (
          <ul className="stack">
            {people.map((developer) => (
              <PersonRow
                key={developer.id}
                developer={developer}
                mayChange={person?.role === "owner" || person?.handle === developer.handle}
              />
            ))}
          </ul>
        )}
      </Show>
      <p className="muted small">Private people appear to others as @private.</p>
    </div>
  );
}

function PersonRow({ developer, mayChange }: { developer: Developer; mayChange: boolean }) {
  async function turn(): Promise<void> {
    const { handle } = developer;
    const turned = { ...developer, private: !developer.private };
    deck.store.change(developersReading, (people) => people.map((one) => (one.handle === handle ? turned : one)));
    const isDone = await attempt(() => callTool("developer_update", { handle, private: turned.private }));
    if (!isDone) void deck.store.reload(developersReading.key);
  }
  return (
    <li className="card wrap">
      <span className="strong">{developer.name}</span>
      {developer.name !== developer.handle && <span className="muted">{developer.handle}</span>}
      <span className="chip">{developer.role}</span>
      <label className="wrap settings-private">
        <input type="checkbox" checked={developer.private} disabled={!mayChange} onChange={() => void turn()} />
        private<span className="only-spoken"> {developer.handle}</span>
      </label>
    </li>
  );
}

function NewPerson() {
  const [handle, setHandle] = useState("");
  const add = () =>
    attempt(async () => {
      await callTool("developer_create", { handle: handle.trim() });
      setHandle("");
    }, "Person added.");
  return (
    <Form className="wrap" send={add}>
      <input
        aria-label="Handle"
        placeholder="handle"
        value={handle}
        maxLength={40}
        onChange={(event) => setHandle(event.target.value)}
      />
      <button type="submit" className="primary" disabled={handle.trim() === ""}>
        Add person
      </button>
    </Form>
  );
}
