/** What stands for whoever is private, and for all that is theirs, wherever others look. */
export const privateName = "@private";

/** Names of records by id, as events and readings bring them: the ledger itself mostly speaks in ids. */
const names = new Map<string, string>();
const mostKnown = 20_000;

export function learnName(id: string, name: string): void {
  if (names.size >= mostKnown && !names.has(id)) names.delete(names.keys().next().value ?? "");
  names.set(id, name);
}

export const nameOf = (id: string): string | undefined => names.get(id);

/** Who an agent is, said the same way everywhere: its name, the program it runs in, its owner. */
export interface Identity {
  readonly name: string;
  readonly client: string | null;
  readonly owner: string;
}

const identities = new Map<string, Identity>();

export function learnAgent(id: string, identity: Identity): void {
  learnName(id, identity.name);
  identities.set(id, identity);
}

export const identityOf = (id: string): Identity | undefined => identities.get(id);

/** What comes after the name: "codex · ada". A name that says it already is not repeated. */
export const sayIdentity = ({ name, client, owner }: Identity): string =>
  [client?.replaceAll("_", "-"), owner].filter((part) => part && part !== name).join(" · ");

export function forgetNames(): void {
  names.clear();
  identities.clear();
}

/** Ids are long and random; their end tells two of them apart. */
export const shortId = (id: string): string =>
  id.length <= 12 ? id : `${id.slice(0, id.indexOf("_") + 1)}…${id.slice(-5)}`;

/** The name of a record, or the end of its id. */
export const sayName = (id: string | undefined): string =>
  id === undefined || id === "" ? "the server" : (nameOf(id) ?? shortId(id));
