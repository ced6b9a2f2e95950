import { useMemo } from "react";
import { learnAgents } from "../data/agents.ts";
import { type Identity, identityOf, privateName, sayIdentity, shortId } from "../data/names.ts";
import type { Reading } from "../data/store.ts";
import { useReading } from "../data/use-reading.ts";
import { Link } from "./link.tsx";

/** An agent, named the same way everywhere: its name, then its client and owner. Leads to the agent. */
export function Who({ id, isBrief = false }: { id: string; isBrief?: boolean }) {
  const known = identityOf(id);
  return known === undefined ? <Unknown id={id} isBrief={isBrief} /> : <Known id={id} is={known} isBrief={isBrief} />;
}

function Known({ id, is, isBrief }: { id: string; is: Identity; isBrief: boolean }) {
  if (is.name === privateName) return <span>{privateName}</span>;
  const rest = sayIdentity(is);
  return (
    <>
      <Link to={`/agents?agent=${id}`} title={`${is.name} · ${rest}`}>
        {is.name}
      </Link>
      {!isBrief && rest !== "" && <span className="muted"> {rest}</span>}
    </>
  );
}

function Unknown({ id, isBrief }: { id: string; isBrief: boolean }) {
  const { value } = useReading(useMemo(() => identityReading(id), [id]));
  return value ? <Known id={id} is={value} isBrief={isBrief} /> : shortId(id);
}

const identityReading = (id: string): Reading<Identity | null> => ({
  key: `who:${id}`,
  async load(signal) {
    await learnAgents(signal);
    return identityOf(id) ?? null;
  },
});
