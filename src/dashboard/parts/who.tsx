import { useMemo } from "react";
import { learnAgents } from "../data/agents.ts";
import { type Identity, identityOf, privateName, sayIdentity, shortId } from "../data/names.ts";
import type { Reading } from "../data/store.ts";
import { useReading } from "../data/use-reading.ts";
import { Link } from "./link.tsx";

/** An agent, named the same way everywhere: its name, then its client and owner. Leads to the agent. */
export function Who(props: WhoProps) {
  const known = identityOf(props.id);
  return known === undefined ? <Unknown {...props} /> : <Known {...props} is={known} />;
}

interface WhoProps {
  readonly id: string;
  /** The name alone; the rest is told by a title. */
  readonly isBrief?: boolean;
  /** Without a link, where another one is too near to be told apart by a finger. */
  readonly isPlain?: boolean;
}

function Known({ id, is, isBrief = false, isPlain = false }: WhoProps & { is: Identity }) {
  if (is.name === privateName) return <span>{privateName}</span>;
  const rest = sayIdentity(is);
  if (isPlain) return <span title={`${is.name} · ${rest}`}>{`${is.name} ${rest}`}</span>;
  return (
    <>
      <Link to={`/agents?agent=${id}`} title={`${is.name} · ${rest}`}>
        {is.name}
      </Link>
      {!isBrief && rest !== "" && <span className="muted"> {rest}</span>}
    </>
  );
}

function Unknown(props: WhoProps) {
  const { id } = props;
  const { value } = useReading(useMemo(() => identityReading(id), [id]));
  return value ? <Known {...props} is={value} /> : shortId(id);
}

const identityReading = (id: string): Reading<Identity | null> => ({
  key: `who:${id}`,
  async load(signal) {
    await learnAgents(signal);
    return identityOf(id) ?? null;
  },
});
